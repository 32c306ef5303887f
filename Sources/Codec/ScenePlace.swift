import Notation
import Scenes

/// The table in a scene that an error's path names, as `component tips, tip 2` or `component w,
/// behavior f, region`: it is in an entry of a list, or in a table, and so on up to the scene.
struct ScenePlace {
    struct Step {
        /// The key of the list or of the table: `components`, `region`.
        var key: String
        /// The word for an entry: `component`.
        var word: String
        /// Nil: the key has a table, not a list.
        var index: Int?
    }

    var steps: [Step]

    init(steps: [Step]) { self.steps = steps }

    /// Nil: the path names nothing in that scene.
    init?(_ path: String, in scene: Node) {
        guard path.hasPrefix("component ") else { return nil }
        var (table, steps) = (scene, [Step]())
        for part in path.split(separator: ",") {
            let words = part.split(separator: " ")
            guard let word = words.first, words.count <= 2,
                let step = Self.step(String(word), words.dropFirst().first, in: table),
                let next = Self.table(step, in: table)
            else { break }
            steps.append(step)
            table = next
        }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }

    private static func step(_ word: String, _ name: Substring?, in table: Node) -> Step? {
        guard let name else {
            return table[word]?.members == nil ? nil : Step(key: word, word: word)
        }
        let list = lists[word] ?? "\(word)s"
        guard let entries = table[list]?.array else { return nil }
        // If two have one id, the second is wrong.
        let id = String(name)
        let index = entries.lastIndex { $0["id"]?.string == id } ?? Int(id).map { $0 - 1 }
        guard let index, entries.indices.contains(index) else { return nil }
        return Step(key: list, word: word, index: index)
    }

    /// The lists that are not called as several of their entries are.
    private static let lists = ["action": "menu", "boundary": "boundaries", "part": "of"]

    private static func table(_ step: Step, in holder: Node) -> Node? {
        guard let index = step.index else { return holder[step.key] }
        return holder[step.key]?.array?[index]
    }

    func table(in scene: Node) -> Node? {
        steps.reduce(scene) { (holder: Node?, step) in
            holder.flatMap { Self.table(step, in: $0) }
        }
    }

    /// Whether it is a frame that is a table.
    var isFrame: Bool { steps.last.map { $0.key == "frame" && $0.index == nil } ?? false }

    /// The path with ids where entries have one in the file, and else with their numbers there.
    func path(_ numbers: [String: [Int]], in scene: Node) -> String {
        var (table, parts) = (scene, [String]())
        for (step, number) in zip(steps, fileNumbers(numbers)) {
            table = Self.table(step, in: table) ?? table
            let id = table["id"]?.string.flatMap { SceneStandIns.isOne($0) ? nil : $0 }
            parts.append(number.map { "\(step.word) \(id ?? "\($0)")" } ?? step.word)
        }
        return parts.joined(separator: ", ")
    }

    /// Names the table by the numbers of entries in the file: it stays the same whatever is
    /// changed in the scene.
    func identity(_ numbers: [String: [Int]]) -> String {
        zip(steps, fileNumbers(numbers)).map { "\($0.key) \($1 ?? 0)" }.joined(separator: ", ")
    }

    /// The number of each step's entry in the file; nil: it is none of a list.
    private func fileNumbers(_ numbers: [String: [Int]]) -> [Int?] {
        var key = ""
        return steps.map { step in
            key += "/\(step.key)"
            guard let index = step.index else { return nil }
            let known = numbers[key] ?? []
            let number = index < known.count ? known[index] : index + 1
            key += "#\(number)"
            return number
        }
    }

    /// The scene with another table here.
    func changing(_ scene: Node, by change: (Node) -> Node) -> Node {
        Self.changing(scene, steps[...], by: change)
    }

    private static func changing(
        _ table: Node, _ steps: ArraySlice<Step>, by change: (Node) -> Node
    ) -> Node {
        guard let step = steps.first else { return change(table) }
        guard let index = step.index else {
            guard let inner = table[step.key] else { return table }
            return table.setting(step.key, changing(inner, steps.dropFirst(), by: change))
        }
        guard var entries = table[step.key]?.array, entries.indices.contains(index) else {
            return table
        }
        entries[index] = changing(entries[index], steps.dropFirst(), by: change)
        return table.setting(step.key, Node(.array(entries), line: table[step.key]?.line))
    }

    /// The scene without this entry; the others keep their numbers in `numbers`. A table that is
    /// in no list is gone with all that it holds: its parts are of a fixed number.
    func removed(from scene: Node, _ numbers: inout [String: [Int]]) -> Node {
        if let place = steps.firstIndex(where: { $0.index == nil }) {
            return Self.changing(scene, steps[..<place]) { $0.without(steps[place].key) }
        }
        guard let last = steps.last, let index = last.index else { return scene }
        var (table, key) = (scene, "")
        for (place, step) in steps.enumerated() {
            key += "/\(step.key)"
            let entries = table[step.key]?.array ?? []
            // A list that stands in for the file's has other entries.
            if numbers[key]?.count != entries.count {
                numbers[key] = entries.indices.map { $0 + 1 }
            }
            guard place < steps.count - 1, let index = step.index else { break }
            key += "#\(numbers[key]?[index] ?? 0)"
            table = entries[index]
        }
        numbers[key]?.remove(at: index)
        return Self.changing(scene, steps.dropLast()) { holder in
            var entries = holder[last.key]?.array ?? []
            entries.remove(at: index)
            return holder.setting(
                last.key, Node(.array(entries), line: holder[last.key]?.line))
        }
    }
}
