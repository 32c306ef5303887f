import Foundation
import Testing

/// The documents name files and tests that are there.
struct DocumentationTests {
    private static let documents = Repository.texts.filter { $0.hasSuffix(".md") }

    /// A path in backticks, from the top or from `Sources`.
    @Test func everyFileThatADocumentNamesIsThere() throws {
        let path = /`([A-Za-z][A-Za-z0-9_+\/-]*\/[A-Za-z0-9_+-]+\.(?:swift|py|toml|json|md))`/
        var count = 0
        for document in Self.documents {
            for match in try Repository.text(of: document).matches(of: path) {
                let name = String(match.1)
                count += 1
                #expect(
                    Repository.exists(name) || Repository.exists("Sources/\(name)"),
                    "\(document) names \(name)")
            }
        }
        #expect(count > 0, "no path was found at all")
    }

    /// Promises are shown by tests, so these must be there under the names that they have.
    @Test func everyTestThatADocumentNamesIsThere() throws {
        let python = try Repository.files(under: "Tests/EndToEnd", endings: [".py"])
            .map { ($0 as NSString).lastPathComponent + "\n" + (try Repository.text(of: $0)) }
            .joined()
        var count = 0
        for document in Self.documents {
            for match in try Repository.text(of: document).matches(of: /`(test_[a-z0-9_]+)`/) {
                count += 1
                #expect(python.contains("def \(match.1)("), "\(document) names \(match.1)")
            }
        }
        #expect(count > 0, "no test was found at all")
    }

    /// The daemon's threads and queues that the code names are those of the table, and no others.
    @Test func everyThreadOfTheDaemonIsInTheTable() throws {
        let named = /(?:Thread\.start\(|DispatchQueue\(label: )"([a-z.]+[a-z])/
        let row = /(?m)^\| `(gestured\.[a-z]+)/
        let files = ["Daemon", "Store"].flatMap {
            Repository.files(under: "Sources/\($0)", endings: [".swift"])
        }
        let inCode = try files.flatMap { try Repository.text(of: $0).matches(of: named) }
            .map { String($0.1) }
        let listed = try Repository.text(of: "docs/queues.md").matches(of: row)
            .map { String($0.1) }
        #expect(Set(inCode) == Set(listed) && !inCode.isEmpty)
    }

    /// The recipe of a kind names the files of a kind, here those of `Toss`, with its own name.
    @Test func theRecipeOfAKindNamesTheFilesOfAKind() throws {
        let recipes = try Repository.text(of: "CONTRIBUTING.md").components(separatedBy: "\n### ")
        let recipe = try #require(recipes.first { $0.hasPrefix("A kind\n") })
        let named = recipe.matches(of: /`Switch((?:Parameters|\+[A-Za-z]+)?)\.swift`/)
            .map { String($0.1) }
        let files = Repository.files(under: "Sources/Interactions/Toss", endings: [".swift"])
        let there = files.compactMap {
            $0.firstMatch(of: /\/Toss((?:Parameters|\+[A-Za-z]+)?)\.swift$/).map { String($0.1) }
        }
        #expect(Set(named) == Set(there) && !there.isEmpty)
    }

    /// How long a target takes stands in the Makefile and in `.ci`; documents repeat it.
    @Test func theDocumentsRepeatTheDurationsOfTargets() throws {
        let makefile = try Repository.text(of: "Makefile")
        let nightly = try Repository.text(of: ".ci/nightly")
        let readme = try Repository.text(of: "README.md")
        let contributing = try Repository.text(of: "CONTRIBUTING.md")
        let performance = try Repository.text(of: "docs/performance.md")

        let bench = try #require(
            makefile.firstMatch(of: /(?m)^bench:.* in about (\w+) minutes; SHORT=1: in (\w+)$/))
        #expect(
            try number(of: /make bench +# .* in (\w+) minutes/, in: performance)
                == number(String(bench.1)))
        #expect(
            try number(of: /make bench SHORT=1 +# .* in (\w+) minutes/, in: performance)
                == number(String(bench.2)))

        let fuzz = try number(of: /FUZZ_SECONDS=\$\(or \$\(SECONDS\),([0-9]+)\)/, in: makefile)
        #expect(try number(of: /for ([0-9]+) seconds in libFuzzer/, in: contributing) == fuzz)
        #expect(try number(of: /make fuzz +# .* (\w+) seconds each/, in: readme) == fuzz)
        let long = try number(of: /FUZZ_SECONDS=([0-9]+)/, in: nightly)
        #expect(try number(of: /each fuzzer for (\w+) minutes/, in: readme) * 60 == long)
    }

    private func number(of pattern: Regex<(Substring, Substring)>, in text: String) throws -> Int {
        let match = try #require(text.firstMatch(of: pattern))
        return try number(String(match.1))
    }

    /// A number in digits, or in a word.
    private func number(_ text: String) throws -> Int {
        let words = [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve",
        ]
        return try #require(Int(text) ?? words.firstIndex(of: text).map { $0 + 2 }, "\(text)")
    }

    /// A wheel's line is worth the same points wherever lines are read or told.
    @Test(arguments: [
        ("Sources/Recordings/Formats/WheelLog.swift", "static let lineHeight = 16.0"),
        ("Clients/web/client/wheel.js", "const POINTS_PER_LINE = 16;"),
        ("Clients/web/README.md", "lines count 16"),
        ("docs/protocol/touch.md", "If your wheel counts lines, send 16 points for each"),
        ("docs/recordings.md", "lines (1) are 16 points"),
    ])
    func aLineOfAWheelHasTheSamePoints(file: String, words: String) throws {
        #expect(try Repository.text(of: file).contains(words), "\(file): \(words)")
    }

    /// The first page shows what a recorded hand prints.
    @Test func theCaptionOfTheFirstPageIsTheRecordings() throws {
        let caption = /(?m)^\{"t":[0-9.]+,"caption":"([^"]+)"/
        let recording = try Repository.text(of: "Examples/recordings/toss.jsonl")
        let first = try #require(recording.firstMatch(of: caption))
        #expect(try Repository.text(of: "README.md").contains("\n\(first.1)\nstate/alice/toss #2"))
    }
}
