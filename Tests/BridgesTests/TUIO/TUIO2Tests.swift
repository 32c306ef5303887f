import Testing

@testable import Bridges

/// TUIO 2.0: `frm` begins a frame, `alv` ends it.
@Suite struct TUIO2Tests {
    private func pointer(
        _ id: Int32, _ x: Float, _ y: Float, pressure: Float = 0, kind: Int32 = 0
    ) -> [UInt8] {
        Packet.message(
            "/tuio2/ptr", .integer(id), .integer(kind), 0, .number(x), .number(y), 0.0, 0.0, 0.01,
            .number(pressure))
    }

    private func frame(_ number: Int32, _ parts: [[UInt8]], alive: [Int32]) -> [UInt8] {
        let head = Packet.message(
            "/tuio2/frm", .integer(number), .time(1), .integer(0), "table:0@0x7F000001")
        let end = Packet.message("/tuio2/alv", alive.map { .integer($0) })
        return Packet.bundle([head] + parts + [end])
    }

    @Test func pointersTouchAndBoundsDoNot() throws {
        var tuio = trackedTable()
        let bounds = Packet.message("/tuio2/bnd", 8, 0.5, 0.5, 0.0, 0.1, 0.1, 0.01)
        #expect(
            try tuio.hear(frame(1, [pointer(7, 0.5, 0.25), bounds], alive: [7, 8]))
                == ["began 1 50 25"])
        #expect(
            try tuio.hear(frame(2, [pointer(7, 0.5, 0.5)], alive: [7])) == ["changed 1 50 50"])
        #expect(try tuio.hear(frame(3, [], alive: [7, 8])) == [])
        #expect(try tuio.hear(frame(2, [], alive: [])) == [])
        #expect(try tuio.hear(frame(4, [], alive: [])) == ["ended 1 50 50"])
        #expect(tuio.counters[.late] == 1 && tuio.counters[.ignored] == 1)
    }

    /// The field "type and user", and the user whom a contact's first sample names.
    private static let users: [(Int32, String)] = [
        (0, ""), (1, ""), (0x1_0000, " of 1"), (0x2_0003, " of 2"), (0x7fff_0001, " of 32767"),
        (-0x1_0000, " of 65535"),
    ]

    @Test(arguments: users)
    func aContactNamesItsPersonWhereTheTrackerKnowsIt(kind: Int32, user: String) throws {
        var tuio = trackedTable()
        #expect(
            try tuio.hear(frame(1, [pointer(7, 0.5, 0.25, kind: kind)], alive: [7]))
                == ["began 1 50 25\(user)"])
        #expect(
            try tuio.hear(frame(2, [pointer(7, 0.5, 0.5, kind: kind)], alive: [7]))
                == ["changed 1 50 50"])
    }

    /// A negative pressure is a distance from the surface.
    @Test func aHoveringPointerDoesNotTouch() throws {
        var tuio = trackedTable()
        #expect(try tuio.hear(frame(1, [pointer(7, 0, 0, pressure: -0.5)], alive: [7])) == [])
        #expect(try tuio.hear(frame(2, [pointer(7, 0, 0)], alive: [7])) == ["began 1 0 0"])
        #expect(
            try tuio.hear(frame(3, [pointer(7, 0, 0, pressure: -0.5)], alive: [7]))
                == ["ended 1 0 0"])
    }

    @Test func aFrameWithoutItsEndIsDropped() throws {
        var tuio = trackedTable()
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
        var tuio = trackedTable()
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
        var tuio = trackedTable()
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
        var tuio = trackedTable()
        let fseq = Packet.message("/tuio/2Dcur", "fseq", 1)
        let alive = Packet.message("/tuio/2Dcur", "alive", 1)
        let set = Packet.message("/tuio/2Dcur", "set", 1, 0.5, 0.5, 0.0, 0.0, 0.0)
        #expect(try tuio.hear(Packet.bundle(fseq, set, alive)) == ["began 1 50 50"])
        #expect(tuio.counters[.frames] == 1)
    }

    @Test(arguments: [true, false])
    func aFrameMayComeInSeveralBundles(heads: Bool) throws {
        var tuio = trackedTable()
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
        var tuio = trackedTable()
        let frames = [crowd(1, 0.5), crowd(2, 0.6)]
        let landed = try order.flatMap { try tuio.hear(frames[0][$0]) }
        #expect(landed.count == 18 && landed.allSatisfy { $0.hasPrefix("began ") })
        let moved = try order.flatMap { try tuio.hear(frames[1][$0]) }
        #expect(moved.count == 18 && moved.allSatisfy { $0.hasPrefix("changed ") })
        #expect(tuio.counters[.incomplete] == 0 && tuio.counters[.late] == 0)
    }

    @Test func aBundleOfAnEarlierFrameSpoilsNoLaterOne() throws {
        var tuio = trackedTable()
        let (first, second) = (crowd(1, 0.5), crowd(2, 0.6))
        var heard: [String] = []
        for packet in [first[0], first[1], second[0], first[2], second[1], second[2]] {
            heard += try tuio.hear(packet)
        }
        #expect(heard == (1...18).map { "began \($0) 60 50" })
        #expect(tuio.counters[.incomplete] == 1 && tuio.counters[.late] == 1)
    }

    @Test func aFrameWhoseEndIsLostIsCounted() throws {
        var tuio = trackedTable()
        _ = try crowd(1, 0.5).dropLast().flatMap { try tuio.hear($0) }
        let heard = try crowd(2, 0.6).flatMap { try tuio.hear($0) }
        #expect(heard == (1...18).map { "began \($0) 60 50" })
        #expect(tuio.counters[.incomplete] == 1)
    }

    /// Two trackers on one machine, each with its name.
    @Test func framesOfTwoTrackersMayMingle() throws {
        var tuio = trackedTable()
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
        var tuio = trackedTable()
        #expect(try tuio.hear(Packet.bundle(head(1, "left"), pointer(1, 0.1, 0.5))) == [])
        let unnamed = Packet.message("/tuio2/frm", 1, .time(1))
        let heard = try tuio.hear(Packet.bundle(unnamed, pointer(1, 0.9, 0.5), end([1])))
        #expect(heard == ["began 1 90 50"] && tuio.sourceCount == 2)
        #expect(try tuio.hear(Packet.bundle(head(1, "left"), end([1]))) == ["began 2 10 50"])
    }

    /// Also the extremes of 64 bits.
    @Test func anyNumberOfAFrameIsTaken() throws {
        var tuio = trackedTable()
        for number in [Int64.max, Int64.min, 0, -1, Int64.max, 1, Int64.min] {
            let head = Packet.message("/tuio2/frm", .wide(number), .time(1), .integer(0), "t")
            _ = try tuio.hear(Packet.bundle(head, pointer(1, 0.5, 0.5)))
        }
        #expect(tuio.sourceCount == 1)
    }

    @Test func bothVersionsMayComeFromOneSender() throws {
        var tuio = trackedTable()
        _ = try tuio.hear(frame(1, [pointer(1, 0.5, 0.5)], alive: [1]))
        #expect(try tuio.hear(BridgesTests.frame(1, set: [(1, 0, 0)])) == ["began 2 0 0"])
        #expect(try tuio.hear(frame(2, [], alive: [])) == ["ended 1 50 50"])
    }
}
