/// One event of Linux' input layer, of those that say where contacts are.
struct InputEvent {
    /// What the event says; all others are passed over where they are read.
    enum Code: Hashable {
        /// What was said since the last report holds now.
        case report
        /// Protocol A: one contact of the report is complete.
        case contactEnd
        /// The reader was too slow, and events are missing.
        case dropped
        /// Protocol B: which contact the following events are about.
        case slot
        case x
        case y
        case trackingID
        case touchMajor
        /// A device of a single contact: where it is, and whether it touches.
        case singleX
        case singleY
        case touch
        case pressure
    }

    var microseconds: Int
    /// Which of a file's devices it is of, from 0.
    var device: Int
    var code: Code
    var value: Int
    var line: Int
}

extension InputEvent.Code {
    /// By type and code of `linux/input-event-codes.h`; nil for what says nothing of contacts.
    init?(type: Int, code: Int) {
        switch (type, code) {
        case (0, 0): self = .report
        case (0, 2): self = .contactEnd
        case (0, 3): self = .dropped
        case (1, 0x14A): self = .touch
        case (3, 0x00): self = .singleX
        case (3, 0x01): self = .singleY
        case (3, 0x18): self = .pressure
        case (3, 0x2F): self = .slot
        case (3, 0x30): self = .touchMajor
        case (3, 0x35): self = .x
        case (3, 0x36): self = .y
        case (3, 0x39): self = .trackingID
        default: return nil
        }
    }
}

/// How many units a device's axes have.
package struct Axes: Hashable, Sendable {
    var x: ClosedRange<Int>?
    var y: ClosedRange<Int>?
    /// Those of the single contact; they may be other ones.
    var singleX: ClosedRange<Int>?
    var singleY: ClosedRange<Int>?

    /// Takes one axis as its device describes it; one without extent says nothing.
    mutating func describe(axis: Int, from: Int, to: Int) {
        guard from < to else { return }
        switch axis {
        case 0x35: x = from...to
        case 0x36: y = from...to
        case 0x00: singleX = from...to
        case 0x01: singleY = from...to
        default: break
        }
    }

    /// What is described here, and else what is described there.
    func completed(by other: Axes?) -> Axes {
        Axes(
            x: x ?? other?.x, y: y ?? other?.y, singleX: singleX ?? other?.singleX,
            singleY: singleY ?? other?.singleY)
    }
}

/// What a file of input events holds.
struct InputLog {
    /// Input events of a file; a minute of ten fingers has some 50,000.
    static let eventsMax = 4_000_000
    /// Devices of a file: no machine has as many.
    static let devicesMax = 256

    var events: [InputEvent] = []
    /// By device.
    var axes: [Axes] = [Axes()]
    private var timeline = Timeline()
    /// By device, an event whose time falls.
    private var held: [Int: InputEvent] = [:]

    /// Takes the next event.
    ///
    /// Where reading goes on whatever there is, one whose time falls is held back: the next of its
    /// device tells whether it is wrong, or the one before it.
    mutating func append(
        _ event: InputEvent, _ complaints: inout Diagnostics
    ) throws(RecordingError) {
        if let fallen = held.removeValue(forKey: event.device) {
            if let jump = jump(before: fallen, and: event) {
                try complaints.skip(complaints.error(events[jump].line, "its time jumps ahead"))
                events.remove(at: jump)
                timeline.goBack(event.device)
                try take(fallen, complaints)
            } else {
                try complaints.skip(fall(fallen, complaints))
            }
        }
        if complaints.keepsGoing, isFall(event) {
            held[event.device] = event
        } else {
            try take(event, complaints)
        }
    }

    /// Leaves out what is held back at the end, where nothing tells that it is right.
    mutating func finish(_ complaints: inout Diagnostics) throws(RecordingError) {
        for fallen in held.values.sorted(by: { $0.line < $1.line }) {
            try complaints.skip(fall(fallen, complaints))
        }
        held = [:]
    }

    /// The device's last event, where two that follow agree with each other and with the one
    /// before it, but not with it.
    private func jump(before fallen: InputEvent, and event: InputEvent) -> Int? {
        guard fallen.microseconds <= event.microseconds, isFall(event),
            timeline.isSoundBefore(fallen.microseconds, of: fallen.device)
        else { return nil }
        return events.lastIndex { $0.device == event.device }
    }

    private func isFall(_ event: InputEvent) -> Bool {
        timeline.isFall(event.microseconds, of: event.device)
    }

    private func fall(_ event: InputEvent, _ complaints: Diagnostics) -> RecordingError {
        timeline.fall(to: event.microseconds, of: event.device, event.line, complaints)
    }

    private mutating func take(
        _ event: InputEvent, _ complaints: Diagnostics
    ) throws(RecordingError) {
        try timeline.check(event.microseconds, of: event.device, event.line, complaints)
        guard events.count < Self.eventsMax else {
            throw complaints.error(event.line, "more than \(Self.eventsMax) input events")
        }
        events.append(event)
        timeline.take(event.microseconds, of: event.device)
    }
}

/// From a device's units to points.
struct Screen {
    let x: ClosedRange<Int>
    let y: ClosedRange<Int>
    let width: Double
    let height: Double
    /// Points of a unit, where a scale is asked for and the viewport does not matter.
    let scale: Double?

    /// Throws where an event about one axis says a place that no gesture can have.
    func check(_ event: InputEvent, _ complaints: Diagnostics) throws(RecordingError) {
        let isAcross = [.x, .singleX].contains(event.code)
        let place = isAcross ? place(event.value, y.lowerBound) : place(x.lowerBound, event.value)
        try complaints.check(place, event.line)
    }

    func place(_ x: Int, _ y: Int) -> ContactLog.Place {
        func part(_ value: Int, _ range: ClosedRange<Int>, _ extent: Double) -> Double {
            let offset = Double(value - range.lowerBound)
            if let scale { return offset * scale }
            return offset / Double(range.upperBound - range.lowerBound) * extent
        }
        return ContactLog.Place(x: part(x, self.x, width), y: part(y, self.y, height))
    }

    /// Nil while one of them is not known yet.
    func place(_ x: Int?, _ y: Int?) -> ContactLog.Place? {
        guard let x, let y else { return nil }
        return place(x, y)
    }
}

extension InputLog {
    /// What a device says at all: the greatest value of each code.
    private typealias Said = [InputEvent.Code: Int]

    /// The contacts of all devices, as gestures.
    func contacts(
        _ options: ReadingOptions, _ complaints: inout Diagnostics
    ) throws(RecordingError) -> ContactLog {
        var said = Array(repeating: Said(), count: axes.count)
        for event in events {
            let most = said[event.device][event.code] ?? 0
            said[event.device][event.code] = max(most, event.value)
        }
        var decoders: [(any ContactDecoder)?] = []
        for device in axes.indices {
            decoders.append(decoder(of: device, said[device], options, &complaints))
        }
        var log = ContactLog()
        for event in merged {
            do throws(RecordingError) {
                try decoders[event.device]?.take(event, into: &log, complaints)
            } catch {
                try complaints.skip(error)
            }
        }
        return log
    }

    /// The events by time: where several devices are read at once, one's may be told late.
    private var merged: [InputEvent] {
        axes.count < 2
            ? events : events.sorted { ($0.microseconds, $0.line) < ($1.microseconds, $1.line) }
    }

    /// What is not said of a screen, and what is taken for it.
    private static func size(_ x: ClosedRange<Int>?, _ y: ClosedRange<Int>?) -> String {
        let units = [x, y].compactMap { $0.map { "\($0.upperBound + 1)" } }
        let unsaid = y == nil ? "wide" : x == nil ? "high" : "large"
        return "it does not say how \(unsaid) its screen is; taken as "
            + units.joined(separator: "x") + (units.count == 1 ? " units" : "")
    }

    /// Reads a device's protocol off what it says; nil where it says nothing of contacts.
    private func decoder(
        of device: Int, _ said: Said, _ options: ReadingOptions, _ complaints: inout Diagnostics
    ) -> (any ContactDecoder)? {
        let isMulti = said[.x] != nil || said[.y] != nil || said[.contactEnd] != nil
        guard isMulti || said[.singleX] != nil || said[.singleY] != nil else { return nil }
        let known = axes[device].completed(by: options.device)
        let told = isMulti ? (known.x, known.y) : (known.singleX, known.singleY)
        let seen = isMulti ? (said[.x], said[.y]) : (said[.singleX], said[.singleY])
        let given = options.screen.map { (0...($0.width - 1), 0...($0.height - 1)) }
        let x = given?.0 ?? told.0 ?? 0...max(1, seen.0 ?? 1)
        let y = given?.1 ?? told.1 ?? 0...max(1, seen.1 ?? 1)
        if given == nil, told.0 == nil || told.1 == nil, options.scale == nil {
            complaints.note(
                Self.size(told.0 == nil ? x : nil, told.1 == nil ? y : nil)
                    + ", the furthest that was touched (--screen or --device tell)")
        }
        let screen = Screen(
            x: x, y: y, width: options.viewport.width, height: options.viewport.height,
            scale: options.scale)
        if !isMulti { return SingleDecoder(device: device, screen: screen) }
        return said[.contactEnd] != nil
            ? ListDecoder(device: device, screen: screen)
            : SlotDecoder(device: device, screen: screen)
    }
}
