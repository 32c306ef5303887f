import Geometry
import Interactions
package import Notation
import Sessions

/// Reactions that write into a component: its keys, or items, behaviors and tips.
extension SceneTable {
    /// Reads each such component as it would be then, so that what it could never take is found
    /// with the scene. Values that stand for what will have happened are judged then, and so are
    /// those whose components would take long to read again. `isStrict` is false where the scene
    /// was accepted before, by a version that tried keys of components alone.
    static func checkTrials(
        _ reactions: [Reaction], _ nodes: [Node], of components: [Scene.Component],
        from tables: [Node], in viewport: Space, isStrict: Bool
    ) throws(TableError) {
        var left = Limits.setTrialsBytesMax
        let maker = TrialMaker(nodes, of: components, from: tables, in: viewport)
        let orders = reactions.flatMap { $0.actions.map(\.deed.order) }
        for (number, order) in orders.enumerated() {
            guard let order, isStrict || order.isSet, !order.namesFacts,
                let trial = maker.trial(number)
            else { continue }
            guard left > 0 else { return }
            left -= trial.component.jsonBytes
            if let fault = trial.faults.first { throw trial.error(fault, value: nil) }
            do throws(TableError) {
                _ = try component(
                    trial.component, number: 1, in: trial.viewport, after: [])
            } catch {
                throw trial.error(error, value: trial.value(of: error))
            }
        }
    }

    /// A trial for each reaction that writes into a component, to a scene that is good without
    /// them. Values that stand for what will have happened are left out.
    package static func trials(of reactions: [Node], in node: Node) -> [ReactionTrial] {
        guard let (components, tables, viewport) = parts(of: node) else { return [] }
        var maker = TrialMaker(reactions, of: components, from: tables, in: viewport)
        if let variables = node["variables"] {
            maker.textKeys.append(.init("variables", variables))
        }
        if let language = node["language"]?.string ?? TextReader.firstLanguage(in: node) {
            maker.textKeys.append(.init("language", Node(.string(language))))
        }
        return maker.deeds.indices.compactMap { maker.trial($0) }
    }
}

extension ReactionTrial {
    /// The value that an error of the component alone is about, where it is one of its own keys or
    /// of a table in one of its lists.
    fileprivate func value(of error: TableError) -> Node? {
        guard let key = error.key else { return nil }
        let parts = error.path.split(separator: ",")
        guard parts.count > 1 else { return component[key] }
        let words = parts[1].split(separator: " ").map(String.init)
        guard parts.count == 2, words.count == 2 else { return nil }
        let entries = component["\(words[0])s"]?.array ?? []
        let number = Int(words[1]).map { $0 - 1 }
        let entry =
            entries.last { $0["id"]?.string == words[1] }
            ?? number.flatMap { entries.indices.contains($0) ? entries[$0] : nil }
        return entry?[key]
    }
}

/// Makes the trials of a scene's reactions.
private struct TrialMaker {
    /// The actions of all reactions, one after the other.
    let deeds: [(path: String, table: Node)]
    /// In the scene's order, as the tables.
    private let components: [Scene.Component]
    private let tables: [Node]
    private let viewport: Space
    /// The keys of the scene to which texts refer; empty where no reader needs them.
    var textKeys: [Node.Member] = []

    init(
        _ reactions: [Node], of components: [Scene.Component], from tables: [Node],
        in viewport: Space
    ) {
        deeds = reactions.enumerated().flatMap { index, reaction in
            reaction.actionTables.map { ("reaction \(index + 1), \($0.name)", $0.table) }
        }
        self.components = components
        self.tables = tables
        self.viewport = viewport
    }

    /// Nil: the reaction writes nothing that could be tried.
    func trial(_ number: Int) -> ReactionTrial? {
        let deed = deeds[number].table
        guard let id = deed["component"]?.string,
            let place = components.firstIndex(where: { $0.id == id })
        else { return nil }
        let parameters = components[place].parameters
        let others = deeds.map(\.table).filter { $0["component"]?.string == id }
        let own = tables[place]
        let made: CommandTrial
        let base: Node
        if let trial = parameters.trial(of: deed, among: others) {
            (made, base) = (trial, own.only(["id", "kind", "frame"]).withoutLines)
        } else if let values = deed.valuesOfComponent {
            let known = parameters.keys + Scene.Component.ownKeys
            made = CommandTrial(of: "values", values.filter { known.contains($0.name) })
            base = own.without("in").withoutLines
        } else {
            return nil
        }
        var told: Set<String> = []
        let keys = Node(.object(made.keys)).withoutFacts(&told).members ?? []
        let faults = made.faults.map { fault in
            var fault = fault
            if !fault.path.isEmpty { fault.path = "component \(id), \(fault.path)" }
            return fault
        }
        return ReactionTrial(
            path: deeds[number].path, line: deed.line, argument: made.argument,
            component: base.setting(keys), viewport: space(of: place), textKeys: textKeys,
            told: told, faults: faults)
    }

    /// The room in which a component stands.
    private func space(of place: Int) -> Space {
        guard var table = try? TableReader(tables[place], path: ""),
            let (_, space) = try? PlacementReader.holder(
                &table, viewport, Array(components[..<place]))
        else { return viewport }
        return space
    }
}

extension Reaction.Deed {
    /// Its command to a component; nil: it does something else.
    fileprivate var order: Reaction.Order? {
        if case .command(let order) = self { return order }
        return nil
    }
}

extension Scene.Component {
    /// Keys that components of all kinds have, and that `set` may write.
    static let ownKeys = ["frame", "clip", "content"]
}

extension Node {
    /// The values of a `do` that sets keys of its component; nil: it is another.
    fileprivate var valuesOfComponent: [Member]? {
        guard self["command"]?.string == "set", self["item"] == nil, self["behavior"] == nil else {
            return nil
        }
        return self["values"]?.members
    }

    fileprivate func only(_ names: [String]) -> Node {
        Node(.object((members ?? []).filter { names.contains($0.name) }))
    }

    /// The same without keys whose values stand for what will have happened, which it notes.
    fileprivate func withoutFacts(_ told: inout Set<String>) -> Node {
        switch value {
        case .object(let members):
            var kept: [Member] = []
            for member in members {
                // A frame without some of its keys says something else.
                if member.value.isTold || (member.name == "frame" && member.value.tellsFacts) {
                    told.insert(member.name)
                } else {
                    kept.append(Member(member.name, member.value.withoutFacts(&told)))
                }
            }
            return Node(.object(kept), line: line)
        case .array(let elements):
            var kept: [Node] = []
            for element in elements { kept.append(element.withoutFacts(&told)) }
            return Node(.array(kept), line: line)
        case .null, .bool, .integer, .unsigned, .number, .string: return self
        }
    }

    /// Whether a member of a table is told when something happens.
    private var tellsFacts: Bool { members?.contains { $0.value.isTold } ?? false }

    /// Whether it is told when something happens, or has an element that is.
    private var isTold: Bool {
        if let string { return FactForms.isPlaceholder(string) || namesFacts }
        // A text by language of which all stand for what comes.
        if isText, let members { return members.allSatisfy(\.value.isTold) }
        return array?.contains { $0.members == nil && $0.isTold } ?? false
    }
}

extension Limits {
    /// Bytes of components as JSON that are read once more for what reactions write, when a scene
    /// is read: else a scene of 64 reactions would take 64 times as long as its component.
    static let setTrialsBytesMax = 256 * 1024
}
