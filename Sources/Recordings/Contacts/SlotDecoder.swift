/// Protocol B: contacts in slots. The device sends only what changes.
///
/// It also reads devices that send no tracking ids, and mostly no slots: there `sign` says when
/// contacts are down.
struct SlotDecoder: ContactDecoder {
    /// Slots of a device; hardware has up to some 20.
    static let slotsMax = 256

    private struct Slot {
        var x: Int?
        var y: Int?
        /// The tracking id of the contact in the slot; nil without one.
        var trackingID: Int?
        /// Since the last report.
        var hasLifted = false
        var hasLanded = false
        /// The contact landed, but its place is not known yet.
        var isAwaited = false
        var tool = ToolType.finger
        /// Above the surface; 0: on it.
        var distance = 0
        /// A contact that was a palm once stays one until it lifts, as libinput has it.
        var isPalm = false
        /// The contact was above the surface at the last report.
        var isHovering = false
        /// The contact has been on the surface.
        var hasTouched = false
        /// Whether the contact that lifted since the last report was a palm.
        var wasPalm = false

        /// Sets the tracking id; a negative one lifts the contact.
        mutating func setTrackingID(_ id: Int) {
            guard id != trackingID else { return }
            if trackingID != nil && !hasLanded { (hasLifted, wasPalm) = (true, isPalm) }
            trackingID = id < 0 ? nil : id
            if id >= 0 { (hasLanded, isPalm) = (true, tool == ToolType.palm) }
        }

        mutating func setTool(_ tool: Int) {
            self.tool = tool
            if tool == ToolType.palm {
                if trackingID != nil { isPalm = true }
            } else if hasLanded {
                // The slot's former contact was the palm.
                isPalm = false
            }
        }
    }

    var screen: Screen
    private let device: Int
    private var slots: [Int: Slot] = [:]
    /// The slot of the next events; nil after a bad number, until a good one.
    private var current: Int? = 0
    /// The slots that changed since the last report, in order.
    private var changed: [Int] = []
    private var isLost = false
    private var pens = Pens()
    private var wereHovering = false
    /// The code that says whether anything touches; above 0 it does. Nil: tracking ids say it.
    private let sign: InputEvent.Code?
    private var isSigned = false
    /// Whether a contact is to land with the next report.
    private var hasSigned = false
    /// Takes the place of the tracking ids that the device does not send.
    private var nextID = 0

    init(device: Int, screen: Screen, sign: InputEvent.Code? = nil) {
        self.device = device
        self.screen = screen
        self.sign = sign
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        pens.read(event)
        if event.code == sign, !isLost { takeSign(event, into: &log) }
        switch event.code {
        case .slot:
            current = (0..<Self.slotsMax).contains(event.value) ? event.value : nil
            guard current != nil else {
                throw diagnostics.error(event.line, "slot \(event.value); at most \(Self.slotsMax)")
            }
        case .x, .y:
            try screen.check(event, diagnostics)
            changeSlot(current) { slot in
                if event.code == .x { slot.x = event.value } else { slot.y = event.value }
            }
        case .trackingID: changeSlot(current) { $0.setTrackingID(event.value) }
        case .toolType: changeSlot(current) { $0.setTool(event.value) }
        case .distance: changeSlot(current) { $0.distance = event.value }
        case .dropped:
            isLost = true
            (isSigned, hasSigned) = (false, false)
            for number in slots.keys.sorted() {
                slots[number]?.trackingID = nil
                try log.cancel(
                    key(number), isLost: true, event.microseconds, event.line, diagnostics)
            }
        case .report:
            landSigned()
            noticePens()
            let reported = changed
            changed = []
            defer { isLost = false }
            for number in reported {
                guard let slot = slots[number] else { continue }
                slots[number]?.isAwaited = false
                slots[number]?.hasLifted = false
                slots[number]?.hasLanded = false
                // Between a loss and the next report the values cannot be relied on.
                if !isLost { try report(slot, number, event, into: &log, diagnostics) }
            }
        default: break
        }
    }

    private func key(_ number: Int) -> Int { device << ContactKey.deviceShift | number }

    private mutating func changeSlot(_ number: Int?, _ change: (inout Slot) -> Void) {
        guard let number else { return }
        change(&slots[number, default: Slot()])
        if !changed.contains(number) { changed.append(number) }
    }

    /// Takes the code that stands for tracking ids.
    private mutating func takeSign(_ event: InputEvent, into log: inout ContactLog) {
        let isDown = event.value > 0
        guard isDown != isSigned else {
            // The file begins while a finger is down.
            if !isDown, let current { log.miss(key(current), pointer: current, event.line) }
            return
        }
        if isDown {
            (isSigned, hasSigned) = (true, true)
            return
        }
        // A contact may come and go between two reports.
        if hasSigned { landSigned() }
        isSigned = false
        for number in slots.keys.sorted() where slots[number]?.trackingID != nil {
            changeSlot(number) { $0.setTrackingID(-1) }
        }
    }

    /// Lands contacts in the slots that have a new place. A new finger may share the place of the
    /// old one, which is not sent again.
    private mutating func landSigned() {
        guard isSigned, !isLost else { return }
        for number in changed where slots[number]?.trackingID == nil { land(number) }
        if hasSigned, let current, !slots.values.contains(where: { $0.trackingID != nil }) {
            land(current)
        }
        hasSigned = false
    }

    private mutating func land(_ number: Int) {
        let id = nextID
        nextID += 1
        changeSlot(number) { $0.setTrackingID(id) }
    }

    /// A pen that comes down, or goes up, changes all contacts of its device.
    private mutating func noticePens() {
        guard pens.areHovering != wereHovering else { return }
        wereHovering = pens.areHovering
        for (number, slot) in slots.sorted(by: { $0.key < $1.key })
        where slot.trackingID != nil && !changed.contains(number) {
            changed.append(number)
        }
    }

    private mutating func report(
        _ slot: Slot, _ number: Int, _ event: InputEvent, into log: inout ContactLog,
        _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        var slot = slot
        let place = screen.place(slot.x, slot.y)
        try endFormer(slot, number, at: place, event, into: &log, diagnostics)
        guard slot.trackingID != nil || slot.hasLanded else { return }
        if slot.hasLanded { (slot.isHovering, slot.hasTouched) = (false, false) }
        defer {
            slots[number]?.isAwaited = slot.isAwaited
            slots[number]?.isHovering = slot.isHovering
            slots[number]?.hasTouched = slot.hasTouched
        }
        let former = slot
        if slot.isPalm {
            (slot.isAwaited, slot.isHovering) = (false, false)
            try leaveOut(former, number, event, into: &log, diagnostics)
        } else if slot.distance > 0 || pens.areHovering {
            slot.isHovering = true
            try hover(former, number, at: place, event, into: &log, diagnostics)
        } else if let place {
            (slot.isAwaited, slot.isHovering, slot.hasTouched) = (false, false, true)
            try touch(former, number, at: place, event, into: &log, diagnostics)
        } else {
            slot.isAwaited = true
        }
    }

    /// Ends the contact that lifted since the last report.
    private mutating func endFormer(
        _ slot: Slot, _ number: Int, at place: ContactLog.Place?, _ event: InputEvent,
        into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let key = key(number)
        let (time, line) = (event.microseconds, event.line)
        if slot.hasLifted && log.isDown(key) {
            if slot.wasPalm {
                try log.cancelPalm(key, time, line, diagnostics)
            } else {
                // Where another contact lands in the same report, the place is that one's.
                try log.end(key, at: slot.hasLanded ? nil : place, time, line, diagnostics)
            }
        } else if slot.hasLifted && (slot.wasPalm || slot.isHovering) {
            log.endHover(key)
        } else if slot.trackingID == nil && !slot.hasLanded {
            if sign == nil {
                log.miss(key, pointer: number, line)
            } else {
                log.hover(key, pointer: number, line)
            }
        }
    }

    private func touch(
        _ slot: Slot, _ number: Int, at place: ContactLog.Place, _ event: InputEvent,
        into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let key = key(number)
        let (time, line) = (event.microseconds, event.line)
        if slot.hasLanded || slot.isAwaited || slot.isHovering {
            try log.begin(key, at: place, time, line, diagnostics)
            // The contact came and went between two reports.
            if slot.trackingID == nil { try log.end(key, time, line, diagnostics) }
        } else {
            try log.move(key, to: place, time, line, diagnostics)
        }
    }

    private func leaveOut(
        _ slot: Slot, _ number: Int, _ event: InputEvent, into log: inout ContactLog,
        _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let key = key(number)
        if log.isDown(key) {
            try log.cancelPalm(key, event.microseconds, event.line, diagnostics)
        } else if slot.hasLanded || slot.isAwaited || slot.isHovering {
            log.leaveOutPalm(key, pointer: number, event.line)
        }
    }

    private func hover(
        _ slot: Slot, _ number: Int, at place: ContactLog.Place?, _ event: InputEvent,
        into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let key = key(number)
        try log.end(key, at: place, event.microseconds, event.line, diagnostics)
        guard !slot.hasTouched else { return }
        log.hover(key, pointer: number, event.line)
        if slot.trackingID == nil { log.endHover(key) }
    }
}
