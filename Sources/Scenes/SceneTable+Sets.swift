import Geometry
import Interactions
import Notation
import Sessions

/// Reactions that set keys of a component.
extension SceneTable {
    /// Reads each such component with its new keys, so that keys which it could never take are
    /// found with the scene. Values that stand for what will have happened are judged then.
    static func checkSets(
        _ reactions: [Reaction], of components: [Scene.Component], from nodes: [Node],
        viewport: Size, _ places: [Node]
    ) throws(TableError) {
        let faults = setFaults(
            reactions, of: components, from: nodes, viewport: viewport, places)
        if let first = faults.first { throw first }
    }

    /// The same, with all that is wrong; nil stands for a reaction that cannot be read.
    static func setFaults(
        _ reactions: [Reaction?], of components: [Scene.Component], from nodes: [Node],
        viewport: Size, _ places: [Node]
    ) -> [TableError] {
        var faults: [TableError] = []
        for (number, reaction) in reactions.enumerated() {
            guard let reaction, reaction.deed.isSet else { continue }
            let values = reaction.deed.arguments[0].value
            guard !reaction.deed.namesFacts,
                let place = components.firstIndex(where: { $0.id == reaction.deed.component })
            else { continue }
            let node = nodes[place].withoutLines.setting(values.members ?? [])
            do throws(TableError) {
                _ = try component(
                    node, number: place + 1, viewport: viewport,
                    after: Array(components[..<place]))
            } catch {
                faults.append(
                    TableError(
                        path: "reaction \(number + 1), do", key: "values",
                        line: places[number]["do"]?.line ?? places[number].line,
                        message: error.message(naming: values)))
            }
        }
        return faults
    }
}

extension TableError {
    /// The error with the value that caused it, where it is one of these.
    fileprivate func message(naming values: Node) -> String {
        guard let key, let value = values.members?.first(where: { $0.name == key })?.value else {
            return "\(self)"
        }
        return "\(path), key \(key): \(value.shown) \(message)"
    }
}
