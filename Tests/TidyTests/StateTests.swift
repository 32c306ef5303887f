import Testing

/// A type with little state can be understood by itself.
struct StateTests {
    /// Plain records of settings, which hold no state of a machine.
    private static let records: Set<String> = ["Configuration"]
    /// Types that are still larger. Their numbers may only fall.
    private static let larger = ["LaneTable": 16, "StoreWriter": 19]

    @Test func noTypeOfTheDaemonHasMoreThanFifteenStoredProperties() throws {
        for file in Repository.files(under: "Sources/Daemon", endings: [".swift"]) {
            for type in types(in: try Repository.lines(of: file)) {
                guard !Self.records.contains(type.name) else { continue }
                #expect(
                    type.stored.count <= Self.larger[type.name] ?? 15,
                    "\(file) \(type.name) has \(type.stored.count): \(type.stored)")
            }
        }
    }

    @Test func theCountSeesStoredPropertiesAlone() {
        let lines: [Substring] = [
            "final class A: B {", "    let one: Int", "    private(set) var two, three: Int",
            "    lazy var four = C(queue) { [unowned self] in d() }", "    var computed: Int { 1 }",
            "    var long: Int {", "        let local = 1", "    }", "    static let shared = 1",
            "    struct Inner {", "        var five = 5", "        weak var six: A?", "    }",
            "    // let comment = 1", "    func f() {", "        var local = 2", "    }", "}",
            "extension A {", "    var other: Int { 2 }", "}",
        ]
        let found = types(in: lines)
        #expect(found.map(\.name) == ["A", "Inner"])
        #expect(found.map(\.stored) == [["one", "two", "three", "four"], ["five", "six"]])
    }

    struct TypeState {
        var name: String
        var indentation: Int
        var stored: [String] = []
    }

    /// The classes, structs and actors of formatted sources, which need no parser.
    private func types(in lines: [Substring]) -> [TypeState] {
        var found: [TypeState] = []
        /// Places in `found` of the types around the line.
        var open: [Int] = []
        for line in lines {
            let indentation = line.prefix { $0 == " " }.count
            if line.drop(while: { $0 == " " }).first == "}" {
                open.removeAll { found[$0].indentation >= indentation }
            }
            let words = line.split(whereSeparator: { " :<".contains($0) })
            if let place = words.firstIndex(where: { ["class", "struct", "actor"].contains($0) }),
                place + 1 < words.count, words[..<place].allSatisfy(isModifier),
                !line.hasSuffix("}")
            {
                open.append(found.count)
                found.append(TypeState(name: String(words[place + 1]), indentation: indentation))
            } else if let type = open.last, indentation == found[type].indentation + 4 {
                found[type].stored += storedProperties(of: line)
            }
        }
        return found
    }

    private func storedProperties(of line: Substring) -> [String] {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
            words[..<place].allSatisfy(isModifier), !words[..<place].contains("static")
        else { return [] }
        let value = line.firstIndex(of: "=") ?? line.endIndex
        let body = line.firstIndex(of: "{") ?? line.endIndex
        guard value < body || body == line.endIndex else { return [] }
        let names = words[(place + 1)...].joined(separator: " ").prefix { !":=".contains($0) }
        return names.split(separator: ",").map { $0.filter { $0 != " " } }
    }

    private func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || word.hasPrefix("private") || word.hasPrefix("fileprivate")
            || word.hasPrefix("unowned") || word.hasPrefix("nonisolated")
            || ["package", "public", "internal", "static", "final", "lazy", "weak"].contains(word)
    }
}
