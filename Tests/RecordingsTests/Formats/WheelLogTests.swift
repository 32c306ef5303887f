import Testing

@testable import Recordings

/// A log of turns `(time, x, y)`.
private func wheel(_ turns: [(Double, Double, Double)], mode: Int = 0) -> String {
    let events = turns.map {
        "{\"deltaX\":\($0.1),\"deltaY\":\($0.2),\"deltaMode\":\(mode),\"timeStamp\":\($0.0)}"
    }
    return "{\"wheelEvents\":[" + events.joined(separator: ",") + "]}"
}

@Suite struct WheelLogTests {
    private func shorts(
        _ turns: [(Double, Double, Double)], mode: Int = 0,
        _ change: (inout ReadingOptions) -> Void = { _ in }
    ) throws -> [String] {
        try read(wheel(turns, mode: mode), change).recording.events.map(short)
    }

    @Test func eachTurnIsAWheelAtItsTime() throws {
        let events = try read(wheel([(5, 0, 10), (13, 0, 20), (21.5, 1, 5), (500, 0, -7.5)]))
            .recording.events
        #expect(
            try events.map(short) == [
                "0 wheel 0,10 at 160,284", "8 wheel 0,20 at 160,284", "16.5 wheel 1,5 at 160,284",
                "495 wheel 0,-7.5 at 160,284",
            ])
        #expect(events[0].topic == Array("gesture/demo/list".utf8))
    }

    @Test func linesAndPagesAreCountedInPoints() throws {
        #expect(try shorts([(0, 0, 2)], mode: 1) == ["0 wheel 0,32 at 160,284"])
        #expect(
            try shorts([(0, 0, 1)], mode: 2) { $0.viewport = (9, 70) } == ["0 wheel 0,70 at 4.5,35"]
        )
        #expect(try shorts([(0, 1, 2)]) { $0.scale = 3 } == ["0 wheel 3,6 at 160,284"])
    }

    /// Also a turn that is too far only by its unit.
    @Test(arguments: [(1e6 + 1, 0), (-63_000, 1), (2_000, 2)])
    func aTurnThatIsTooFarIsAnErrorOfItsLine(way: Double, mode: Int) throws {
        let error = #expect(throws: RecordingError.self) {
            try read(wheel([(0, 0, way)], mode: mode))
        }
        #expect(error?.message.contains("deltaY is beyond ±1,000,000 points") == true)
        let rest = try read(wheel([(0, 0, way), (1, 0, 3)], mode: mode)) { $0.keepsGoing = true }
        #expect(rest.recording.events.count == 1)
    }

    /// A square that fingers draw in one stroke: a swipe says one of its sides at most.
    @Test func whatARunLosesIsTold() throws {
        func square(_ last: Double) -> [(Double, Double, Double)] {
            let sides = [(70.0, 0.0), (0, 70), (-70, 0), (0, last)]
            return (0..<80).map { (Double($0) * 8, sides[$0 / 20].0, sides[$0 / 20].1) }
        }
        let across = try read(wheel(square(-70) + [(640, 90, 0)]))
        #expect(try across.recording.events.map(short) == ["0 swipe left"])
        #expect(
            across.notes == [
                "f: left out 5600 points of 1 sideways run, which go up, down or back beside a "
                    + "swipe"
            ])
        let along = try read(wheel(square(-60)))
        #expect(along.recording.events.count == 80)
        #expect(
            along.notes == [
                "f: 1 run up or down with 2800 points across: these are dx of a wheel, which no "
                    + "kind follows"
            ])
        // A hand never goes quite straight.
        #expect(try read(wheel([(0, -900, 49), (8, -900, 1)])).notes == [])
    }

    @Test func theSessionMayBeAimedAt() throws {
        let csv = "t_ms,pointer,phase,x,y\n0,0,down,1,2\n8,0,up,1,2\n"
        let stroke =
            "<Gesture NumPts=\"2\"><Point X=\"1\" Y=\"2\" T=\"3\"/>"
            + "<Point X=\"8\" Y=\"5\" T=\"9\"/></Gesture>"
        for text in [csv, stroke, wheel([(0, 0, 3)])] {
            let events = try read(text) { $0.component = "" }.recording.events
            #expect(events.allSatisfy { $0.topic == Array("gesture/demo".utf8) })
            let own = try read(text) {
                ($0.session, $0.component) = ("alice", "tips")
            }.recording.events
            #expect(own.allSatisfy { $0.topic == Array("gesture/alice/tips".utf8) })
        }
    }

    @Test func aSidewaysRunIsASwipeOfTheFingers() throws {
        #expect(try shorts([(0, -30, 1), (8, -30, 2), (16, -30, 0)]) == ["8 swipe right"])
        #expect(try shorts([(0, 60, 1)]) == ["0 swipe left"])
        let reading = try read(wheel([(0, 20, 1), (900, 0, 4)]))
        #expect(reading.notes == ["f: left out 1 sideways run of less than 50 points"])
        #expect(try reading.recording.events.map(short) == ["900 wheel 0,4 at 160,284"])
    }
}
