import Foundation
import Notation
import Testing

@testable import Daemon

/// The documents give the value of a published bound behind its name; it is the code's.
struct DocumentedLimitTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// `docs/queues.md` and the pages of the protocol.
    private static func pages() throws -> [URL] {
        let folder = root.appendingPathComponent("docs/protocol")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return [root.appendingPathComponent("docs/queues.md")]
            + names.map { folder.appendingPathComponent($0) }
    }

    /// A value as a document writes it, and how far the bound may be from it: a document may round.
    private static func value(
        _ number: Substring, _ unit: Substring?
    ) throws -> (Double, within: Double) {
        if number == "2²⁰" { return (Double(1 << 20), 0) }
        let digits = number.replacing(",", with: "")
        let value = try #require(Double(digits))
        let factor: Double =
            switch unit {
            case "KiB": 1_024
            case "MiB": 1_024 * 1_024
            case "s": 1_000
            default: 1
            }
        let isRounded = digits.contains(".")
        return (value * factor, isRounded ? factor / 20 : 0)
    }

    @Test func theDocumentsGiveTheValuesOfPublishedBounds() throws {
        let published = Dictionary(
            uniqueKeysWithValues: PublishedLimitTests.published.map { ($0.name, $0.value) })
        let given =
            /`(limit_[a-z_]+)`\s+(2²⁰|[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)(?:\s+(KiB|MiB|s)\b)?/
        var names: Set<String> = []
        for page in try Self.pages() {
            let text = try String(contentsOf: page, encoding: .utf8)
            for match in text.matches(of: given) {
                let name = String(match.1)
                let (value, within) = try Self.value(match.2, match.3)
                let bound = try #require(published[name], "\(page.lastPathComponent): \(name)")
                #expect(
                    (Double(bound) - value).magnitude <= within,
                    "\(page.lastPathComponent) says \(match.0), and it is \(bound)")
                names.insert(name)
            }
        }
        #expect(names.count > 30, "so few were found: \(names.sorted())")
    }

    @Test func theDocumentsNameNoOtherBound() throws {
        let published = Set(PublishedLimitTests.published.map(\.name))
        for page in try Self.pages() {
            let text = try String(contentsOf: page, encoding: .utf8)
            for match in text.matches(of: /`(limit_[a-z_]+[a-z])`/) {
                #expect(
                    published.contains(String(match.1)), "\(page.lastPathComponent): \(match.1)")
            }
        }
    }
}
