import Codec
import Foundation
import Notation
import Protocol
import Simulation
import Testing

@testable import Recordings

/// Public recordings of real hands, where they are installed.
@Suite(.disabled(if: Hands.areMissing, "no recordings of real hands beside the package"))
struct RealHandTests {
    @Test func everyTouchscreenIsRead() throws {
        let files = try Hands.files("evemu-devices", ".events")
        try #require(files.count > 15)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            let reading = try Reading(bytes, file: file.lastPathComponent)
            #expect(reading.format == .evemu)
            let bodies = try reading.recording.events.map { try Document.json($0.body) }
            // Each tracking id is a contact; the file's name gives the number of fingers.
            let tracked = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
                let words = $0.split(separator: " ")
                return words.count > 4 && words[2...3] == ["0003", "0039"] && words[4] != "-1"
                    && words[4].first != "-"
            }
            let began = bodies.filter { $0["phase"]?.string == "began" }
            #expect(began.count == tracked.count, "\(file.lastPathComponent)")
            #expect(reading.recording.events[0].time == 0, "its clock began elsewhere")
            #expect(!reading.notes.contains { $0.contains("never") }, "\(reading.notes)")
            let pointers = Set(bodies.compactMap { $0["pointer"]?.int })
            let named = file.lastPathComponent.split(separator: ".").dropLast().last ?? ""
            // "double" in a name means two fingers, or one finger twice.
            let fingers = ["1": [1], "s": [1], "2": [2], "d": [1, 2], "4": [4]][named.prefix(1)]
            #expect(fingers?.contains(pointers.count) == true, "\(named): \(pointers)")
        }
    }

    @Test func everyPhoneIsRead() throws {
        for file in try Hands.files("getevent/Phone", ".txt") {
            let reading = try Reading(
                Array(try Data(contentsOf: file)), file: file.lastPathComponent)
            #expect(reading.format == .getevent)
            let isOpen = reading.notes.contains { $0.contains("1 contact that never ended") }
            // The painter's hand is still on the glass when the recording ends.
            #expect(isOpen == file.lastPathComponent.hasPrefix("galaxy"), "\(reading.notes)")
            let bodies = try reading.recording.events.map { try Document.json($0.body) }
            let began = bodies.filter { $0["phase"]?.string == "began" }.count
            let name = file.lastPathComponent
            if name.contains("single") { #expect(began == 1, "\(name)") }
            if name.contains("three-touches") { #expect(began == 3) }
            if name.contains("two-finger") {
                #expect(Set(bodies.compactMap { $0["pointer"]?.int }) == [0, 1])
            }
        }
    }

    @Test func everyWheelTurnsInTheDirectionOfItsName() throws {
        for file in try Hands.files("wheel-gestures", ".json") {
            let reading = try Reading(
                Array(try Data(contentsOf: file)), file: file.lastPathComponent)
            #expect(reading.format == .wheel && reading.notes.isEmpty)
            let events = try reading.recording.events.map(short)
            let name = file.lastPathComponent
            if name.contains("right") { #expect(events[0].hasSuffix("swipe right")) }
            if name.contains("left") { #expect(events[0].hasSuffix("swipe left")) }
            let ways = try reading.recording.events.compactMap {
                try Document.json($0.body)["dy"]?.double
            }
            let way = ways.reduce(0, +)
            if name.contains("swipe-up") { #expect(way == 8_065) }
            if name.contains("swipe-down") { #expect(way < -300) }
        }
    }

    /// A world with one card that keeps the velocity of its release.
    private static let world = """
        {"viewport":[320,568],"velocity":"least-squares","frame_rate":120,"components":[
        {"id":"world","kind":"dynamics","items":[
        {"id":"card","center":[160,284],"size":[900,900]}],"behaviors":[
        {"id":"free","kind":"item","items":["card"],"allows_rotation":false,"resistance":0}]}]}
        """

    /// The card's velocity after the flick, in points per second.
    private func released(_ csv: String) throws -> (x: Double, y: Double) {
        let scene = try Document.json(Array(Self.world.utf8))
        let recording = try read(csv) {
            $0.component = "world"
            $0.scene = scene
        }.recording
        let last = try #require(recording.events.last?.time)
        var simulator = try Simulator(recording, scenes: [:], until: last + 700)
        var sink = CardSink()
        simulator.run(into: &sink)
        let free = sink.places.filter { $0.time > last + 100 }
        let (first, end) = (try #require(free.first), try #require(free.last))
        let seconds = (end.time - first.time) / 1_000
        #expect(seconds > 0.5, "it comes to rest")
        return ((end.x - first.x) / seconds, (end.y - first.y) / seconds)
    }

    private func text(_ name: String) throws -> String {
        let url = Hands.shared.appendingPathComponent("flutter-velocity/\(name)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    private func isNear(_ found: Double, _ expected: Double) -> Bool {
        // A thousandth, and the rounding of places to a thousandth of a point.
        abs(found - expected) <= 0.001 * abs(expected) + 0.01
    }

    /// The whole way: CSV, gestures, recognizers, release, motion.
    @Test func everyFlickHasTheReleaseVelocityThatAThirdPartyFound() throws {
        let rows = try text("velocityEventData.csv").split(whereSeparator: \.isNewline)
        let expected = try text("expected_release_velocity.csv")
            .split(whereSeparator: \.isNewline).dropFirst()
            .map { $0.split(separator: ",").compactMap { Double($0) } }
        try #require(expected.count == 13)
        for (index, wanted) in expected.enumerated() {
            let own = rows.dropFirst().filter { $0.split(separator: ",")[1] == "\(index + 1)" }
            let found = try released(([rows[0]] + own).joined(separator: "\n"))
            #expect(isNear(found.x, wanted[1]), "\(index): \(found), not \(wanted)")
            #expect(isNear(found.y, wanted[2]), "\(index): \(found), not \(wanted)")
        }
    }

    @Test func anInterruptedFlickCountsFromItsPause() throws {
        let found = try released(try text("interruptedVelocityEventData.csv"))
        #expect(isNear(found.x, 649.5) && isNear(found.y, 3_890.3), "\(found)")
    }
}

/// Records the card's place.
private struct CardSink: MessageSink {
    let isFull = false
    private(set) var places: [(time: Double, x: Double, y: Double)] = []

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        guard topic.text == "state/demo/world" else { return }
        var buffer = ByteBuffer(capacity: 1_024)
        body(&buffer)
        guard let node = try? Document.json(buffer.array()), let time = node["t"]?.double,
            let card = node["views"]?["card"], let x = card["x"]?.double, let y = card["y"]?.double
        else { return }
        places.append((time, x, y))
    }
}
