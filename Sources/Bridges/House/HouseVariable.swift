import Notation
import Protocol

extension HouseMirror {
    /// A variable of a session, as Home Assistant shows it.
    struct Variable: Hashable, Sendable {
        enum ValueType: Hashable, Sendable { case truth, number, text }

        /// Variables of a session: the daemon's bound.
        static let countMax = 64

        var name: String
        var type: ValueType
        var field: NumberField?

        /// Reads a member of `values`; nil where it is none of a variable.
        init?(_ member: Node.Member, fields: [String: NumberField]) {
            guard Name.isValid(member.name) else { return nil }
            name = member.name
            switch member.value.value {
            case .bool: type = .truth
            case .integer, .unsigned, .number: type = .number
            case .string: type = .text
            case .null, .array, .object: return nil
            }
            if type == .number { field = fields[name] }
        }
    }

    /// The numbers between which a person chooses, as the content of a scene says it.
    struct NumberField: Hashable, Sendable {
        /// Bytes of a unit: far above "kWh/100 km".
        static let unitBytesMax = 32
        /// Home Assistant's least step.
        static let stepMin = 0.001

        var least: Double
        var most: Double
        var step: Double
        var unit: String?

        /// Nil where it says nothing of use: the daemon does not read content.
        init?(_ node: Node) {
            guard let least = node["min"]?.double, let most = node["max"]?.double,
                least.isFinite, most.isFinite, least < most
            else { return nil }
            self.least = least
            self.most = most
            step = node["step"]?.double ?? 1
            guard step.isFinite, step >= Self.stepMin else { return nil }
            unit = node["unit"]?.string.flatMap {
                $0.utf8.count <= Self.unitBytesMax ? $0 : nil
            }
        }

        /// The fields of a scene's `content`, by the names of their variables.
        static func all(inContent content: Node?) -> [String: NumberField] {
            var fields: [String: NumberField] = [:]
            for member in content?["variables"]?.members ?? [] {
                guard fields.count < Variable.countMax, let field = NumberField(member.value) else {
                    continue
                }
                fields[member.name] = field
            }
            return fields
        }
    }

    /// Takes the variables of a session: all that there are. Those that are gone leave the broker,
    /// and one of another type than before becomes another entity.
    mutating func take(variables body: Node, of name: String) {
        guard let session = sessions[name], let values = body["values"]?.members else { return }
        var now: [Variable] = []
        for member in values.prefix(Variable.countMax) {
            guard let variable = Variable(member, fields: session.fields) else { continue }
            now.append(variable)
            // Home Assistant learns of an entity before it hears of its value.
            if !session.variables.contains(variable), let homeAssistant {
                announce([homeAssistant.entity(ofVariable: variable, session)])
            }
            outbox.set(topics.value(name, variable.name), member.value.json())
        }
        for variable in session.variables {
            let successor = now.first { $0.name == variable.name }
            guard successor?.type != variable.type else { continue }
            forget(variable, of: session, isReplaced: successor != nil)
        }
        sessions[name]?.variables = now
    }

    /// Takes what another scene says of numbers.
    mutating func take(fieldsOf content: Node?, of name: String) {
        guard var session = sessions[name] else { return }
        session.fields = NumberField.all(inContent: content)
        for index in session.variables.indices where session.variables[index].type == .number {
            let field = session.fields[session.variables[index].name]
            guard session.variables[index].field != field else { continue }
            session.variables[index].field = field
            if let homeAssistant {
                announce([homeAssistant.entity(ofVariable: session.variables[index], session)])
            }
        }
        sessions[name] = session
    }

    private mutating func forget(
        _ variable: Variable, of session: Session, isReplaced: Bool
    ) {
        if !isReplaced { outbox.set(topics.value(session.name, variable.name), nil) }
        guard let homeAssistant else { return }
        outbox.set(homeAssistant.entity(ofVariable: variable, session).topic, nil)
    }
}
