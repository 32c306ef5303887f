import Geometry
import Notation
import Protocol
import Testing

@testable import Bridges

/// As `token began 5 50 25 0.5` or `pointer began 1 50 25`: number, point, and a token's angle.
private func lines(_ events: [BridgeEvent]) throws -> [String] {
    try events.map { event in
        let body = try Document.json(event.body)
        let gesture = body["gesture"]?.string ?? "?"
        let number = body[gesture == "token" ? "symbol" : "pointer"]?.int ?? -1
        let place = ["x", "y"].map { "\(Int((body[$0]?.double ?? -1).rounded()))" }
        let angle = (body["angle"]?.double).map { angle in
            [angle == angle.rounded() ? "\(Int(angle))" : "\(angle)"]
        }
        let words = [gesture, body["phase"]?.string ?? "?", "\(number)"] + place + (angle ?? [])
        return words.joined(separator: " ")
    }
}

extension TUIO {
    fileprivate mutating func hearAll(
        _ packet: [UInt8], from sender: String = "127.0.0.1:9", at time: Int = 0
    ) throws -> [String] {
        take(packet, from: sender, at: at(time))
        return try lines(touches.takeEvents())
    }
}

/// Objects of TUIO 1.1.
@Suite struct ObjectTests {
    private typealias Object = (id: Int32, symbol: Int32, x: Float, y: Float, angle: Float)

    /// A frame of `2Dobj`, as that of cursors is.
    private func objects(
        _ number: Int32, _ set: [Object] = [], alive: [Int32] = [], source: String? = nil
    ) -> [UInt8] {
        let address = "/tuio/2Dobj"
        var parts: [[UInt8]] = []
        if let source { parts.append(Packet.message(address, "source", .text(source))) }
        let ids = alive + set.map(\.id)
        parts.append(Packet.message(address, ["alive"] + ids.map { .integer($0) }))
        for (id, symbol, x, y, angle) in set {
            parts.append(
                Packet.message(
                    address, "set", .integer(id), .integer(symbol), .number(x), .number(y),
                    .number(angle), 0.0, 0.0, 0.0, 0.0, 0.0))
        }
        parts.append(Packet.message(address, "fseq", .integer(number)))
        return Packet.bundle(parts)
    }

    @Test func anObjectIsPutMovedTurnedAndLifted() throws {
        var tuio = trackedTable()
        #expect(
            try tuio.hearAll(objects(1, [(12, 5, 0.5, 0.25, 0.5)])) == ["token began 5 50 25 0.5"])
        #expect(try tuio.hearAll(objects(2, alive: [12])) == [])
        #expect(
            try tuio.hearAll(objects(3, [(12, 5, 0.75, 0.25, 0.5)])) == [
                "token changed 5 75 25 0.5"
            ])
        #expect(
            try tuio.hearAll(objects(4, [(12, 5, 0.75, 0.25, 1)])) == ["token changed 5 75 25 1"])
        // Its place and its angle are as before.
        #expect(try tuio.hearAll(objects(5, [(12, 5, 0.75, 0.25, 1)])) == [])
        #expect(try tuio.hearAll(objects(6)) == ["token ended 5 75 25 1"])
        #expect(tuio.counters[.frames] == 6 && tuio.counters[.malformedMessages] == 0)
        #expect(tuio.touches.counters[.tokens] == 1 && tuio.touches.counters[.contacts] == 0)
    }

    /// The ids of cursors and of objects are apart, and so are their frames.
    @Test func cursorsAndObjectsOfATrackerAreApart() throws {
        var tuio = trackedTable()
        #expect(
            try tuio.hearAll(frame(7, set: [(1, 0.5, 0.5)], source: "t")) == [
                "pointer began 1 50 50"
            ])
        #expect(
            try tuio.hearAll(objects(3, [(1, 9, 0.25, 0.25, 0)], source: "t"))
                == ["token began 9 25 25 0"])
        #expect(try tuio.hearAll(frame(8, source: "t")) == ["pointer ended 1 50 50"])
        #expect(try tuio.hearAll(objects(4, source: "t")) == ["token ended 9 25 25 0"])
        #expect(tuio.sourceCount == 1 && tuio.counters[.late] == 0)
    }

    /// Some trackers write all their profiles into one bundle.
    @Test func bothMayStandInOneBundle() throws {
        var tuio = trackedTable()
        func part(_ profile: String, _ values: Packet.Value...) -> [UInt8] {
            Packet.message("/tuio/2D\(profile)", values)
        }
        let packet = Packet.bundle(
            part("cur", "source", "t"), part("cur", "alive", 1), part("cur", "fseq", 4),
            part("cur", "set", 1, 0.5, 0.5, 0.0, 0.0, 0.0), part("obj", "source", "t"),
            part("obj", "alive", 1), part("obj", "set", 1, 3, 0.25, 0.5, 0.0),
            part("obj", "fseq", 4))
        #expect(
            Set(try tuio.hearAll(packet)) == ["pointer began 1 50 50", "token began 3 25 50 0"])
    }

    /// A library for Python numbers the frame of cursors alone.
    @Test func theNumberOfTheCursorsMayEndBothFrames() throws {
        var tuio = trackedTable()
        func part(_ profile: String, _ values: Packet.Value...) -> [UInt8] {
            Packet.message("/tuio/2D\(profile)", values)
        }
        let put = Packet.bundle(
            part("cur", "alive"), part("obj", "alive", 1),
            part("obj", "set", 1, 3, 0.25, 0.5, 0.0), part("cur", "fseq", -1))
        #expect(try tuio.hearAll(put) == ["token began 3 25 50 0"])
        let lifted = Packet.bundle(
            part("cur", "alive"), part("obj", "alive"), part("cur", "fseq", -1))
        #expect(try tuio.hearAll(lifted) == ["token ended 3 25 50 0"])
        #expect(tuio.counters[.frames] == 2)
    }

    /// A tracker that loses an object for a frame knows it by another id then.
    @Test func anotherIdOfOneSymbolIsPutAnew() throws {
        var tuio = trackedTable()
        _ = try tuio.hearAll(objects(1, [(12, 5, 0.5, 0.5, 0)]))
        #expect(
            try tuio.hearAll(objects(2, [(13, 5, 0.6, 0.5, 0)]))
                == ["token ended 5 50 50 0", "token began 5 60 50 0"])
    }

    /// Two cameras see one object where their pictures overlap.
    @Test func ofTwoWithOneSymbolTheFirstCounts() throws {
        var tuio = trackedTable()
        #expect(
            try tuio.hearAll(objects(1, [(1, 5, 0.5, 0.5, 0)], source: "a"))
                == ["token began 5 50 50 0"])
        #expect(try tuio.hearAll(objects(1, [(1, 5, 0.52, 0.5, 0)], source: "b")) == [])
        #expect(try tuio.hearAll(objects(2, [(1, 5, 0.6, 0.5, 0)], source: "b")) == [])
        #expect(
            try tuio.hearAll(objects(2, source: "a"))
                == ["token ended 5 50 50 0", "token began 5 60 50 0"])
        #expect(try tuio.hearAll(objects(3, source: "b")) == ["token ended 5 60 50 0"])
    }

    @Test func aSilentTrackerLiftsAll() throws {
        var tuio = trackedTable()
        _ = try tuio.hearAll(objects(1, [(1, 5, 0.5, 0.5, 0), (2, 6, 0.2, 0.2, 0)]))
        tuio.tick(at: at(3_000))
        #expect(
            try lines(tuio.touches.takeEvents())
                == ["token cancelled 5 50 50 0", "token cancelled 6 20 20 0"])
        #expect(tuio.sourceCount == 0)
    }

    @Test func aRestartedTrackerBeginsAnew() throws {
        var tuio = trackedTable()
        _ = try tuio.hearAll(objects(500, [(1, 5, 0.5, 0.5, 0)]))
        #expect(
            try tuio.hearAll(objects(1, [(1, 5, 0.5, 0.5, 0)]))
                == ["token cancelled 5 50 50 0", "token began 5 50 50 0"])
    }

    /// Arguments of `set` that cannot be.
    @Test func malformedObjectsAreCounted() throws {
        var tuio = trackedTable()
        let nonsense: [[Packet.Value]] = [
            [], [1], [1, 2, 0.5, 0.5], [1, -1, 0.5, 0.5, 0.0], [1, 0.5, 0.5, 0.5, 0.0],
            [1, "five", 0.5, 0.5, 0.0], [1, .wide(1 << 31), 0.5, 0.5, 0.0],
            [1, 5, 2.5, 0.5, 0.0], [1, 5, 0.5, 0.5, .number(.nan)], [1, 5, 0.5, 0.5, 1e9],
        ]
        for values in nonsense {
            _ = try tuio.hearAll(Packet.message("/tuio/2Dobj", ["set"] + values))
        }
        #expect(tuio.counters[.malformedMessages] == nonsense.count)
    }

    /// Each profile may have as many sources.
    @Test func objectsDoNotTakeThePlacesOfCursors() throws {
        var tuio = trackedTable()
        for number in 0..<TUIO.sourcesMax {
            _ = try tuio.hearAll(frame(1, source: "s\(number)"))
            _ = try tuio.hearAll(objects(1, source: "s\(number)"))
        }
        #expect(tuio.sourceCount == TUIO.sourcesMax && tuio.counters[.refusedSources] == 0)
    }

    /// A map, an object's angle on the device, and in the viewport, in quarters of a turn.
    @Test(arguments: [
        ([0.0, 0, 1, 1], 0, 0.5, 0.5), ([1, 0, 0, 1], 0, 0.5, -0.5), ([0, 1, 1, 0], 0, 0.5, 1.5),
        ([1, 1, 0, 0], 0, 0.5, -1.5), ([0, 0, 1, 1], 1, 0, -1), ([0, 0, 1, 1], 2, 0.5, -1.5),
        ([0, 0, 1, 1], 3, 0, 1), ([0.1, 0.2, 0.9, 0.7], 0, 3, -1),
    ])
    func anglesAreThoseOfThePicture(
        area: [Double], turns: Int, device: Double, viewport: Double
    ) throws {
        var map = try #require(
            TouchMap(left: area[0], top: area[1], right: area[2], bottom: area[3]))
        map.turns = turns
        let quarter = Double.pi / 2
        #expect(abs(map.angle(device * quarter) - viewport * quarter) < 1e-12)
    }
}

/// Tokens of TUIO 2.0.
@Suite struct TrackedTokenTests {
    private func token(
        _ id: Int32, _ component: Int32, _ x: Float, _ y: Float, _ angle: Float = 0
    ) -> [UInt8] {
        Packet.message(
            "/tuio2/tok", .integer(id), 0, .integer(component), .number(x), .number(y),
            .number(angle))
    }

    private func symbol(_ id: Int32, _ data: Packet.Value) -> [UInt8] {
        Packet.message("/tuio2/sym", .integer(id), 0, 0, "fidtrk/18", data)
    }

    private func frame(_ number: Int32, _ parts: [[UInt8]], alive: [Int32]) -> [UInt8] {
        let head = Packet.message(
            "/tuio2/frm", .integer(number), .time(1), .integer(0), "table:0@0x7F000001")
        return Packet.bundle(
            [head] + parts + [Packet.message("/tuio2/alv", alive.map { .integer($0) })])
    }

    @Test func aTokenAndAPointerMayShareAFrame() throws {
        var tuio = trackedTable()
        let pointer = Packet.message("/tuio2/ptr", 7, 0, 0, 0.5, 0.25, 0.0, 0.0, 0.01, 0.0)
        #expect(
            try tuio.hearAll(frame(1, [pointer, token(8, 82, 0.5, 0.5, 0.5)], alive: [7, 8]))
                == ["pointer began 1 50 25", "token began 82 50 50 0.5"])
        #expect(
            try tuio.hearAll(frame(2, [token(8, 82, 0.5, 0.5, 0.75)], alive: [7, 8]))
                == ["token changed 82 50 50 0.75"])
        #expect(
            try tuio.hearAll(frame(3, [], alive: [7])) == ["token ended 82 50 50 0.75"])
        #expect(try tuio.hearAll(frame(4, [], alive: [])) == ["pointer ended 1 50 25"])
        #expect(tuio.counters[.ignored] == 0)
    }

    /// A token's component, its symbol's data, and the symbol that is told; nil: nothing is.
    private static let symbols: [(Int32, Packet.Value?, Int?)] = [
        (82, nil, 82), (82, "9", 82), (0, "9", 9), (0, 9, 9), (-1, "9", 9), (0, nil, 0),
        (0, "0x50E1", 0), (0, "2147483648", 0), (0, "-3", 0), (-1, nil, nil), (-1, "red", nil),
    ]

    @Test(arguments: symbols.indices)
    func theSymbolIsTheComponentOrTheNumberInData(place: Int) throws {
        let (component, data, told) = Self.symbols[place]
        // The order of messages within a frame does not matter.
        for isFirst in [true, false] {
            var tuio = trackedTable()
            let symbols = data.map { [symbol(8, $0)] } ?? []
            let tokens = [token(8, component, 0.5, 0.5)]
            let parts = isFirst ? symbols + tokens : tokens + symbols
            let expected = told.map { ["token began \($0) 50 50 0"] } ?? []
            #expect(try tuio.hearAll(frame(1, parts, alive: [8])) == expected)
            #expect(tuio.counters[.ignored] == (told == nil ? 1 : 0))
            // It is known in later frames, too.
            let later = told.map { ["token changed \($0) 60 50 0"] } ?? []
            #expect(
                try tuio.hearAll(frame(2, [token(8, component, 0.6, 0.5)], alive: [8])) == later)
        }
    }

    @Test func anotherSymbolIsAnotherToken() throws {
        var tuio = trackedTable()
        _ = try tuio.hearAll(frame(1, [token(8, 0, 0.5, 0.5)], alive: [8]))
        #expect(
            try tuio.hearAll(frame(2, [token(8, 0, 0.5, 0.5), symbol(8, "4")], alive: [8]))
                == ["token ended 0 50 50 0", "token began 4 50 50 0"])
    }

    /// A symbol goes with its id.
    @Test func anIdThatHasGoneHasNoSymbol() throws {
        var tuio = trackedTable()
        _ = try tuio.hearAll(frame(1, [token(8, 0, 0.5, 0.5), symbol(8, "4")], alive: [8]))
        _ = try tuio.hearAll(frame(2, [], alive: []))
        #expect(
            try tuio.hearAll(frame(3, [token(8, 0, 0.5, 0.5)], alive: [8]))
                == ["token began 0 50 50 0"])
    }

    @Test func symbolsAreBounded() throws {
        var tuio = trackedTable()
        let head = Packet.message("/tuio2/frm", 1, .time(1), 0, "t")
        _ = try tuio.hearAll(
            Packet.bundle([head] + (0..<600).map { symbol(Int32($0), "1") }))
        #expect(tuio.counters[.malformedMessages] == 600 - TUIO.aliveMax)
    }

    /// A datagram that comes after the frame's end.
    @Test func aTokenThatTheEndHasOvertakenIsMoved() throws {
        var tuio = trackedTable()
        let head = Packet.message("/tuio2/frm", 2, .time(1), 0, "table:0@0x7F000001")
        _ = try tuio.hearAll(frame(1, [token(8, 5, 0.5, 0.5)], alive: [8]))
        #expect(try tuio.hearAll(frame(2, [], alive: [8])) == [])
        #expect(
            try tuio.hearAll(Packet.bundle(head, token(8, 5, 0.7, 0.5)))
                == ["token changed 5 70 50 0"])
    }
}

/// Objects while the daemon or the session is away.
@Suite struct LyingTokenTests {
    private func made() -> Touches<Int> {
        Touches<Int>(session: "alice", map: TouchMap(), firstPointer: 100)
    }

    @Test func anObjectIsPutAgainWhenTheDaemonIsBack() throws {
        var touches = made()
        touches.setDaemon(isThere: true, at: at(0))
        touches.setViewport(Size(100, 100), at: at(0))
        touches.place(1, TokenMark(symbol: 5, angle: 0), 0.5, 0.5, at: at(0))
        #expect(try lines(touches.takeEvents()) == ["token began 5 50 50 0"])
        touches.setViewport(nil, at: at(10_000))
        touches.setDaemon(isThere: false, at: at(10_000))
        touches.move(1, TokenMark(symbol: 5, angle: 1), 0.6, 0.5, at: at(10_010))
        #expect(touches.takeEvents().isEmpty && !touches.wantsViewport)
        touches.setDaemon(isThere: true, at: at(20_000))
        // The daemon is asked for the session.
        #expect(touches.wantsViewport)
        touches.setViewport(Size(100, 100), at: at(20_100))
        #expect(try lines(touches.takeEvents()) == ["token began 5 60 50 1"])
        #expect(touches.counters[.lost] == 0 && touches.counters[.tokens] == 2)
    }

    /// A session that was closed does not open again for an object that lies there.
    @Test func anObjectDoesNotOpenAClosedSession() throws {
        var touches = made()
        touches.setDaemon(isThere: true, at: at(0))
        touches.place(1, TokenMark(symbol: 5, angle: 0), 0.5, 0.5, at: at(0))
        #expect(touches.wantsViewport)
        touches.setViewport(Size(100, 100), at: at(100))
        #expect(touches.takeEvents().count == 1)
        touches.setViewport(nil, at: at(5_000))
        touches.tick(at: at(6_000))
        #expect(!touches.wantsViewport && touches.takeEvents().isEmpty)
        touches.setViewport(Size(100, 100), at: at(90_000))
        #expect(try lines(touches.takeEvents()) == ["token began 5 50 50 0"])
    }

    @Test func anObjectThatLiesThereBeforeTheSessionWaits() throws {
        var touches = made()
        touches.place(1, TokenMark(symbol: 5, angle: 0), 0.5, 0.5, at: at(0))
        touches.tick(at: at(60_000))
        touches.setDaemon(isThere: true, at: at(90_000))
        touches.setViewport(Size(100, 100), at: at(90_100))
        #expect(try lines(touches.takeEvents()) == ["token began 5 50 50 0"])
        #expect(touches.counters[.unplaced] == 0)
    }

    @Test func aRestingObjectIsRepeated() throws {
        var touches = made()
        touches.setDaemon(isThere: true, at: at(0))
        touches.setViewport(Size(100, 100), at: at(0))
        touches.place(1, TokenMark(symbol: 5, angle: 0), 0.5, 0.5, at: at(0))
        _ = touches.takeEvents()
        touches.tick(at: at(899))
        #expect(touches.takeEvents().isEmpty)
        touches.tick(at: at(900))
        #expect(try lines(touches.takeEvents()) == ["token changed 5 50 50 0"])
    }

    /// No other one with its symbol is put while all are cancelled.
    @Test func theEndCancelsThemAll() throws {
        var touches = made()
        touches.setDaemon(isThere: true, at: at(0))
        touches.setViewport(Size(100, 100), at: at(0))
        for key in 1...3 {
            touches.place(key, TokenMark(symbol: 5, angle: 0), 0.5, 0.5, at: at(0))
        }
        _ = touches.takeEvents()
        touches.cancelAll(at: at(1))
        #expect(try lines(touches.takeEvents()) == ["token cancelled 5 50 50 0"])
        #expect(touches.isEmpty)
    }

    @Test func anObjectIsWrittenSo() throws {
        var touches = made()
        touches.setDaemon(isThere: true, at: at(0))
        touches.setViewport(Size(320, 568), at: at(0))
        touches.place(1, TokenMark(symbol: 5, angle: -0.5), 0.5, 0.25, at: at(10))
        let text = String(decoding: touches.takeEvents()[0].body, as: UTF8.self)
        #expect(
            text == #"{"gesture":"token","phase":"began","symbol":5,"x":160,"y":142,"#
                + #""angle":-0.5,"t":1700000000010.0}"#)
    }
}
