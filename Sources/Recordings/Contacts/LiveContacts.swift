package import Notation
import Protocol

/// Contacts of devices that are read while they are touched: the decoders of recordings, with
/// samples taken out as they come.
///
/// Times are microseconds of a clock that does not go back. All devices share one set of pointer
/// numbers, so that one session can take them all.
package struct LiveContacts: Sendable {
    /// How a device speaks of its contacts.
    package enum Dialect: Hashable, Sendable {
        /// Protocol A: each report lists all contacts.
        case lists
        /// Protocol B: contacts in slots.
        case slots
        /// One contact, in ABS_X and ABS_Y.
        case single
    }

    package struct Sample: Sendable {
        /// The time at the device.
        package var microseconds: Int
        /// The gesture `pointer`, without `t`.
        package var gesture: Node
    }

    private var log = ContactLog()
    private var decoders: [Int: any ContactDecoder] = [:]
    private var turn: ScreenTurn
    private var viewport: (width: Double, height: Double)
    private var last = 0
    /// Only carries its errors: a live device has no lines.
    private let diagnostics = Diagnostics(file: "", keepsGoing: true)

    package init(viewport: (width: Double, height: Double), turn: ScreenTurn) {
        self.viewport = viewport
        self.turn = turn
    }

    /// Adds a device with the ranges of its axes; its number is not in use.
    package mutating func attach(
        _ device: Int, _ dialect: Dialect, x: ClosedRange<Int>, y: ClosedRange<Int>
    ) {
        let screen = Screen(x: x, y: y, filling: viewport, turned: turn)
        decoders[device] =
            switch dialect {
            case .lists: ListDecoder(device: device, screen: screen)
            case .slots: SlotDecoder(device: device, screen: screen)
            case .single: SingleDecoder(device: device, screen: screen)
            }
    }

    /// Removes a device and cancels its contacts. Returns how many they were.
    @discardableResult
    package mutating func detach(_ device: Int, at microseconds: Int) -> Int {
        decoders[device] = nil
        let keys = log.keys(ofDevice: device)
        for key in keys.sorted() { cancel(key, at: microseconds) }
        return keys.count
    }

    /// Scales the devices, and the contacts that are down, to another viewport.
    package mutating func resize(to viewport: (width: Double, height: Double)) {
        guard viewport != self.viewport else { return }
        log.scalePlaces(
            across: viewport.width / self.viewport.width,
            down: viewport.height / self.viewport.height)
        self.viewport = viewport
        for (device, decoder) in decoders {
            decoders[device]?.screen = Screen(
                x: decoder.screen.x, y: decoder.screen.y, filling: viewport, turned: turn)
        }
    }

    /// Reads one event of an attached device; returns false for a code that is not of contacts.
    ///
    /// Throws where the event cannot be believed: a place far outside, too many contacts.
    @discardableResult
    package mutating func read(
        type: Int, code: Int, value: Int, of device: Int, at microseconds: Int
    ) throws(RecordingError) -> Bool {
        guard let code = InputEvent.Code(type: type, code: code), decoders[device] != nil else {
            return false
        }
        let event = InputEvent(
            microseconds: pass(to: microseconds), device: device, code: code, value: value, line: 0)
        try decoders[device]?.read(event, into: &log, diagnostics)
        return true
    }

    /// Repeats the contacts that rest, at least once a second. Returns the time, which never falls.
    @discardableResult
    package mutating func pass(to microseconds: Int) -> Int {
        last = max(last, microseconds)
        log.repeatPaused(at: last)
        return last
    }

    /// The time at which `pass` has something to repeat; nil while nothing is down.
    package var nextRepeat: Int? { log.nextRepeat }

    /// Removes and returns the samples since the last call.
    package mutating func takeSamples() -> [Sample] {
        log.takeSamples().map { Sample(microseconds: $0.microseconds, gesture: $0.gesture) }
    }
}

/// The contact of a pointer that has no axes, such as a mouse's.
extension LiveContacts {
    package mutating func press(
        _ device: Int, x: Double, y: Double, at microseconds: Int
    ) throws(RecordingError) {
        let time = pass(to: microseconds)
        try log.begin(
            key(device), at: ContactLog.Place(x: x, y: y), time, 0, diagnostics)
    }

    package mutating func move(
        _ device: Int, x: Double, y: Double, at microseconds: Int
    ) throws(RecordingError) {
        let time = pass(to: microseconds)
        try log.move(key(device), to: ContactLog.Place(x: x, y: y), time, 0, diagnostics)
    }

    package mutating func release(_ device: Int, at microseconds: Int) throws(RecordingError) {
        let time = pass(to: microseconds)
        try log.end(key(device), time, 0, diagnostics)
    }

    private func key(_ device: Int) -> Int { device << ContactKey.deviceShift }

    private mutating func cancel(_ key: Int, at microseconds: Int) {
        let time = pass(to: microseconds)
        // It throws only where a recording is full, and samples are taken out of this one.
        try? log.cancel(key, isLost: false, time, 0, diagnostics)
    }
}
