import Bridges
import Geometry

extension Target {
    /// A device's events as evemu prints them, while they come: what the daemon is told of them can
    /// be decoded, and each contact begins and ends.
    static let device = Target(name: "device") { bytes in
        let start = Moment(steady: 0, wall: 0)
        var stream = EvemuStream(name: "d")
        // The first half comes before the device is known.
        stream.read(bytes.prefix(bytes.count / 2), at: 0)
        var touches = Touches<InputBridge.ContactKey>(
            session: "s", map: TouchMap(), firstPointer: 0)
        touches.setDaemon(isThere: true, at: start)
        var bridge = InputBridge(touches: touches, pointsOfNotch: 40)
        bridge.setViewport(Size(320, 568), at: start)
        guard bridge.plug(stream.device, as: 1) else { return }
        var contacts = Contacts()
        stream.read(bytes.dropFirst(bytes.count / 2), at: 0)
        stream.finish(at: 0)
        var last = 0
        while let due = stream.nextDue {
            expect(due >= last, "time falls from \(last) to \(due)")
            last = due
            let now = Moment(steady: due / 1_000, wall: Double(due / 1_000))
            for reading in stream.takeDue(at: due) { bridge.read(reading, of: 1, at: now) }
            contacts.take(bridge.takeWheels())
            contacts.take(bridge.touches.takeEvents())
        }
        bridge.unplug(1, at: Moment(steady: last / 1_000 + 1, wall: 0))
        contacts.take(bridge.touches.takeEvents())
        contacts.expectEnded()
    }
}
