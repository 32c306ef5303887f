package import Notation

/// Where something stands in the table of a scene, as errors name it.
extension SceneTable {
    /// The word for an entry of a list: `item` for `items`.
    package static func entryWord(of list: String) -> String {
        switch list {
        case "menu": "action"
        case "boundaries": "boundary"
        default: list.hasSuffix("s") ? String(list.dropLast()) : list
        }
    }

    /// The language of those who choose none, where a scene has texts by language and does not say;
    /// nil: it has none.
    package static func firstLanguage(in node: Node) -> String? {
        TextReader.firstLanguage(in: node)
    }

    /// An error for each date and time in a scene, which a reader of TOML leaves as null. A date
    /// that stands in place of a table in a list, or among the variables, has none: their readers
    /// say that it cannot be.
    package static func dates(in node: Node) -> [TableError] {
        PlaceFinder { $0.isNull ? "dates and times are not used here" : nil }
            .errors(in: node.without("variables"))
    }

    /// An error for each value that is nested too deep.
    package static func depths(in node: Node) -> [TableError] {
        guard node.depth > Limits.sceneDepthMax else { return [] }
        let message =
            "a scene is nested at most \(Limits.sceneDepthMax) levels deep, not \(node.depth)"
        let finder = PlaceFinder(holds: { $1 == Limits.sceneDepthMax && $0.depth > 0 }, message)
        let errors = finder.errors(in: node)
        return errors.isEmpty ? [TableError(path: "", message: message)] : errors
    }
}

/// Finds values in a scene that cannot be wherever they stand, and names the key of each.
private struct PlaceFinder {
    /// Completes the error of a value; it gets the levels above the value too. Nil: it can be.
    let flaw: (_ node: Node, _ level: Int) -> String?

    init(_ flaw: @escaping (Node) -> String?) { self.flaw = { node, _ in flaw(node) } }

    init(holds: @escaping (Node, Int) -> Bool, _ message: String) {
        flaw = { holds($0, $1) ? message : nil }
    }

    /// One error for each key of a component, of an entry of its lists, of a reaction, or of the
    /// scene.
    func errors(in scene: Node) -> [TableError] {
        (scene.members ?? []).flatMap { member in
            let list = member.value.array
            guard let list, ["components", "reactions"].contains(member.name) else {
                return error(member, path: "", level: 1).map { [$0] } ?? []
            }
            let word = SceneTable.entryWord(of: member.name)
            return list.enumerated().flatMap { index, entry in
                let id = member.name == "components" ? entry["id"]?.string : nil
                return errors(inEntry: entry, path: "\(word) \(id ?? "\(index + 1)")", level: 2)
            }
        }
    }

    /// The errors of a table in a list, of which `level` levels are around it.
    private func errors(inEntry entry: Node, path: String, level: Int) -> [TableError] {
        (entry.members ?? []).flatMap { member in
            if member.value.members != nil, path.hasPrefix("reaction "),
                ["when", "if", "do", "not"].contains(member.name)
            {
                return errors(
                    inEntry: member.value, path: "\(path), \(member.name)", level: level + 1)
            }
            guard let list = member.value.array, list.contains(where: { $0.members != nil }) else {
                return error(member, path: path, level: level + 1).map { [$0] } ?? []
            }
            let word = SceneTable.entryWord(of: member.name)
            return list.enumerated().flatMap { index, entry in
                let name = entry["id"]?.string ?? "\(index + 1)"
                return errors(inEntry: entry, path: "\(path), \(word) \(name)", level: level + 2)
            }
        }
    }

    private func error(_ member: Node.Member, path: String, level: Int) -> TableError? {
        guard let (message, line) = first(in: member.value, level: level) else { return nil }
        return TableError(
            path: path, key: member.name, line: line ?? member.value.line, message: message)
    }

    private func first(in node: Node, level: Int) -> (message: String, line: Int?)? {
        if let message = flaw(node, level) { return (message, node.line) }
        let parts = (node.array ?? []) + (node.members ?? []).map(\.value)
        for part in parts {
            if let found = first(in: part, level: level + 1) { return found }
        }
        return nil
    }
}
