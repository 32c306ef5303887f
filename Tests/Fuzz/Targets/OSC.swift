import Bridges
import Codec
import Geometry
import Notation
import Protocol

extension Target {
    /// Datagrams of a tracker: what the daemon is told of them can be decoded, and each contact
    /// begins and ends.
    static let osc = Target(name: "osc") { bytes in
        var touches = Touches<TUIO.ContactKey>(session: "s", map: TouchMap(), firstPointer: 0)
        touches.setDaemon(isThere: true, at: Moment(steady: 0, wall: 0))
        touches.setViewport(Size(320, 568), at: Moment(steady: 0, wall: 0))
        var tuio = TUIO(touches: touches)
        var down: Set<Int> = []
        for (place, packet) in packets(bytes).enumerated() {
            if let messages = OSCMessage.all(in: packet) {
                expect(messages.count <= OSCMessage.messagesMax, "too many messages")
                expect(messages.allSatisfy { $0.address.first == "/" }, "a bad address")
            }
            let moment = Moment(steady: place * 10, wall: Double(place) * 10)
            tuio.take(packet, from: "127.0.0.1:9", at: moment)
            judge(tuio.touches.takeEvents(), &down)
        }
        let end = 1_000_000
        tuio.tick(at: Moment(steady: end, wall: Double(end)))
        judge(tuio.touches.takeEvents(), &down)
        expect(down.isEmpty, "left down by a silent tracker: \(down)")
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

    private static func judge(_ events: [BridgeEvent], _ down: inout Set<Int>) {
        for event in events {
            do {
                _ = try EventDecoder().decode(topic: try Topic(event.topic), body: event.body)
            } catch {
                fatalError("\(event.topic) \(event.body.text): \(error)")
            }
            guard let body = try? Document.json(event.body), let pointer = body["pointer"]?.int,
                let phase = body["phase"]?.string
            else { fatalError("no contact: \(event.body.text)") }
            expect((phase == "began") != down.contains(pointer), "\(pointer) \(phase)")
            if phase == "ended" || phase == "cancelled" {
                down.remove(pointer)
            } else {
                down.insert(pointer)
            }
        }
    }
}
