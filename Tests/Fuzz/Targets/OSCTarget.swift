import Bridges
import Geometry

extension Target {
    /// Datagrams of a tracker: what the daemon is told of them can be decoded, and each contact
    /// begins and ends.
    static let osc = Target(name: "osc") { bytes in
        var touches = Touches<TUIO.ContactKey>(session: "s", map: TouchMap(), firstPointer: 0)
        touches.setDaemon(isThere: true, at: Moment(steady: 0, wall: 0))
        touches.setViewport(Size(320, 568), at: Moment(steady: 0, wall: 0))
        var tuio = TUIO(touches: touches)
        var contacts = Contacts()
        for (place, packet) in packets(bytes).enumerated() {
            if let messages = OSCMessage.all(in: packet) {
                expect(messages.count <= OSCMessage.messagesMax, "too many messages")
                // Not by letters: an accent behind the slash would make another one of it.
                let slash = UInt8(ascii: "/")
                expect(messages.allSatisfy { $0.address.utf8.first == slash }, "a bad address")
            }
            let moment = Moment(steady: place * 10, wall: Double(place) * 10)
            tuio.take(packet, from: "127.0.0.1:9", at: moment)
            contacts.take(tuio.touches.takeEvents())
        }
        let end = 1_000_000
        tuio.tick(at: Moment(steady: end, wall: Double(end)))
        contacts.take(tuio.touches.takeEvents())
        // The tracker has been silent for long.
        contacts.expectEnded()
    }

    /// Several datagrams in one input; each has its length before it, in words.
    private static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var rest = bytes[...]
        while let length = rest.popFirst(), packets.count < packetsMax {
            let packet = rest.prefix(Int(length) * 4)
            packets.append(Array(packet))
            rest = rest.dropFirst(packet.count)
        }
        return packets
    }

    private static let packetsMax = 16
}

extension Contacts {
    /// Takes all that a bridge tells the daemon.
    mutating func take(_ events: [BridgeEvent]) {
        for event in events { take(topic: Array(event.topic.utf8), body: event.body) }
    }
}
