import Geometry
import Testing

@testable import Bridges

@Suite struct OSCMessageTests {
    @Test func argumentsOfEachKindAreRead() throws {
        let packet = Packet.message(
            "/a/b", -7, .wide(1 << 40), 0.5, .double(-2.25), "text", .time(9), .blob([1, 2, 3]))
        let message = try #require(OSCMessage.all(in: packet)?.first)
        #expect(message.address == "/a/b")
        #expect(
            message.arguments == [
                .integer(-7), .integer(1 << 40), .number(0.5), .number(-2.25), .text("text"),
                .other, .other,
            ])
    }

    @Test func bundlesAreReadInTheirOrderAlsoWithinBundles() {
        let packet = Packet.bundle(
            Packet.message("/1"), Packet.bundle(Packet.message("/2"), Packet.bundle()),
            Packet.message("/3"))
        #expect(OSCMessage.all(in: packet)?.map(\.address) == ["/1", "/2", "/3"])
    }

    @Test func nestingAndCountAreBounded() {
        var packet = Packet.message("/a")
        for _ in 0..<OSCMessage.depthMax { packet = Packet.bundle(packet) }
        #expect(OSCMessage.all(in: packet)?.count == 1)
        #expect(OSCMessage.all(in: Packet.bundle(packet)) == nil)
        let many = [[UInt8]](repeating: Packet.message("/a"), count: OSCMessage.messagesMax)
        #expect(OSCMessage.all(in: Packet.bundle(many))?.count == OSCMessage.messagesMax)
        #expect(OSCMessage.all(in: Packet.bundle(many + [Packet.message("/b")])) == nil)
    }

    @Test func nonsenseIsNoPacket() {
        let good = Packet.message("/tuio/2Dcur", "alive", 1, 2)
        let start = Packet.string("/a")
        var bad: [[UInt8]] = [
            [], [0], Array("hello".utf8), start, start + [1, 2, 3], Packet.message("a"),
            Packet.string("#bundle"), Packet.bundle([[]]), Packet.bundle(good, [1, 2, 3, 4]),
        ]
        bad += [
            Array(good.dropLast()), Array(good.dropLast(4)), good + [0, 0, 0, 0],
            Array(Packet.bundle(good).dropLast()),
        ]
        let blob = start + Packet.string(",b")
        bad.append(start + Packet.string(",s") + [65, 65, 65, 65])
        // A blob without room for its size.
        bad += [blob, blob + [0, 0], start + Packet.string(",ib") + [0, 0, 0, 1]]
        bad += [blob + [0x7F, 0xFF, 0xFF, 0xFF], blob + [0xFF, 0xFF, 0xFF, 0xFC]]
        for packet in bad { #expect(OSCMessage.all(in: packet) == nil, "\(packet)") }
    }

    /// Any bytes are read or refused, and never read beyond their end.
    @Test func damagedPacketsAreReadOrRefused() {
        var chance = SplitMix64(seed: 3)
        let good = frame(7, alive: [1], set: [(2, 0.5, 0.25), (3, 1, 0)], source: "a@b")
        var counts = (read: 0, refused: 0)
        for _ in 0..<20_000 {
            var packet = good
            for _ in 0...Int(chance.next() % 4) {
                let place = Int(chance.next() % UInt64(packet.count))
                switch chance.next() % 4 {
                case 0: packet[place] = UInt8(truncatingIfNeeded: chance.next())
                case 1: packet[place] ^= 1 << (chance.next() % 8)
                case 2: packet.removeSubrange(place...)
                default: packet.insert(0, at: place)
                }
                if packet.isEmpty { break }
            }
            if OSCMessage.all(in: packet) == nil { counts.refused += 1 } else { counts.read += 1 }
        }
        #expect(counts.read > 1_000 && counts.refused > 1_000)
    }
}
