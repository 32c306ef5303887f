import Geometry
import Interactions
import Notation
import Sessions

/// Reactions that set keys of a component.
extension SceneTable {
    /// Reads each such component with its new keys, so that keys which it could never take are
    /// found with the scene. Values that stand for what will have happened are judged then, and so
    /// are those whose components would take long to read again.
    static func checkSets(
        _ reactions: [Reaction], of components: [Scene.Component], from nodes: [Node],
        viewport: Size, _ places: [Node]
    ) throws(TableError) {
        let trials = setTrials(
            reactions, of: components, from: nodes, bytesMax: Limits.setTrialsBytesMax)
        for trial in trials {
            let fault = fault(of: trial, components, from: nodes, viewport: viewport, places)
            if let fault { throw fault }
        }
    }

    /// All that is wrong; nil stands for a reaction that cannot be read.
    static func setFaults(
        _ reactions: [Reaction?], of components: [Scene.Component], from nodes: [Node],
        viewport: Size, _ places: [Node]
    ) -> [TableError] {
        setTrials(reactions, of: components, from: nodes, bytesMax: .max).compactMap {
            fault(of: $0, components, from: nodes, viewport: viewport, places)
        }
    }

    /// A component that is read with the keys of a reaction.
    struct SetTrial {
        /// The index of the reaction.
        var number: Int
        /// The index of the component.
        var place: Int
        var values: Node
    }

    /// The trials in their order, until components of so many bytes as JSON would be read.
    static func setTrials(
        _ reactions: [Reaction?], of components: [Scene.Component], from nodes: [Node],
        bytesMax: Int
    ) -> [SetTrial] {
        var trials: [SetTrial] = []
        var (left, lengths) = (bytesMax, [Int: Int]())
        for (number, reaction) in reactions.enumerated() {
            guard let reaction, reaction.deed.isSet, !reaction.deed.namesFacts,
                let place = components.firstIndex(where: { $0.id == reaction.deed.component })
            else { continue }
            guard left > 0 else { break }
            let length = lengths[place] ?? nodes[place].jsonBytes
            lengths[place] = length
            left -= length
            let values = reaction.deed.arguments[0].value
            trials.append(SetTrial(number: number, place: place, values: values))
        }
        return trials
    }

    private static func fault(
        of trial: SetTrial, _ components: [Scene.Component], from nodes: [Node],
        viewport: Size, _ places: [Node]
    ) -> TableError? {
        let node = nodes[trial.place].withoutLines.setting(trial.values.members ?? [])
        do throws(TableError) {
            _ = try component(
                node, number: trial.place + 1, viewport: viewport,
                after: Array(components[..<trial.place]))
            return nil
        } catch {
            let place = places[trial.number]
            return TableError(
                path: "reaction \(trial.number + 1), do", key: "values",
                line: place["do"]?.line ?? place.line,
                message: error.message(naming: trial.values))
        }
    }
}

extension Limits {
    /// Bytes of components as JSON that are read once more for the keys of reactions, when a scene
    /// is read: else a scene of 64 reactions would take 64 times as long as its component.
    static let setTrialsBytesMax = 256 * 1024
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
