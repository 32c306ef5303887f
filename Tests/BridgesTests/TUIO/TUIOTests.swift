import Geometry
import Testing

@testable import Bridges

func trackedTable(_ map: TouchMap = TouchMap()) -> TUIO {
    var touches = Touches<TUIO.ContactKey>(session: "s", map: map, firstPointer: 0)
    touches.setDaemon(isThere: true, at: at(0))
    touches.setViewport(Size(100, 100), at: at(0))
    return TUIO(touches: touches)
}

extension TUIO {
    /// Takes a packet and returns what the daemon is told.
    mutating func hear(
        _ packet: [UInt8], from sender: String = "127.0.0.1:9", at time: Int = 0
    ) throws -> [String] {
        take(packet, from: sender, at: at(time))
        return try told(touches.takeEvents())
    }
}

@Suite struct TUIOTests {
    @Test func aContactLivesByTheAliveListAlone() throws {
        var tuio = trackedTable()
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
        var tuio = trackedTable()
        #expect(try tuio.hear(frame(1, alive: [4])) == [])
        #expect(try tuio.hear(frame(2, set: [(4, 1, 1)])) == ["began 1 100 100"])
    }

    @Test func aFrameIsAppliedAtItsEndAndMaySpanPackets() throws {
        var tuio = trackedTable()
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
        var tuio = trackedTable()
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
        var tuio = trackedTable()
        _ = try tuio.hear(frame(10, set: [(1, 0.5, 0.5)]))
        #expect(try tuio.hear(frame(9, set: [(2, 0.1, 0.1)])) == [])
        #expect(try tuio.hear(frame(11, alive: [1, 2])) == [])
        #expect(try tuio.hear(frame(12)) == ["ended 1 50 50"])
    }

    @Test func sourcesHaveTheirOwnContactsAndNumbers() throws {
        var tuio = trackedTable()
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
        var tuio = trackedTable()
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
        var tuio = trackedTable()
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
        var tuio = trackedTable()
        for number in 0...TUIO.sourcesMax { _ = try tuio.hear(frame(1, source: "s\(number)")) }
        #expect(tuio.sourceCount == TUIO.sourcesMax && tuio.counters[.refusedSources] > 0)
        tuio.tick(at: at(3_000))
        #expect(tuio.sourceCount == 0)
        #expect(
            try tuio.hear(frame(1, set: [(1, 0, 0)], source: "late"), at: 3_000)
                == ["began 1 0 0"])
    }

    @Test func malformedMessagesAreCountedAndTheFrameGoesOn() throws {
        var tuio = trackedTable()
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
        _ = try tuio.hear(Packet.message("/tuio/2Dblb", "alive"))
        _ = try tuio.hear(Packet.message("/mixer/fader", 0.5))
        _ = try tuio.hear([1, 2, 3])
        #expect(tuio.counters[.ignored] == 2 && tuio.counters[.malformedPackets] == 1)
    }

    @Test func aFrameOfTooManyContactsIsCut() throws {
        var tuio = trackedTable()
        let many = (0..<600).map { (id: Int32($0), x: Float(0.5), y: Float(0.5)) }
        let sets = many.map {
            Packet.message("/tuio/2Dcur", "set", .integer($0.id), 0.5, 0.5, 0, 0, 0)
        }
        _ = try tuio.hear(Packet.bundle(sets))
        #expect(tuio.counters[.malformedMessages] == 600 - TUIO.aliveMax)
    }
}
