package import Notation

/// A programmatic action on one component. Its machine reads the arguments.
package struct ComponentCommand: Hashable, Sendable {
    /// As on the wire: `present`, `select`, `reset` …; a kind rejects what it does not know.
    package var name: String
    /// The other members of the body. A machine passes over those that it does not know: they are
    /// the publisher's.
    package var arguments: [Node.Member]

    package init(_ name: String, _ arguments: [Node.Member] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// Reads arguments. An absent one is `missing-field`, a wrong one `bad-value`.
    package func read<Value>(
        _ body: (inout TableReader) throws(TableError) -> Value
    ) throws(Rejection) -> Value {
        do throws(TableError) {
            var table = try TableReader(Node(.object(arguments)), path: "")
            return try body(&table)
        } catch {
            throw Rejection(error.isAbsence ? .missingField : .badValue, error.description)
        }
    }
}

extension Machine {
    /// Which of a kind's actions a command names.
    static func action<Action: RawRepresentable<String>>(
        _: Action.Type, of command: ComponentCommand
    ) throws(Rejection) -> Action {
        guard let action = Action(rawValue: command.name) else { throw unknown(command) }
        return action
    }
}
