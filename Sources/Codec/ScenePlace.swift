import Notation
import Scenes

/// The table in a scene that an error's path names, as `component tips, tip 2`: an entry of a list
/// that is itself in an entry of a list.
struct ScenePlace {
    struct Step {
        /// The list's key: `components`.
        var list: String
        /// The word for an entry: `component`.
        var word: String
        var index: Int
    }

    var steps: [Step]

    init(steps: [Step]) { self.steps = steps }

    /// Nil: the path names nothing in that scene.
    init?(_ path: String, in scene: Node) {
        guard path.hasPrefix("component ") else { return nil }
        var (table, steps) = (scene, [Step]())
        for part in path.split(separator: ",") {
            let words = part.split(separator: " ")
            // A table in a table, such as a field's region: the entry around it stands for it.
            guard words.count == 2 else { break }
            guard let step = Self.step(String(words[0]), String(words[1]), in: table) else { break }
            steps.append(step)
            table = table[step.list]?.array?[step.index] ?? table
        }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }

    private static func step(_ word: String, _ name: String, in table: Node) -> Step? {
        let list = word == "action" ? "menu" : word == "boundary" ? "boundaries" : "\(word)s"
        guard let entries = table[list]?.array else { return nil }
        // If two have one id, the second is wrong.
        let index = entries.lastIndex { $0["id"]?.string == name } ?? Int(name).map { $0 - 1 }
        guard let index, entries.indices.contains(index) else { return nil }
        return Step(list: list, word: word, index: index)
    }

    func table(in scene: Node) -> Node? {
        steps.reduce(scene) { $0?[$1.list]?.array?[$1.index] }
    }

    /// The path with ids where entries have one, and else with the numbers that they have in the
    /// file.
    func path(_ numbers: [String: [Int]], in scene: Node) -> String {
        var (table, key, parts) = (scene, "", [String]())
        for step in steps {
            key += "/\(step.list)"
            let entries = table[step.list]?.array ?? []
            table = entries[step.index]
            let number = numbers[key]?[step.index] ?? step.index + 1
            parts.append("\(step.word) \(table["id"]?.string ?? "\(number)")")
            key += "#\(number)"
        }
        return parts.joined(separator: ", ")
    }

    /// The scene with another table here.
    func changing(_ scene: Node, by change: (Node) -> Node) -> Node {
        Self.changing(scene, steps[...], by: change)
    }

    private static func changing(
        _ table: Node, _ steps: ArraySlice<Step>, by change: (Node) -> Node
    ) -> Node {
        guard let step = steps.first, var entries = table[step.list]?.array else {
            return change(table)
        }
        entries[step.index] = changing(entries[step.index], steps.dropFirst(), by: change)
        return table.setting(step.list, Node(.array(entries), line: table[step.list]?.line))
    }

    /// The scene without this entry; the others keep their numbers in `numbers`.
    func removed(from scene: Node, _ numbers: inout [String: [Int]]) -> Node {
        guard let last = steps.last else { return scene }
        var (table, key) = (scene, "")
        for step in steps {
            key += "/\(step.list)"
            let entries = table[step.list]?.array ?? []
            if numbers[key] == nil { numbers[key] = entries.indices.map { $0 + 1 } }
            guard key.split(separator: "/").count < steps.count else { break }
            key += "#\(numbers[key]?[step.index] ?? 0)"
            table = entries[step.index]
        }
        numbers[key]?.remove(at: last.index)
        return Self.changing(scene, steps.dropLast()) { holder in
            var entries = holder[last.list]?.array ?? []
            entries.remove(at: last.index)
            return holder.setting(
                last.list, Node(.array(entries), line: holder[last.list]?.line))
        }
    }
}
