import Foundation
import Testing

@testable import Daemon

/// The documents explain every line of the log and every figure to administrators.
struct OperationsTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private func section(_ heading: String) throws -> String {
        let parts = try text("docs/operations.md").components(separatedBy: "\n## ")
        let part = parts.first { $0.hasPrefix(heading + "\n") }
        return try #require(part, "no section \"\(heading)\"")
    }

    /// The cells of the rows of a section's table, without their code marks.
    private func rows(of heading: String) throws -> [[String]] {
        let lines = try section(heading).split(separator: "\n")
        return lines.filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
            }
        }
    }

    @Test func everyLineOfTheLogIsExplainedAndNoOther() throws {
        let told = try rows(of: "Lines of the log")
        #expect(told.map { $0[0] } == LogEvent.allCases.map(\.rawValue))
        #expect(told.map { $0[1] } == LogEvent.allCases.map(\.level.rawValue))
        #expect(told.allSatisfy { $0.count == 4 }, "each says what it means and what to do")
    }

    @Test func everyCounterIsExplained() throws {
        let told = try rows(of: "Figures of `stats`").map { $0[0] }
        for name in Counters.Name.allCases { #expect(told.contains(name.text), "\(name)") }
        #expect(Set(told).count == told.count)
    }

    /// The effect of a reload on each key, by the configuration that names them all.
    @Test func aReloadIsExplainedForEveryKey() throws {
        let reload = try section("Reload")
        var table = ""
        var count = 0
        for line in try text("config/gestured.toml").split(separator: "\n") {
            if line.hasPrefix("[") { table = line.filter { !"[]".contains($0) } + "." }
            guard let match = line.firstMatch(of: #/^([a-z0-9_]+) = /#) else { continue }
            count += 1
            #expect(reload.contains("`\(table)\(match.1)`"), "\(table)\(match.1)")
        }
        #expect(count > 15)
    }

    @Test func keysThatOnlyARestartChangesAreKeptAndNamed() throws {
        var running = Configuration()
        running.lanes = 3
        running.events = ["a"]
        var new = Configuration()
        new.lingerMilliseconds = 7
        new.frameRate = 30
        new.keyFile = "elsewhere"
        let names = new.keepFixed(of: running)
        #expect(names == ["events", "lanes", "sockets.linger_ms"])
        #expect(new.lanes == 3 && new.events == ["a"] && new.lingerMilliseconds == 500)
        #expect(new.frameRate == 30 && new.keyFile == "elsewhere")
        #expect(new.keepFixed(of: running).isEmpty)
        // Whatever is named so is explained so.
        let reload = try section("Reload")
        for name in names { #expect(reload.contains("`\(name)`")) }
    }
}
