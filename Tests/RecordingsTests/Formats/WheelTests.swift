import Testing

@testable import Recordings

/// A log of turns `(time, x, y)`.
private func wheel(_ turns: [(Double, Double, Double)], mode: Int = 0) -> String {
    let events = turns.map {
        "{\"deltaX\":\($0.1),\"deltaY\":\($0.2),\"deltaMode\":\(mode),\"timeStamp\":\($0.0)}"
    }
    return "{\"wheelEvents\":[" + events.joined(separator: ",") + "]}"
}

@Suite struct WheelTests {
    private func shorts(
        _ turns: [(Double, Double, Double)], mode: Int = 0,
        _ change: (inout ReadingOptions) -> Void = { _ in }
    ) throws -> [String] {
        try read(wheel(turns, mode: mode), change).recording.events.map(short)
    }

    @Test func turnsAddUpToOffsetsAndPausesSplitThem() throws {
        #expect(
            try shorts([(5, 0, 10), (13, 0, 20), (21.5, 1, 5), (500, 0, 7), (1_500, 0, -2)]) == [
                "0 scroll began 10", "8 scroll changed 30", "16.5 scroll ended 35",
                "495 scroll began 42", "495 scroll ended 42", "1495 scroll began 40",
                "1495 scroll ended 40",
            ])
    }

    @Test func linesAndPagesAreCountedInPoints() throws {
        #expect(try shorts([(0, 0, 2)], mode: 1)[0] == "0 scroll began 36")
        #expect(
            try shorts([(0, 0, 1)], mode: 2) { $0.viewport = (9, 70) }[0] == "0 scroll began 70")
        #expect(try shorts([(0, 0, 2)]) { $0.scale = 3 }[0] == "0 scroll began 6")
    }

    @Test func beyondAnEdgeARubberBandHolds() throws {
        // As UIKit's: 100 points pulled over a viewport of 100 show 100 (1 − 1 / 1.55).
        let shown = 100 * (1 - 1 / 1.55)
        let above = try shorts([(0, 0, -100), (9, 0, 10), (2_000, 0, 30)]) {
            $0.viewport = (50, 100)
        }
        #expect(above[0] == "0 scroll began \(0 - shown)")
        #expect(above[2] == "2000 scroll began 30", "it has sprung back meanwhile")
        let below = try shorts([(0, 0, 100)]) {
            $0.viewport = (50, 100)
            $0.offset = 300
            $0.contentHeight = 400
        }
        #expect(below[0] == "0 scroll began \(300 + shown)")
    }

    @Test func aSidewaysRunIsASwipeOfTheFingers() throws {
        #expect(try shorts([(0, -30, 1), (8, -30, 2), (16, -30, 0)]) == ["8 swipe right"])
        #expect(try shorts([(0, 60, 1)]) == ["0 swipe left"])
        let reading = try read(wheel([(0, 20, 1), (900, 0, 4)]))
        #expect(reading.notes == ["f: left out 1 sideways run of less than 50 points"])
        #expect(reading.recording.events.count == 2)
    }
}
