import Foundation
import Testing

/// The documents name files and tests that are there.
struct DocumentTests {
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
        let named = /(?:Thread\.start\(|DispatchQueue\(label: )"(gestured\.[a-z]+)/
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
}
