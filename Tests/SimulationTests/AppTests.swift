import Notation
import Protocol
import Recordings
import Testing

/// The wall panel and the pinball, as their recordings play them.
@Suite struct AppTests {
    /// The bodies of a topic's updates, oldest first.
    private func bodies(_ topic: String, _ lines: [String]) throws -> [Node] {
        try lines.filter { $0.topic == topic }.map {
            try Document.json(Array($0.dropFirst(topic.count + 1).utf8))
        }
    }

    /// The values that a variable takes, without repetitions.
    private func values(_ name: String, _ lines: [String]) throws -> [Node.Value] {
        var values: [Node.Value] = []
        for body in try bodies("variables/alice", lines) {
            guard let value = body["values"]?[name]?.value, value != values.last else { continue }
            values.append(value)
        }
        return values
    }

    @Test(arguments: ["house", "pinball"])
    func anAppIsPlayedByTouchAlone(name: String) throws {
        let recording = try Recording(parsing: Files.example(name), file: "\(name).jsonl")
        for event in recording.events {
            let body = try Document.json(event.body)
            switch String(decoding: event.topic, as: UTF8.self) {
            case "gesture/alice": #expect(body["gesture"]?.string == "pointer")
            // The house has a say in its own values.
            case "command/alice": #expect(name == "house" && body["command"]?.string == "assign")
            case let topic: Issue.record("\(topic)")
            }
        }
        let lines = try simulate(Files.example(name))
        #expect(!lines.contains { $0.topic.hasPrefix("rejected/") })
    }

    @Test func thePanelTellsWhatIsTurnedAndShowsWhatIsAssigned() throws {
        let lines = try simulate(Files.example("house"))
        #expect(try values("ceiling", lines) == [.bool(false), .bool(true), .bool(false)])
        #expect(try values("lamp", lines) == [.bool(true), .bool(false)])
        let places: [Int] = [75, 100, 50]
        #expect(try values("brightness", lines) == places.map { .integer($0) })
        #expect(try values("blind", lines) == [25, 75, 25, 50].map { .integer($0) })
        #expect(try values("heating", lines) == [.integer(21), .number(21.5), .integer(22)])
        #expect(
            try values("mood", lines) == [.string("none"), .string("evening"), .string("all-off")])
        // Each state at the end is that of its variable.
        func last(_ component: String) throws -> Node {
            try #require(bodies("state/alice/\(component)", lines).last)
        }
        #expect(try last("brightness")["model"]?["at"]?.string == "50")
        #expect(try last("blind")["model"]?["at"]?.string == "50")
        #expect(try last("ceiling")["model"]?["on"]?.bool == false)
        #expect(try last("lamp-glow")["phase"]?.string == "hidden")
        #expect(try last("sheet")["model"]?["at"]?.string == "closed")
    }

    @Test func aGameOfPinballGoesThroughThreeBalls() throws {
        let lines = try simulate(Files.example("pinball"))
        #expect(try values("balls", lines) == [3, 2, 1, 0, 3].map { .integer($0) })
        let scores = try values("score", lines).compactMap { (value) -> Int? in
            guard case .integer(let score) = value else { return nil }
            return score
        }
        #expect(scores.first == 0 && scores.last == 0 && scores.max() == 985)
        #expect(scores.dropLast() == scores.dropLast().sorted()[...])
        #expect(try values("power", lines).contains(.integer(4)))
        let touched = try bodies("transition/alice/table", lines).reduce(into: Set<String>()) {
            guard $1["name"]?.string == "contact" else { return }
            if let boundary = $1["boundary"]?.string { $0.insert(boundary) }
            for item in $1["items"]?.array ?? [] { $0.formUnion([item.string ?? ""]) }
        }
        let wanted: Set = [
            "plunger", "corner", "arch", "drain", "bumper-top", "bumper-left", "bumper-right",
            "sling-left", "sling-right", "target-left", "target-right", "flipper-left",
            "flipper-right",
        ]
        #expect(wanted.subtracting(touched).sorted() == [])
        let panel = try bodies("transition/alice/over", lines)
            .filter { $0["event"]?.string == "ended" }.map { $0["to"]?.string }
        #expect(panel == ["here", "away"])
    }

    /// A table that nobody plays costs nothing.
    @Test func theTableComesToRestWhereTheBallLies() throws {
        let lines = try simulate(Files.example("pinball"))
        let last = try #require(bodies("state/alice/table", lines).last)
        #expect(last["phase"]?.string == "resting")
        let ball = try #require(last["views"]?["ball"])
        #expect(try #require(ball["x"]?.double) > 323 && (ball["y"]?.double ?? 0) > 580)
        for (flipper, side) in [("flipper-left", 1.0), ("flipper-right", -1.0)] {
            let rotation = try #require(last["views"]?[flipper]?["rotation"]?.double)
            #expect(abs(rotation - 0.47 * side) < 0.03, "\(flipper) \(rotation)")
        }
    }
}
