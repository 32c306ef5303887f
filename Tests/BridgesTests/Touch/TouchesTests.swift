import Geometry
import Notation
import Protocol
import Testing

@testable import Bridges

func at(_ milliseconds: Int) -> Moment {
    Moment(steady: milliseconds, wall: 1_700_000_000_000 + Double(milliseconds))
}

/// As `began 1 160 284`: phase, pointer and point.
func told(_ events: [BridgeEvent]) throws -> [String] {
    try events.map { event in
        let body = try Document.json(event.body)
        let numbers = ["pointer", "x", "y"].compactMap { body[$0]?.double }
        let words = [body["phase"]?.string ?? "?"] + numbers.map { "\(Int($0.rounded()))" }
        let user = body["user"]?.string.map { ["of \($0)"] } ?? []
        return (words + user).joined(separator: " ")
    }
}

private func made(open: Bool = true, there: Bool = true) -> Touches<Int> {
    var touches = Touches<Int>(session: "alice", map: TouchMap(), firstPointer: 100)
    touches.setDaemon(isThere: there, at: at(0))
    touches.setViewport(open ? Size(320, 568) : nil, at: at(0))
    return touches
}

@Suite struct TouchesTests {
    @Test func aContactBeginsMovesAndEndsInTheViewport() throws {
        var touches = made()
        touches.place(7, 0.5, 0.25, at: at(10))
        touches.place(7, 0.5, 0.25, at: at(20))
        touches.place(7, 1, 1, at: at(30))
        touches.lift(7, at: at(40))
        let events = touches.takeEvents()
        #expect(
            try told(events) == ["began 101 160 142", "changed 101 320 568", "ended 101 320 568"])
        #expect(events.allSatisfy { $0.topic == "gesture/alice" })
        let text = String(decoding: events[0].body, as: UTF8.self)
        #expect(
            text == #"{"gesture":"pointer","phase":"began","pointer":101,"x":160,"y":142,"#
                + #""t":1700000000010.0}"#)
        #expect(touches.isEmpty && touches.takeEvents().isEmpty)
    }

    /// The far edges of a viewport are outside, and what lands there hits nothing.
    @Test(arguments: 0..<4, [false, true])
    func theEdgesOfTheDeviceLieWithinTheViewport(turns: Int, isMirrored: Bool) throws {
        var map = TouchMap()
        if isMirrored {
            map = try #require(TouchMap(left: 1, top: 0, right: 0, bottom: 1))
        }
        map.turns = turns
        for (width, height) in [(320.0, 568.0), (1, 1), (99.9995, 3_840)] {
            for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.999_999_9, 0.999_999_9)] {
                let point = map.point(x, y, in: Size(width, height))
                let sent = [(point.x, width), (point.y, height)].map {
                    (($0.0 * 1_000).rounded() / 1_000, $0.1)
                }
                #expect(sent.allSatisfy { $0.0 >= 0 && $0.0 < $0.1 }, "\(point)")
            }
        }
        let beside = map.point(1.5, 1.5, in: Size(100, 100))
        #expect([150, -50].contains(beside.x) && [150, -50].contains(beside.y), "\(beside)")
    }

    @Test func aRestingContactIsRepeatedAtLeastOnceASecond() throws {
        var touches = made()
        touches.place(1, 0, 0, at: at(0))
        _ = touches.takeEvents()
        var times: [Int] = []
        for time in stride(from: 50, through: 5_000, by: 50) {
            touches.tick(at: at(time))
            if !touches.takeEvents().isEmpty { times.append(time) }
        }
        #expect(times == [900, 1_800, 2_700, 3_600, 4_500])
    }

    @Test func aContactWaitsForTheSessionButNotForLong() throws {
        var touches = made(open: false)
        touches.place(1, 0.5, 0.5, at: at(0))
        touches.place(1, 0.75, 0.5, at: at(10))
        #expect(touches.wantsViewport && touches.takeEvents().isEmpty)
        touches.setViewport(Size(100, 100), at: at(700))
        // Where it landed comes first, or a drag would begin in its middle.
        #expect(try told(touches.takeEvents()) == ["began 101 50 50", "changed 101 75 50"])
        var late = made(open: false)
        late.place(1, 0.5, 0.5, at: at(0))
        late.setViewport(Size(100, 100), at: at(1_001))
        late.place(1, 0.6, 0.5, at: at(1_010))
        late.lift(1, at: at(1_100))
        #expect(late.takeEvents().isEmpty && late.counters[.unplaced] == 1)
    }

    @Test func aTapBeforeTheSessionIsOpenIsCounted() {
        var touches = made(open: false)
        touches.place(1, 0.5, 0.5, at: at(0))
        touches.lift(1, at: at(100))
        touches.setViewport(Size(100, 100), at: at(200))
        #expect(touches.takeEvents().isEmpty && touches.counters[.unplaced] == 1)
    }

    /// Nothing may be touched where nobody landed.
    @Test func aContactThatWasDownWhenTheDaemonWentIsOver() throws {
        var touches = made()
        touches.place(1, 0.5, 0.5, at: at(0))
        touches.setDaemon(isThere: false, at: at(10))
        touches.place(1, 0.6, 0.5, at: at(20))
        touches.setDaemon(isThere: true, at: at(30))
        touches.place(1, 0.7, 0.5, at: at(40))
        touches.tick(at: at(2_000))
        touches.lift(1, at: at(2_010))
        #expect(try told(touches.takeEvents()) == ["began 101 160 284"])
        touches.place(1, 0.5, 0.5, at: at(2_020))
        #expect(try told(touches.takeEvents()) == ["began 102 160 284"])
        #expect(touches.counters[.lost] == 1)
    }

    @Test func aClosedSessionEndsItsContactsAndAResizedOneKeepsThem() throws {
        var touches = made()
        touches.place(1, 0.5, 0.5, at: at(0))
        touches.setViewport(Size(640, 480), at: at(10))
        touches.place(1, 0.5, 0.75, at: at(20))
        touches.setViewport(nil, at: at(30))
        touches.lift(1, at: at(40))
        #expect(try told(touches.takeEvents()) == ["began 101 160 284", "changed 101 320 360"])
    }

    @Test func contactsAreBounded() throws {
        var touches = made()
        for key in 0..<300 { touches.place(key, 0.5, 0.5, at: at(0)) }
        #expect(touches.takeEvents().count == TouchCount.downMax)
        #expect(touches.counters[.refused] == 300 - TouchCount.downMax)
        // A refused one stays refused: it would begin where nobody landed.
        touches.lift(0, at: at(1))
        touches.place(80, 0.1, 0.1, at: at(2))
        #expect(try told(touches.takeEvents()) == ["ended 101 160 284"])
        // One beyond all bounds is not followed, and has no place to move from.
        touches.move(299, 0.1, 0.1, at: at(2))
        #expect(touches.takeEvents().isEmpty)
        touches.place(1_000, 0.5, 0.5, at: at(3))
        touches.cancelAll(at: at(4))
        #expect(touches.isEmpty)
    }

    @Test func contactsThatWaitTogetherAreBoundedWhenTheyBegin() throws {
        var touches = made(open: false)
        for key in 0..<100 { touches.place(key, 0.5, 0.5, at: at(0)) }
        touches.setViewport(Size(100, 100), at: at(10))
        #expect(touches.downCount == TouchCount.downMax)
        #expect(touches.counters[.refused] == 100 - TouchCount.downMax)
    }

    @Test(arguments: [
        (TouchMap(), [0.25, 0.5], [25, 100]),
        (TouchMap(left: 0.5, top: 0, right: 1, bottom: 0.5), [0.75, 0.5], [50, 199.999]),
        (TouchMap(left: 1, top: 0, right: 0, bottom: 1), [0.25, 0.5], [75, 100]),
    ])
    func areasAreStretchedAndMirrored(map: TouchMap?, point: [Double], result: [Double]) throws {
        let found = try #require(map).point(point[0], point[1], in: Size(100, 200))
        #expect([found.x, found.y] == result)
    }

    /// The picture's top left corner, on a device where the picture is turned clockwise.
    @Test(arguments: [(0, [0.0, 0.0]), (1, [1, 0]), (2, [1, 1]), (3, [0, 1])])
    func turnsAreUndone(turns: Int, corner: [Double]) {
        var map = TouchMap()
        map.turns = turns
        #expect(map.point(corner[0], corner[1], in: Size(100, 200)) == Vector(0, 0))
    }

    @Test func anAreaWithoutExtentIsNone() {
        #expect(TouchMap(left: 0, top: 0, right: 0, bottom: 1) == nil)
        #expect(TouchMap(left: 0, top: 0, right: .nan, bottom: 1) == nil)
        #expect(TouchMap(left: 0, top: 0, right: 1, bottom: 1e9) == nil)
    }
}
