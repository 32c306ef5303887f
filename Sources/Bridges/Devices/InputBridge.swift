package import Geometry
import Notation
import Protocol
import Recordings

/// Makes events of one session from what input devices tell.
///
/// Touches become contacts, also of a mouse whose button is down; wheels become `wheel`. Readings
/// have microseconds of the steady clock of `Moment`.
package struct InputBridge: Sendable {
    /// Presses and releases of one report of a mouse.
    private static let pressesMax = 16
    /// Microseconds that a reading may be ahead of the clock, or behind it, and be believed.
    private static let skewMicrosecondsMax = 2_000_000

    package enum Count: String, CaseIterable, Sendable {
        /// Devices that were opened, also again, and those that were unplugged.
        case plugged, unplugged
        /// Complete reports of devices.
        case reports
        /// Contacts that were palms: left out, or cancelled once they were.
        case palms
        /// Turns of wheels that were told, and those that came while the session was not open.
        case wheels, unplacedWheels = "unplaced_wheels"
        /// Events of keys and wheels that nothing here understands.
        case ignored
        /// Events, or lines of a stream, that cannot be believed.
        case malformed
        /// Times that the kernel dropped events since the bridge was too slow.
        case overruns
    }

    /// One contact, among those of all devices.
    package enum ContactKey: Hashable, Sendable {
        case panel(Int)
        case mouse(device: Int)
    }

    /// The motion and presses of a mouse since its last report.
    private struct Motion {
        var (dx, dy) = (0, 0)
        var presses: [Bool] = []
        var isDown = false
    }

    private struct Plugged {
        let device: InputDevice
        var motion = Motion()
        var wheel = Wheel()
    }

    /// The contacts as the session sees them. Their map is the identity: `panel` turns the panels'
    /// places alone, since a mouse moves over the picture.
    package var touches: Touches<ContactKey>
    private let panel: TouchMap
    private let pointsOfNotch: Double
    private var viewport: Size?
    private var contacts = LiveContacts()
    /// The one pointer that all mice move, 0 … 1 across the viewport.
    private var pointer = Vector(0.5, 0.5)
    private var plugged: [Int: Plugged] = [:]
    private var wheels: [BridgeEvent] = []
    package private(set) var counters = Counters<Count>()

    package init(
        touches: Touches<ContactKey>, panel: TouchMap = TouchMap(), pointsOfNotch: Double
    ) {
        self.touches = touches
        self.panel = panel
        self.pointsOfNotch = pointsOfNotch
    }

    /// The session's viewport; nil while it is not open.
    package mutating func setViewport(_ size: Size?, at moment: Moment) {
        viewport = size
        touches.setViewport(size, at: moment)
    }

    /// The devices that are plugged in now.
    package var deviceCount: Int { plugged.count }

    /// Adds a device under a free number; returns false where it has nothing that the bridge
    /// understands.
    package mutating func plug(_ device: InputDevice, as number: Int) -> Bool {
        let contacts = device.contacts
        guard contacts != nil || device.isMouse || device.hasWheel else { return false }
        if let contacts {
            self.contacts.attach(number, contacts.dialect, x: contacts.x, y: contacts.y)
        }
        plugged[number] = Plugged(device: device)
        counters.count(.plugged)
        return true
    }

    /// Removes a device and cancels its contacts.
    package mutating func unplug(_ number: Int, at moment: Moment) {
        guard plugged.removeValue(forKey: number) != nil else { return }
        counters.count(.unplugged)
        contacts.detach(number, at: moment.steady * 1_000)
        takeChanges(at: moment)
        touches.cancel(.mouse(device: number), at: moment)
    }

    /// Reads one event of a device.
    package mutating func read(_ reading: InputReading, of number: Int, at now: Moment) {
        guard let device = plugged[number]?.device else { return }
        let (type, code) = (reading.type, reading.code)
        let isReport = type == InputCode.synchronization && code == InputCode.report
        var isTaken = isReport
        if device.contacts != nil {
            let isTouch = type == InputCode.key && code == device.touchKey
            do throws(RecordingError) {
                isTaken =
                    try contacts.read(
                        type: type, code: isTouch ? InputCode.touch : code, value: reading.value,
                        of: number, at: reading.microseconds) || isTaken
            } catch {
                counters.count(.malformed)
                return
            }
        }
        if isReport {
            counters.count(.reports)
            takeChanges(at: now)
            report(number, at: moment(reading.microseconds, now))
        } else if !isTaken, !takes(reading, number),
            [InputCode.key, InputCode.relative].contains(type)
        {
            counters.count(.ignored)
        }
    }

    /// The kernel dropped events of a device; the events that follow make up for them.
    package mutating func lose(of number: Int, at moment: Moment) {
        counters.count(.overruns)
        // Its next report lists all contacts, but libevdev does not know those that lifted.
        guard plugged[number]?.device.contacts?.dialect == .lists else { return }
        // libevdev has read to the end of the report that lacks events.
        for code in [InputCode.dropped, InputCode.report] {
            let reading = InputReading(
                microseconds: moment.steady * 1_000, type: InputCode.synchronization, code: code,
                value: 0)
            read(reading, of: number, at: moment)
        }
    }

    package mutating func countMalformed(_ number: Int) { counters.count(.malformed, number) }

    /// The turns of wheels since the last call; `touches` gives the contacts.
    package mutating func takeWheels() -> [BridgeEvent] {
        defer { wheels = [] }
        return wheels
    }

    /// The moment of a reading; now, where its clock cannot be believed.
    private func moment(_ microseconds: Int, _ now: Moment) -> Moment {
        let age = now.steady * 1_000 - microseconds
        guard abs(age) <= Self.skewMicrosecondsMax else { return now }
        return Moment(steady: microseconds / 1_000, wall: now.wall - Double(age) / 1_000)
    }

    private mutating func takeChanges(at now: Moment) {
        counters.count(.palms, contacts.takePalmCount())
        for change in contacts.takeChanges() {
            let time = moment(change.microseconds, now)
            let key = ContactKey.panel(change.contact)
            // Where it lifts is where it was last, or a little further.
            let place = panel.part(change.x, change.y)
            switch change.kind {
            case .placed: touches.place(key, place.x, place.y, at: time)
            case .lifted:
                touches.place(key, place.x, place.y, at: time)
                touches.lift(key, at: time)
            case .cancelled: touches.cancel(key, at: time)
            }
        }
    }
}

/// Mice and wheels.
extension InputBridge {
    /// Whether an event is of the device's pointer or wheel, which its next report uses.
    private mutating func takes(_ reading: InputReading, _ number: Int) -> Bool {
        guard var entry = plugged[number] else { return false }
        defer { plugged[number] = entry }
        switch (reading.type, reading.code) {
        case (InputCode.relative, InputCode.relativeX): entry.motion.dx += reading.value
        case (InputCode.relative, InputCode.relativeY): entry.motion.dy += reading.value
        case (InputCode.relative, _): return entry.wheel.turn(reading.code, by: reading.value)
        // Its value 2 is a repeat.
        case (InputCode.key, InputCode.leftButton) where reading.value != 2:
            guard entry.device.isMouse, entry.motion.presses.count < Self.pressesMax else {
                return false
            }
            entry.motion.presses.append(reading.value != 0)
        default: return false
        }
        return true
    }

    private mutating func report(_ number: Int, at moment: Moment) {
        guard var entry = plugged[number] else { return }
        let motion = entry.motion
        entry.motion = Motion()
        entry.motion.isDown = motion.presses.last ?? motion.isDown
        let notches = entry.wheel.takeNotches()
        plugged[number] = entry

        let key = ContactKey.mouse(device: number)
        if let shown = contacts.place(of: number) {
            pointer = panel.part(shown.x, shown.y)
        }
        if let viewport, motion.dx != 0 || motion.dy != 0 {
            pointer = Vector(
                Self.moved(pointer.x, by: motion.dx, along: viewport.width),
                Self.moved(pointer.y, by: motion.dy, along: viewport.height))
            if motion.isDown { touches.place(key, pointer.x, pointer.y, at: moment) }
        }
        for isDown in motion.presses {
            if isDown {
                touches.place(key, pointer.x, pointer.y, at: moment)
            } else {
                touches.lift(key, at: moment)
            }
        }
        if let notches { turn(notches, at: moment) }
    }

    /// A pointer's place after a way in points; its last one is a point before the edge.
    private static func moved(_ place: Double, by points: Int, along side: Double) -> Double {
        min(max(0, place + Double(points) / side), max(0, 1 - 1 / side))
    }

    private mutating func turn(
        _ notches: (across: Double, down: Double), at moment: Moment
    ) {
        let (dx, dy) = (notches.across * pointsOfNotch, notches.down * pointsOfNotch)
        guard max(dx.magnitude, dy.magnitude) <= NumberRange.coordinateMax else {
            counters.count(.malformed)
            return
        }
        guard let viewport else {
            counters.count(.unplacedWheels)
            return
        }
        counters.count(.wheels)
        var body = ByteBuffer(capacity: 128)
        body.append("{\"gesture\":\"wheel\",\"dx\":")
        body.json(points: dx)
        body.key("dy")
        body.json(points: dy)
        body.key("x")
        body.json(points: pointer.x * viewport.width)
        body.key("y")
        body.json(points: pointer.y * viewport.height)
        body.key("t")
        body.json(exactly: (moment.wall * 1_000).rounded() / 1_000)
        body.append("}")
        wheels.append(BridgeEvent(topic: touches.topic, body: body.array()))
    }
}
