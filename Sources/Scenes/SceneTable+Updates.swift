package import Notation

/// Reactions that have a session become another scene, where the scenes that there are are known.
extension SceneTable {
    /// One error for each reaction of a scene that names a scene which is not among the known ones.
    package static func faults(
        ofUpdatesIn node: Node, among known: [String]
    ) -> [TableError] {
        let reactions = (node["reactions"]?.array ?? []).enumerated()
        return reactions.flatMap { index, reaction in
            reaction.actionTables.compactMap { place, action in
                guard action["session"]?.string == "update", let scene = action["scene"],
                    let name = scene.string, Name.isValid(name), !known.contains(name)
                else { return nil }
                return TableError(
                    path: "reaction \(index + 1), \(place)", key: "scene", line: scene.line,
                    message: "there is no scene \"\(name)\", "
                        + knownNames(nearestTo: name, among: known))
            }
        }
    }
}
