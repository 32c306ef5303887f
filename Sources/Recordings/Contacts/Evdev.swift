/// One event of Linux' input layer about contacts.
struct InputEvent {
    /// The codes about contacts; readers skip all others.
    enum Code: Hashable {
        /// The values since the last report hold now.
        case report
        /// Protocol A: one contact of the report is complete.
        case contactEnd
        /// The reader was too slow: events are missing.
        case dropped
        /// Protocol B: the contact of the following events.
        case slot
        case x
        case y
        case trackingID
        case touchMajor
        /// A contact is of a finger, a pen or a palm.
        case toolType
        /// How far it is above the surface; 0: it touches.
        case distance
        /// A pen, a rubber or the like, by its code, is in range.
        case pen(Int)
        /// A device of a single contact: its place, and whether it touches.
        case singleX
        case singleY
        case touch
        case pressure
        /// The pressure of a contact in protocols A and B.
        case contactPressure
        /// The left button of a mouse, or of a device that points absolutely.
        case button
        /// A finger, as the only tool of a device, is there.
        case finger
    }

    var microseconds: Int
    /// The index of the device in the file.
    var device: Int
    var code: Code
    var value: Int
    var line: Int
}

extension InputEvent.Code {
    /// By type and code of `linux/input-event-codes.h`; nil for codes that are not of contacts.
    init?(type: Int, code: Int) {
        switch (type, code) {
        case (0, 0): self = .report
        case (0, 2): self = .contactEnd
        case (0, 3): self = .dropped
        case (1, 0x110): self = .button
        case (1, 0x140...0x144): self = .pen(code)
        case (1, 0x145): self = .finger
        case (1, 0x14A): self = .touch
        case (3, 0x00): self = .singleX
        case (3, 0x01): self = .singleY
        case (3, 0x18): self = .pressure
        case (3, 0x2F): self = .slot
        case (3, 0x30): self = .touchMajor
        case (3, 0x35): self = .x
        case (3, 0x36): self = .y
        case (3, 0x37): self = .toolType
        case (3, 0x39): self = .trackingID
        case (3, 0x3A): self = .contactPressure
        case (3, 0x3B): self = .distance
        default: return nil
        }
    }
}

extension InputEvent {
    /// Whether an event is a person's, though of no contact: of a key or a button, a wheel or a
    /// switch.
    static func isOther(type: Int, code: Int) -> Bool {
        // From 0x140 on there are tools, which touchscreens send beside their contacts.
        type == 1 && code < 0x140 || type == 2 || type == 5
    }
}

/// The ranges of a device's axes, in its own units.
package struct Axes: Hashable, Sendable {
    var x: ClosedRange<Int>?
    var y: ClosedRange<Int>?
    /// Those of a single contact; they may differ.
    var singleX: ClosedRange<Int>?
    var singleY: ClosedRange<Int>?

    /// Sets one axis as its device describes it. A range without extent is ignored.
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

    /// These axes, with the missing ones of the other.
    func completed(by other: Axes?) -> Axes {
        Axes(
            x: x ?? other?.x, y: y ?? other?.y, singleX: singleX ?? other?.singleX,
            singleY: singleY ?? other?.singleY)
    }
}

/// The input events of a file, with its devices.
struct InputLog {
    /// Input events of a file; a minute of ten fingers has some 50,000.
    static let eventsMax = 4_000_000
    /// Devices of a file; more than any machine has.
    static let devicesMax = 256

    var events: [InputEvent] = []
    /// By device.
    var axes: [Axes] = [Axes()]
    /// Events of keys, wheels and switches, which are not among the others.
    var othersCount = 0
    private var timeline = Timeline()
    /// By device, an event whose time falls.
    private var suspects: [Int: InputEvent] = [:]

    /// Appends the next event by its numbers; one that is not of contacts is only counted.
    mutating func append(
        _ microseconds: Int, device: Int = 0, type: Int, code: Int, value: Int, _ line: Int,
        _ diagnostics: inout Diagnostics
    ) throws(RecordingError) {
        if let code = InputEvent.Code(type: type, code: code) {
            try append(
                InputEvent(
                    microseconds: microseconds, device: device, code: code, value: value,
                    line: line), &diagnostics)
        } else if InputEvent.isOther(type: type, code: code) {
            othersCount += 1
        }
    }

    /// Appends the next event.
    ///
    /// Where reading keeps going, an event whose time falls is held back. The next event of its
    /// device shows whether it was wrong, or the event before it.
    mutating func append(
        _ event: InputEvent, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) {
        if let fallen = suspects.removeValue(forKey: event.device) {
            if let jump = jump(before: fallen, and: event) {
                try diagnostics.skipLine(
                    diagnostics.error(events[jump].line, "its time jumps ahead"))
                events.remove(at: jump)
                timeline.dropLastTime(of: event.device)
                try accept(fallen, diagnostics)
            } else {
                try diagnostics.skipLine(fall(fallen, diagnostics))
            }
        }
        if diagnostics.keepsGoing, isFall(event) {
            suspects[event.device] = event
        } else {
            try accept(event, diagnostics)
        }
    }

    /// Leaves out the events that are still held back at the end.
    mutating func finish(_ diagnostics: inout Diagnostics) throws(RecordingError) {
        for fallen in suspects.values.sorted(by: { $0.line < $1.line }) {
            try diagnostics.skipLine(fall(fallen, diagnostics))
        }
        suspects = [:]
    }

    /// The index of the device's last event, if that one is wrong: two later events agree with
    /// each other and with the event before it, but not with it.
    private func jump(before fallen: InputEvent, and event: InputEvent) -> Int? {
        guard fallen.microseconds <= event.microseconds, isFall(event),
            timeline.isSoundBefore(fallen.microseconds, of: fallen.device)
        else { return nil }
        return events.lastIndex { $0.device == event.device }
    }

    private func isFall(_ event: InputEvent) -> Bool {
        timeline.isFall(event.microseconds, of: event.device)
    }

    private func fall(_ event: InputEvent, _ diagnostics: Diagnostics) -> RecordingError {
        timeline.fall(to: event.microseconds, of: event.device, event.line, diagnostics)
    }

    private mutating func accept(
        _ event: InputEvent, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        try timeline.check(event.microseconds, of: event.device, event.line, diagnostics)
        guard events.count < Self.eventsMax else {
            throw diagnostics.error(event.line, "more than \(Self.eventsMax) input events")
        }
        events.append(event)
        timeline.recordTime(event.microseconds, of: event.device)
    }
}

extension InputLog {
    /// The greatest value of each code that a device sends.
    private typealias Maxima = [InputEvent.Code: Int]

    /// Makes a recording of the contacts of all devices.
    func recording(
        _ options: ReadingOptions, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> Recording {
        var contacts = try contacts(options, &diagnostics)
        return Recording(events: contacts.finish(topic: options.topic(), &diagnostics))
    }

    private func contacts(
        _ options: ReadingOptions, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> ContactLog {
        var maxima = Array(repeating: Maxima(), count: axes.count)
        for event in events {
            let most = maxima[event.device][event.code] ?? 0
            maxima[event.device][event.code] = max(most, event.value)
        }
        var decoders: [(any ContactDecoder)?] = []
        for device in axes.indices {
            decoders.append(decoder(of: device, maxima[device], options, &diagnostics))
        }
        // A button that is no contact is a person's event, too.
        let buttons = events.count {
            $0.code == .button && (decoders[$0.device] as? SingleDecoder)?.sign != .button
        }
        noteOthers(othersCount + buttons, &diagnostics)
        var log = ContactLog()
        for event in merged {
            do throws(RecordingError) {
                try decoders[event.device]?.read(event, into: &log, diagnostics)
            } catch {
                try diagnostics.skipLine(error)
            }
        }
        return log
    }

    /// Tells of what a person did that is no contact.
    private func noteOthers(_ count: Int, _ diagnostics: inout Diagnostics) {
        guard count > 0 else { return }
        diagnostics.addNote(
            "left out \(counted(count, "event")) of keys, wheels or switches",
            leavesOut: true)
    }

    /// The events by time. Where several devices are read together, events may be late.
    private var merged: [InputEvent] {
        axes.count < 2
            ? events : events.sorted { ($0.microseconds, $0.line) < ($1.microseconds, $1.line) }
    }

    /// A note about a screen of unknown size, and the size assumed instead.
    private static func sizeNote(_ x: ClosedRange<Int>?, _ y: ClosedRange<Int>?) -> String {
        let units = [x, y].compactMap { $0.map { "\($0.upperBound + 1)" } }
        let unknown = y == nil ? "width" : x == nil ? "height" : "size"
        return "the screen's \(unknown) is not in the file; assuming "
            + units.joined(separator: "x") + (units.count == 1 ? " units" : "")
            + ", the furthest touch (set it with --screen or --device)"
    }

    /// Chooses the decoder by the codes that a device sends; nil without contacts.
    private func decoder(
        of device: Int, _ maxima: Maxima, _ options: ReadingOptions,
        _ diagnostics: inout Diagnostics
    ) -> (any ContactDecoder)? {
        let isMulti = maxima[.x] != nil || maxima[.y] != nil || maxima[.contactEnd] != nil
        guard isMulti || maxima[.singleX] != nil || maxima[.singleY] != nil else { return nil }
        let known = axes[device].completed(by: options.device)
        let described = isMulti ? (known.x, known.y) : (known.singleX, known.singleY)
        let seen = isMulti ? (maxima[.x], maxima[.y]) : (maxima[.singleX], maxima[.singleY])
        let given = options.screen.map { (0...($0.width - 1), 0...($0.height - 1)) }
        let x = given?.0 ?? described.0 ?? 0...max(1, seen.0 ?? 1)
        let y = given?.1 ?? described.1 ?? 0...max(1, seen.1 ?? 1)
        if given == nil, described.0 == nil || described.1 == nil, options.scale == nil {
            diagnostics.addNote(
                Self.sizeNote(described.0 == nil ? x : nil, described.1 == nil ? y : nil))
        }
        let screen = Screen(x: x, y: y, viewport: options.viewport, scale: options.scale)
        if !isMulti {
            let sign = Self.sign(maxima, among: [.touch, .button, .finger, .pressure])
            return SingleDecoder(device: device, screen: screen, sign: sign ?? .touch)
        }
        if maxima[.contactEnd] != nil { return ListDecoder(device: device, screen: screen) }
        // Without ids something else says when a contact is down.
        let sign =
            maxima[.trackingID] == nil
            ? Self.sign(maxima, among: [.touch, .finger, .contactPressure, .touchMajor, .pressure])
            : nil
        return SlotDecoder(device: device, screen: screen, sign: sign)
    }

    /// The first of some codes that a device sends.
    private static func sign(
        _ maxima: Maxima, among codes: [InputEvent.Code]
    ) -> InputEvent.Code? {
        codes.first { maxima[$0] != nil }
    }
}
