import Notation
import Protocol

/// Contacts of devices that are read while they are touched: the decoders of recordings, with
/// changes taken out as they come.
///
/// Places are 0 … 1 from the device's top left corner. Times are microseconds of a clock that does
/// not go back. All devices share one set of contact numbers; a number is free again after its
/// contact's end.
package struct LiveContacts: Sendable {
    /// How a device speaks of its contacts.
    package enum Dialect: Hashable, Sendable {
        /// Protocol A: each report lists all contacts. Also a single contact with the same axes.
        case lists
        /// Protocol B: contacts in slots.
        case slots
        /// One contact, in ABS_X and ABS_Y.
        case single
    }

    package struct Change: Hashable, Sendable {
        package enum Kind: Hashable, Sendable { case placed, lifted, cancelled }

        /// The time at the device.
        package var microseconds: Int
        package var contact: Int
        package var kind: Kind
        package var x: Double
        package var y: Double
    }

    private var log = ContactLog()
    private var decoders: [Int: any ContactDecoder] = [:]
    private var last = 0
    /// Only carries its errors: a live device has no lines.
    private let diagnostics = Diagnostics(file: "", keepsGoing: true)

    package init() {}

    /// Adds a device with the ranges of its axes; its number is not in use.
    package mutating func attach(
        _ device: Int, _ dialect: Dialect, x: ClosedRange<Int>, y: ClosedRange<Int>
    ) {
        let screen = Screen(unitOf: x, y)
        decoders[device] =
            switch dialect {
            case .lists: UndecidedDecoder(device: device, screen: screen)
            case .slots: SlotDecoder(device: device, screen: screen)
            case .single: SingleDecoder(device: device, screen: screen)
            }
    }

    /// Removes a device and cancels its contacts.
    package mutating func detach(_ device: Int, at microseconds: Int) {
        decoders[device] = nil
        let time = pass(to: microseconds)
        for key in log.keys(ofDevice: device).sorted() {
            // It throws only where a recording is full, and changes are taken out of this one.
            try? log.cancel(key, isLost: false, time, 0, diagnostics)
        }
    }

    /// Reads one event of an attached device; returns false for a code that is not of contacts.
    ///
    /// Throws where the event cannot be believed: a place far outside, too many contacts.
    package mutating func read(
        type: Int, code: Int, value: Int, of device: Int, at microseconds: Int
    ) throws(RecordingError) -> Bool {
        // A live device says by `BTN_TOUCH` alone whether it touches; see `InputDevice.touchKey`.
        guard let code = InputEvent.Code(type: type, code: code), decoders[device] != nil,
            ![.button, .finger].contains(code)
        else { return false }
        let event = InputEvent(
            microseconds: pass(to: microseconds), device: device, code: code, value: value, line: 0)
        try decoders[device]?.read(event, into: &log, diagnostics)
        return true
    }

    /// The last place of a device of a single contact, whether it touches or not.
    package func place(of device: Int) -> (x: Double, y: Double)? {
        (decoders[device] as? SingleDecoder)?.place.map { ($0.x, $0.y) }
    }

    /// Removes and returns what has happened since the last call, in its order.
    package mutating func takeChanges() -> [Change] {
        log.takeSamples().map { sample in
            let kind: Change.Kind =
                switch sample.phase {
                case "ended": .lifted
                case "cancelled": .cancelled
                default: .placed
                }
            return Change(
                microseconds: sample.microseconds, contact: sample.pointer, kind: kind,
                x: sample.place.x, y: sample.place.y)
        }
    }

    /// The palms since the last call: contacts that were left out or cancelled.
    package mutating func takePalmCount() -> Int { log.takePalmCount() }

    /// Keeps time from falling, and the log from repeating each second of a pause afterwards.
    private mutating func pass(to microseconds: Int) -> Int {
        last = max(last, microseconds)
        log.repeatPaused(at: last)
        return last
    }
}
