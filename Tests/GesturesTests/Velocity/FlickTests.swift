import Foundation
import Geometry
import Gestures
import Testing

/// Real flicks on a touch screen with a third party's release velocities. Skipped if missing.
private enum Flicks {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../shared/data/flutter-velocity").standardized

    static var areMissing: Bool {
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        if !isThere { print("skipped: no recorded flicks at \(folder.path)") }
        return !isThere
    }

    static func rows(_ name: String) throws -> [[String]] {
        let url = folder.appendingPathComponent(name)
        return try String(contentsOf: url, encoding: .utf8)
            .split(whereSeparator: \.isNewline).dropFirst()
            .map { $0.split(separator: ",").map(String.init) }
    }

    /// The release velocity at each `up` of a file of `t_ms,pointer,phase,x,y`.
    static func releases(_ name: String) throws -> [Vector] {
        var tracker = VelocityTracker(kind: .leastSquares)
        var found: [Vector] = []
        for row in try rows(name) {
            let values = [row[0], row[3], row[4]].compactMap { Double($0) }
            try #require(values.count == 3, "a row \(row)")
            let location = Vector(values[1], values[2])
            let time = SampleTime(claimed: values[0], received: values[0])
            if row[2] == "down" { tracker = VelocityTracker(kind: .leastSquares) }
            if row[2] == "up" {
                found.append(tracker.velocity(endingAt: location, time: time))
            } else {
                tracker.add(location, at: time)
            }
        }
        return found
    }

    static func isNear(_ found: Double, _ expected: Double) -> Bool {
        abs(found - expected) <= 0.001 * abs(expected)
    }
}

@Suite(.disabled(if: Flicks.areMissing, "no recorded flicks beside the package"))
struct FlickTests {
    @Test func theParabolaAgreesOnAllThirteen() throws {
        let expected = try Flicks.rows("expected_release_velocity.csv").map { row in
            Vector(try #require(Double(row[1])), try #require(Double(row[2])))
        }
        let found = try Flicks.releases("velocityEventData.csv")
        try #require(found.count == 13 && expected.count == 13)
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            #expect(Flicks.isNear(found.x, expected.x), "\(index): \(found), not \(expected)")
            #expect(Flicks.isNear(found.y, expected.y), "\(index): \(found), not \(expected)")
        }
    }

    @Test func anInterruptedFlickCountsFromItsPause() throws {
        let found = try #require(Flicks.releases("interruptedVelocityEventData.csv").last)
        #expect(Flicks.isNear(found.x, 649.5), "\(found)")
        #expect(Flicks.isNear(found.y, 3_890.3), "\(found)")
    }
}
