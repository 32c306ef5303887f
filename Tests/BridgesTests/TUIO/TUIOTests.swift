import Geometry
import Testing

@testable import Bridges

private func table() -> TUIO {
    var touches = Touches<TUIO.ContactKey>(session: "s", map: TouchMap(), firstPointer: 0)
    touches.setDaemon(isThere: true, at: at(0))
    touches.setViewport(Size(100, 100), at: at(0))
    return TUIO(touches: touches)
}

extension TUIO {
    /// Takes a packet and returns what the daemon is told.
    fileprivate mutating func hear(
        _ packet: [UInt8], from sender: String = "127.0.0.1:9", at time: Int = 0
    ) throws -> [String] {
        take(packet, from: sender, at: at(time))
        return try told(touches.takeEvents())
    }
}

@Suite struct TUIOTests {
    @Test func aContactLivesByTheAliveListAlone() throws {
        var tuio = table()
        #expect(try tuio.hear(frame(1, set: [(4, 0.5, 0.25)])) == ["began 1 50 25"])
        #expect(try tuio.hear(frame(2, alive: [4])) == [])
        #expect(try tuio.hear(frame(3, set: [(4, 0.75, 0.25)])) == ["changed 1 75 25"])
        #expect(try tuio.hear(frame(4)) == ["ended 1 75 25"])
        // A place for one that is not alive is nobody's.
        let set = Packet.message("/tuio/2Dcur", "set", 9, 0.5, 0.5, 0.0, 0.0, 0.0)
        let fseq = Packet.message("/tuio/2Dcur", "fseq", 5)
        #expect(try tuio.hear(Packet.bundle(set, fseq)) == [])
        #expect(tuio.counters[.frames] == 5 && tuio.counters[.malformedMessages] == 0)
    }

    @Test func aContactWithoutAPlaceBeginsOnceItHasOne() throws {
        var tuio = table()
        #expect(try tuio.hear(frame(1, alive: [4])) == [])
        #expect(try tuio.hear(frame(2, set: [(4, 1, 1)])) == ["began 1 100 100"])
    }

    @Test func aFrameIsAppliedAtItsEndAndMaySpanPackets() throws {
        var tuio = table()
        let address = "/tuio/2Dcur"
        #expect(try tuio.hear(Packet.message(address, "alive", 1, 2)) == [])
        #expect(try tuio.hear(Packet.message(address, "set", 1, 0.1, 0.1, 0, 0, 0)) == [])
        #expect(try tuio.hear(Packet.message(address, "set", 2, 0.2, 0.2, 0, 0, 0)) == [])
        #expect(
            try tuio.hear(Packet.message(address, "fseq", 1))
                == ["began 1 10 10", "began 2 20 20"])
        // Many contacts come in several bundles of one number.
        #expect(
            try tuio.hear(frame(2, alive: [2], set: [(1, 0.3, 0.3)])) == ["changed 1 30 30"])
        #expect(
            try tuio.hear(frame(2, alive: [1], set: [(2, 0.4, 0.4)])) == ["changed 2 40 40"])
    }

    /// The number of a frame after frame 500, and what becomes of it.
    @Test(arguments: [
        (501, "next"), (5_000, "next"), (500, "next"), (499, "late"), (401, "late"),
        (400, "restarted"), (1, "restarted"), (0, "next"), (-1, "next"), (Int32.min, "next"),
    ])
    func framesAreTakenByTheirNumbers(number: Int32, judgement: String) throws {
        var tuio = table()
        _ = try tuio.hear(frame(500, set: [(1, 0.5, 0.5)]))
        let heard = try tuio.hear(frame(number, set: [(1, 0.6, 0.5)]))
        switch judgement {
        case "next": #expect(heard == ["changed 1 60 50"])
        case "late": #expect(heard == [] && tuio.counters[.late] == 1)
        default:
            // The id is another contact's now.
            #expect(heard == ["cancelled 1 50 50", "began 2 60 50"])
            #expect(tuio.counters[.restarted] == 1)
            #expect(try tuio.hear(frame(number + 1)) == ["ended 2 60 50"])
        }
    }

    @Test func aLateFrameLeavesNothingBehind() throws {
        var tuio = table()
        _ = try tuio.hear(frame(10, set: [(1, 0.5, 0.5)]))
        #expect(try tuio.hear(frame(9, set: [(2, 0.1, 0.1)])) == [])
        #expect(try tuio.hear(frame(11, alive: [1, 2])) == [])
        #expect(try tuio.hear(frame(12)) == ["ended 1 50 50"])
    }

    @Test func sourcesHaveTheirOwnContactsAndNumbers() throws {
        var tuio = table()
        let (left, right) = ("left@10.0.0.1", "right@10.0.0.2")
        #expect(
            try tuio.hear(frame(900, set: [(1, 0.1, 0.1)], source: left)) == ["began 1 10 10"])
        #expect(
            try tuio.hear(frame(1, set: [(1, 0.9, 0.9)], source: right)) == ["began 2 90 90"])
        #expect(try tuio.hear(frame(901, source: left)) == ["ended 1 10 10"])
        #expect(
            try tuio.hear(frame(2, set: [(1, 0.8, 0.9)], source: right)) == ["changed 2 80 90"])
        // Without names the addresses tell them apart.
        _ = try tuio.hear(frame(5, set: [(1, 0.3, 0.3)]), from: "127.0.0.1:1")
        #expect(try tuio.hear(frame(5), from: "127.0.0.2:1") == [])
        #expect(tuio.sourceCount == 4)
    }

    /// Some senders open another socket for each datagram. An empty name is none.
    @Test(arguments: [nil, ""], ["127.0.0.1", "fe80::1"])
    func theSenderWithoutANameIsItsAddressWithoutThePort(name: String?, address: String) throws {
        var tuio = table()
        var heard: [String] = []
        for number in 1...40 {
            let packet = frame(Int32(number), set: [(7, Float(number) / 100, 0.5)], source: name)
            heard += try tuio.hear(packet, from: "\(address):\(50_000 + number)")
        }
        #expect(heard.first == "began 1 1 50" && heard.count == 40)
        #expect(heard.dropFirst().allSatisfy { $0.hasPrefix("changed 1 ") })
        #expect(try tuio.hear(frame(41, source: name), from: "\(address):9") == ["ended 1 40 50"])
        // Another one of the same ids is told apart.
        let other = frame(1, set: [(7, 0.5, 0.5)], source: name)
        #expect(try tuio.hear(other, from: "10.0.0.9:50001") == ["began 2 50 50"])
        #expect(tuio.sourceCount == 2 && tuio.counters[.refusedSources] == 0)
    }

    @Test func aSilentSourceIsCancelledAndForgotten() throws {
        var tuio = table()
        _ = try tuio.hear(frame(1, set: [(1, 0.5, 0.5)], source: "a"), at: 0)
        _ = try tuio.hear(frame(1, set: [(1, 0.6, 0.6)], source: "b"), at: 500)
        tuio.tick(at: at(2_999))
        #expect(try told(tuio.touches.takeEvents()) == ["changed 1 50 50", "changed 2 60 60"])
        tuio.tick(at: at(3_000))
        #expect(try told(tuio.touches.takeEvents()) == ["cancelled 1 50 50"])
        #expect(tuio.sourceCount == 1 && tuio.counters[.silent] == 1)
        // A source that speaks again begins anew, whatever the frame's number.
        #expect(
            try tuio.hear(frame(1, set: [(1, 0.5, 0.5)], source: "a"), at: 4_000)
                == ["began 3 50 50"])
    }

    @Test func sourcesAreBoundedAndMakeRoomWhenTheyAreSilent() throws {
        var tuio = table()
        for number in 0...TUIO.sourcesMax { _ = try tuio.hear(frame(1, source: "s\(number)")) }
        #expect(tuio.sourceCount == TUIO.sourcesMax && tuio.counters[.refusedSources] > 0)
        tuio.tick(at: at(3_000))
        #expect(tuio.sourceCount == 0)
        #expect(
            try tuio.hear(frame(1, set: [(1, 0, 0)], source: "late"), at: 3_000)
                == ["began 1 0 0"])
    }

    @Test func malformedMessagesAreCountedAndTheFrameGoesOn() throws {
        var tuio = table()
        let address = "/tuio/2Dcur"
        let nonsense: [[UInt8]] = [
            Packet.message(address), Packet.message(address, 3), Packet.message(address, "grow"),
            Packet.message(address, "alive", "x"), Packet.message(address, "alive", 0.5),
            Packet.message(address, "set", 1), Packet.message(address, "set", 1, "a", "b"),
            Packet.message(address, "set", 1, .number(.nan), 0.5),
            Packet.message(address, "set", 1, .number(.infinity), 0.5),
            Packet.message(address, "set", 1, 2.5, 0.5), Packet.message(address, "fseq"),
            Packet.message(address, "source"), Packet.message(address, "fseq", "1"),
            Packet.message(
                address,
                ["alive"] + (0...Int32(TUIO.aliveMax)).map { .integer($0) }),
            Packet.message(address, "source", .text(String(repeating: "n", count: 257))),
            Packet.message("/tuio2/frm"), Packet.message("/tuio2/ptr", 1, 2, 3),
            Packet.message("/tuio2/alv", "x"),
        ]
        let good = frame(1, set: [(1, 0.5, 0.5)])
        #expect(try tuio.hear(Packet.bundle(nonsense + [good])) == ["began 1 50 50"])
        #expect(tuio.counters[.malformedMessages] == nonsense.count)
        _ = try tuio.hear(Packet.message("/tuio/2Dobj", "alive"))
        _ = try tuio.hear(Packet.message("/mixer/fader", 0.5))
        _ = try tuio.hear([1, 2, 3])
        #expect(tuio.counters[.ignored] == 2 && tuio.counters[.malformedPackets] == 1)
    }

    @Test func aFrameOfTooManyContactsIsCut() throws {
        var tuio = table()
        let many = (0..<600).map { (id: Int32($0), x: Float(0.5), y: Float(0.5)) }
        let sets = many.map {
            Packet.message("/tuio/2Dcur", "set", .integer($0.id), 0.5, 0.5, 0, 0, 0)
        }
        _ = try tuio.hear(Packet.bundle(sets))
        #expect(tuio.counters[.malformedMessages] == 600 - TUIO.aliveMax)
    }
}

/// TUIO 2.0: `frm` begins a frame, `alv` ends it.
@Suite struct TUIO2Tests {
    private func pointer(_ id: Int32, _ x: Float, _ y: Float, pressure: Float = 0) -> [UInt8] {
        Packet.message(
            "/tuio2/ptr", .integer(id), 0, 0, .number(x), .number(y), 0.0, 0.0, 0.01,
            .number(pressure))
    }

    private func frame(_ number: Int32, _ parts: [[UInt8]], alive: [Int32]) -> [UInt8] {
        let head = Packet.message(
            "/tuio2/frm", .integer(number), .time(1), .integer(0), "table:0@0x7F000001")
        let end = Packet.message("/tuio2/alv", alive.map { .integer($0) })
        return Packet.bundle([head] + parts + [end])
    }

    @Test func pointersTouchAndTokensDoNot() throws {
        var tuio = table()
        let token = Packet.message("/tuio2/tok", 8, 0, 0, 0.5, 0.5, 0.0)
        #expect(
            try tuio.hear(frame(1, [pointer(7, 0.5, 0.25), token], alive: [7, 8]))
                == ["began 1 50 25"])
        #expect(
            try tuio.hear(frame(2, [pointer(7, 0.5, 0.5)], alive: [7])) == ["changed 1 50 50"])
        #expect(try tuio.hear(frame(3, [], alive: [7, 8])) == [])
        #expect(try tuio.hear(frame(2, [], alive: [])) == [])
        #expect(try tuio.hear(frame(4, [], alive: [])) == ["ended 1 50 50"])
        #expect(tuio.counters[.late] == 1 && tuio.counters[.ignored] == 1)
    }

    /// A negative pressure is a distance from the surface.
    @Test func aHoveringPointerDoesNotTouch() throws {
        var tuio = table()
        #expect(try tuio.hear(frame(1, [pointer(7, 0, 0, pressure: -0.5)], alive: [7])) == [])
        #expect(try tuio.hear(frame(2, [pointer(7, 0, 0)], alive: [7])) == ["began 1 0 0"])
        #expect(
            try tuio.hear(frame(3, [pointer(7, 0, 0, pressure: -0.5)], alive: [7]))
                == ["ended 1 0 0"])
    }

    @Test func aFrameWithoutItsEndIsDropped() throws {
        var tuio = table()
        let torn = Packet.bundle(
            Packet.message("/tuio2/frm", 1, .time(1), 0, "table:0@0x7F000001"),
            pointer(7, 0.5, 0.5))
        #expect(try tuio.hear(torn) == [])
        #expect(try tuio.hear(frame(2, [pointer(8, 0, 0)], alive: [7, 8])) == ["began 1 0 0"])
    }

    private func head(_ number: Int32, _ source: String = "table:0@0x7F000001") -> [UInt8] {
        Packet.message("/tuio2/frm", .integer(number), .time(1), .integer(0), .text(source))
    }

    private func end(_ alive: some Sequence<Int32>) -> [UInt8] {
        Packet.message("/tuio2/alv", alive.map { .integer($0) })
    }

    /// A frame of 18 fingers, as the reference server splits it at 1,500 bytes: each bundle begins
    /// with the frame's number, and the last one ends with the living.
    private func crowd(_ number: Int32, _ x: Float, heads: Bool = true) -> [[UInt8]] {
        let ids = Array(Int32(1)...18)
        let parts = [ids[..<8], ids[8..<15], ids[15...]].enumerated().map { place, ids in
            (heads || place == 0 ? [head(number)] : []) + ids.map { pointer($0, x, 0.5) }
        }
        return [parts[0], parts[1], parts[2] + [end(ids)]].map { Packet.bundle($0) }
    }

    /// A bundle's messages are of one instant, however they are written.
    @Test(arguments: [
        ["frm", "alv", "1", "2"], ["frm", "1", "alv", "2"], ["alv", "frm", "1", "2"],
        ["1", "2", "alv", "frm"], ["frm", "2", "1", "alv"],
    ])
    func aBundlesOrderDoesNotMatter(order: [String]) throws {
        var tuio = table()
        func bundle(_ number: Int32, _ x: Float) -> [UInt8] {
            Packet.bundle(
                order.map { part in
                    switch part {
                    case "frm": head(number)
                    case "alv": end([1, 2])
                    default: pointer(Int32(part) ?? 0, x, 0.5)
                    }
                })
        }
        #expect(Set(try tuio.hear(bundle(1, 0.5))) == ["began 1 50 50", "began 2 50 50"])
        for number in Int32(2)...9 {
            let x = 50 + Int(number)
            let heard = try tuio.hear(bundle(number, Float(x) / 100))
            #expect(Set(heard) == ["changed 1 \(x) 50", "changed 2 \(x) 50"])
        }
        #expect(try tuio.hear(Packet.bundle(end([]), head(10))).count == 2)
        #expect(tuio.counters[.frames] == 10 && tuio.counters[.incomplete] == 0)
        #expect(tuio.counters[.late] == 0)
    }

    /// Two frames in one packet, and the bundle of a frame that another packet began.
    @Test func eachFrameKeepsItsOwnMessages() throws {
        var tuio = table()
        let both = Packet.bundle(
            head(1), end([1]), pointer(1, 0.5, 0.5), head(2), end([1, 2]), pointer(2, 0.2, 0.5),
            pointer(1, 0.6, 0.5))
        #expect(
            try tuio.hear(both) == ["began 1 50 50", "began 2 20 50", "changed 1 60 50"])
        #expect(try tuio.hear(Packet.bundle(head(3), pointer(1, 0.7, 0.5))) == [])
        #expect(
            try tuio.hear(Packet.bundle(end([1, 2]), pointer(2, 0.3, 0.5)))
                == ["changed 1 70 50", "changed 2 30 50"])
    }

    @Test func soInTheFirstVersion() throws {
        var tuio = table()
        let fseq = Packet.message("/tuio/2Dcur", "fseq", 1)
        let alive = Packet.message("/tuio/2Dcur", "alive", 1)
        let set = Packet.message("/tuio/2Dcur", "set", 1, 0.5, 0.5, 0.0, 0.0, 0.0)
        #expect(try tuio.hear(Packet.bundle(fseq, set, alive)) == ["began 1 50 50"])
        #expect(tuio.counters[.frames] == 1)
    }

    @Test(arguments: [true, false])
    func aFrameMayComeInSeveralBundles(heads: Bool) throws {
        var tuio = table()
        let landed = try crowd(1, 0.5, heads: heads).flatMap { try tuio.hear($0) }
        #expect(landed == (1...18).map { "began \($0) 50 50" })
        let moved = try crowd(2, 0.6, heads: heads).flatMap { try tuio.hear($0) }
        #expect(moved == (1...18).map { "changed \($0) 60 50" })
        let left = [Packet.bundle(head(3), pointer(1, 0.7, 0.5)), Packet.bundle(head(3), end([1]))]
        let lifted = try left.flatMap { try tuio.hear($0) }
        #expect(lifted == (2...18).map { "ended \($0) 60 50" } + ["changed 1 70 50"])
        #expect(tuio.counters[.frames] == 3 && tuio.counters[.incomplete] == 0)
    }

    /// Datagrams of one frame may come in any order, and twice.
    @Test(arguments: [
        [0, 2, 1], [2, 0, 1], [2, 1, 0], [1, 0, 2], [0, 0, 1, 2, 1, 2], [2, 2, 1, 0],
    ])
    func bundlesOfAFrameMayOvertakeEachOther(order: [Int]) throws {
        var tuio = table()
        let frames = [crowd(1, 0.5), crowd(2, 0.6)]
        let landed = try order.flatMap { try tuio.hear(frames[0][$0]) }
        #expect(landed.count == 18 && landed.allSatisfy { $0.hasPrefix("began ") })
        let moved = try order.flatMap { try tuio.hear(frames[1][$0]) }
        #expect(moved.count == 18 && moved.allSatisfy { $0.hasPrefix("changed ") })
        #expect(tuio.counters[.incomplete] == 0 && tuio.counters[.late] == 0)
    }

    @Test func aBundleOfAnEarlierFrameSpoilsNoLaterOne() throws {
        var tuio = table()
        let (first, second) = (crowd(1, 0.5), crowd(2, 0.6))
        var heard: [String] = []
        for packet in [first[0], first[1], second[0], first[2], second[1], second[2]] {
            heard += try tuio.hear(packet)
        }
        #expect(heard == (1...18).map { "began \($0) 60 50" })
        #expect(tuio.counters[.incomplete] == 1 && tuio.counters[.late] == 1)
    }

    @Test func aFrameWhoseEndIsLostIsCounted() throws {
        var tuio = table()
        _ = try crowd(1, 0.5).dropLast().flatMap { try tuio.hear($0) }
        let heard = try crowd(2, 0.6).flatMap { try tuio.hear($0) }
        #expect(heard == (1...18).map { "began \($0) 60 50" })
        #expect(tuio.counters[.incomplete] == 1)
    }

    /// Two trackers on one machine, each with its name.
    @Test func framesOfTwoTrackersMayMingle() throws {
        var tuio = table()
        var heard: [String] = []
        for (name, id, x) in [("left", Int32(1), Float(0.1)), ("right", 1, 0.9)] {
            heard += try tuio.hear(Packet.bundle(head(1, name), pointer(id, x, 0.5)))
        }
        for (name, id, x) in [("left", Int32(2), Float(0.2)), ("right", 2, 0.8)] {
            heard += try tuio.hear(
                Packet.bundle(head(1, name), pointer(id, x, 0.5), end([1, 2])))
        }
        #expect(
            heard == ["began 1 10 50", "began 2 20 50", "began 3 90 50", "began 4 80 50"])
    }

    @Test func aFrameWithoutANameIsNotThatOfItsNeighbour() throws {
        var tuio = table()
        #expect(try tuio.hear(Packet.bundle(head(1, "left"), pointer(1, 0.1, 0.5))) == [])
        let unnamed = Packet.message("/tuio2/frm", 1, .time(1))
        let heard = try tuio.hear(Packet.bundle(unnamed, pointer(1, 0.9, 0.5), end([1])))
        #expect(heard == ["began 1 90 50"] && tuio.sourceCount == 2)
        #expect(try tuio.hear(Packet.bundle(head(1, "left"), end([1]))) == ["began 2 10 50"])
    }

    /// Also the extremes of 64 bits.
    @Test func anyNumberOfAFrameIsTaken() throws {
        var tuio = table()
        for number in [Int64.max, Int64.min, 0, -1, Int64.max, 1, Int64.min] {
            let head = Packet.message("/tuio2/frm", .wide(number), .time(1), .integer(0), "t")
            _ = try tuio.hear(Packet.bundle(head, pointer(1, 0.5, 0.5)))
        }
        #expect(tuio.sourceCount == 1)
    }

    @Test func bothVersionsMayComeFromOneSender() throws {
        var tuio = table()
        _ = try tuio.hear(frame(1, [pointer(1, 0.5, 0.5)], alive: [1]))
        #expect(try tuio.hear(BridgesTests.frame(1, set: [(1, 0, 0)])) == ["began 2 0 0"])
        #expect(try tuio.hear(frame(2, [], alive: [])) == ["ended 1 50 50"])
    }
}
