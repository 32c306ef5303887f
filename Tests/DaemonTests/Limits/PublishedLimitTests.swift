import Foundation
import Notation
import Testing

@testable import Daemon

/// Every bound that `hello` publishes is enforced, at the value that is published.
///
/// Each has one row by its wire name. The row drives what enforces the bound: at the value it is
/// accepted, beyond it happens what docs/queues.md and docs/protocol say. A bound without a row
/// fails, and so does a row without a bound.
struct PublishedLimitTests {
    enum Row: Sendable {
        /// Drives the bound with its published value.
        case driven(@Sendable (Int) throws -> Void)
        /// A test elsewhere drives it; its text has the bound or the wire name, as `by` says.
        case elsewhere(file: String, test: String, by: String)
    }

    static let rows: [String: Row] = [
        eventRows, sceneRows, appRows, sessionRows, daemonRows,
    ]
    .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    static let published = Limits.published(sessionsMax: 3)

    @Test func everyPublishedBoundHasItsRow() {
        let names = Self.published.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names).subtracting(Self.rows.keys).sorted() == [])
        #expect(Set(Self.rows.keys).subtracting(names).sorted() == [])
        let count = [
            Self.eventRows, Self.sceneRows, Self.appRows, Self.sessionRows, Self.daemonRows,
        ]
        .reduce(0) { $0 + $1.count }
        #expect(count == Self.rows.count, "a bound has two rows")
    }

    @Test(arguments: published.map(\.name))
    func aPublishedBoundIsEnforced(name: String) throws {
        let value = try #require(Self.published.first { $0.name == name }).value
        switch try #require(Self.rows[name]) {
        case .driven(let drive): try drive(value)
        case .elsewhere(let file, let test, let by):
            let root = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            let text = try String(
                contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            #expect(text.contains(test), "\(file) has no \(test)")
            #expect(text.contains(by), "\(file) does not name \(by)")
        }
    }
}
