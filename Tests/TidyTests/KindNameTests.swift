import Foundation
import Testing

/// The engine reads its kinds from one list. The table in CONTRIBUTING has the other files that
/// name kinds, so that a contributor finds all of them.
struct KindNameTests {
    /// Files that only play or show scenes of their own.
    private static let players: Set = ["Examples/recordings/make.py"]

    /// Kinds that are also elements of HTML, whose names say nothing.
    private static let elements: Set = ["button", "label"]

    private static func kinds() throws -> [String] {
        let pattern = /static let kind = "([a-z]+)"/
        return try Repository.files(under: "Sources/Interactions", endings: [".swift"]).flatMap {
            try Repository.text(of: $0).matches(of: pattern).map { String($0.1) }
        }
        .filter { !elements.contains($0) }
    }

    /// Whether a file's code names two kinds or more; one word alone may mean something else.
    private static func names(_ kinds: [String], in file: String) throws -> Bool {
        let code = try Repository.lines(of: file)
            .filter { !$0.trimmingPrefix(while: \.isWhitespace).starts(with: /\/\/|\*|#/) }
            .joined(separator: "\n")
        return kinds.count { kind in
            ["\"\(kind)\"", "'\(kind)'", "\"\(kind) ", "  \(kind): [", "\(kind.capitalized).kind"]
                .contains { code.contains($0) }
        } >= 2
    }

    @Test func contributingListsTheFilesThatNameKinds() throws {
        let kinds = try Self.kinds()
        #expect(kinds.count >= 8)
        let endings = [".swift", ".js", ".ts", ".py", ".c", ".cs", ".qml"]
        let files = ["Sources", "Clients", "Examples"]
            .flatMap { Repository.files(under: $0, endings: endings) }
            .filter {
                !$0.hasPrefix("Sources/Interactions/") && $0 != "Clients/web/gestured.js"
                    && !Self.players.contains($0)
            }
        let naming = Set(try files.filter { try Self.names(kinds, in: $0) })
        let table = try Repository.text(of: "CONTRIBUTING.md")
            .split(separator: "| Files | The part of a kind that they have |")[1]
            .split(separator: "\n\n")[0]
        let listed = Set(table.matches(of: /`([\w\/.+-]+\.\w+)`/).map { String($0.1) })
        #expect(naming.subtracting(listed).sorted() == [], "CONTRIBUTING does not list them")
        #expect(listed.subtracting(naming).sorted() == [], "they name no kinds")
    }
}
