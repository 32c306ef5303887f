/// Makes contacts of the events of one device.
protocol ContactDecoder: Sendable {
    /// Where the device's units lie; a live device gets another one when its viewport changes.
    var screen: Screen { get set }

    /// Reads the device's next event. A complete report goes into the log.
    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError)
}

/// The keys under which the log knows contacts.
enum ContactKey {
    /// The bits of a contact; those above are of its device.
    static let deviceShift = 33

    static func device(of key: Int) -> Int { key >> deviceShift }
}

/// A device of a single contact: a pen, or an old touchscreen.
struct SingleDecoder: ContactDecoder {
    var screen: Screen
    private let key: Int
    private var x: Int?
    private var y: Int?
    private var isTouching = false
    /// Since the last report.
    private var (hasMoved, hasLanded, hasLifted) = (false, false, false)
    private var isLost = false

    /// The last place that the device told; nil before it told both coordinates.
    var place: ContactLog.Place? { screen.place(x, y) }

    init(device: Int, screen: Screen) {
        self.screen = screen
        key = device << ContactKey.deviceShift
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        switch event.code {
        case .singleX, .singleY:
            try screen.check(event, diagnostics)
            if event.code == .singleX { x = event.value } else { y = event.value }
            hasMoved = true
        case .touch where !isLost:
            isTouching = event.value != 0
            if isTouching { hasLanded = true } else { hasLifted = true }
        case .dropped:
            isTouching = false
            isLost = true
            try log.cancel(key, isLost: true, event.microseconds, event.line, diagnostics)
        case .report:
            if !isLost { try report(event, into: &log, diagnostics) }
            (hasMoved, hasLanded, hasLifted) = (false, false, false)
            isLost = false
        default: break
        }
    }

    private func report(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let place = screen.place(x, y)
        if log.isDown(key) {
            if hasLifted {
                // Where another contact lands in the same report, the place is that one's.
                try log.end(
                    key, at: isTouching ? nil : place, event.microseconds, event.line, diagnostics)
            } else if hasMoved, let place {
                try log.move(key, to: place, event.microseconds, event.line, diagnostics)
            }
            if !hasLifted || !isTouching { return }
        }
        guard isTouching || hasLanded, let place else {
            if hasLifted { log.miss(key, pointer: 0, event.line) }
            return
        }
        try log.begin(key, at: place, event.microseconds, event.line, diagnostics)
        // The contact came and went between two reports.
        if !isTouching { try log.end(key, event.microseconds, event.line, diagnostics) }
    }
}

/// Protocol B: contacts in slots. The device sends only what changes.
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

        /// Sets the tracking id; a negative one lifts the contact.
        mutating func setTrackingID(_ id: Int) {
            guard id != trackingID else { return }
            if trackingID != nil && !hasLanded { hasLifted = true }
            trackingID = id < 0 ? nil : id
            if id >= 0 { hasLanded = true }
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

    init(device: Int, screen: Screen) {
        self.device = device
        self.screen = screen
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
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
        case .dropped:
            isLost = true
            for number in slots.keys.sorted() {
                slots[number]?.trackingID = nil
                try log.cancel(
                    key(number), isLost: true, event.microseconds, event.line, diagnostics)
            }
        case .report:
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

    private mutating func report(
        _ slot: Slot, _ number: Int, _ event: InputEvent, into log: inout ContactLog,
        _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let key = key(number)
        let place = screen.place(slot.x, slot.y)
        if slot.hasLifted && log.isDown(key) {
            // Where another contact lands in the same report, the place is that one's.
            try log.end(
                key, at: slot.hasLanded ? nil : place, event.microseconds, event.line, diagnostics)
        } else if slot.trackingID == nil && !slot.hasLanded {
            log.miss(key, pointer: number, event.line)
        }
        guard slot.trackingID != nil || slot.hasLanded else { return }
        guard let place else {
            slots[number]?.isAwaited = true
            return
        }
        if slot.hasLanded || slot.isAwaited {
            try log.begin(key, at: place, event.microseconds, event.line, diagnostics)
            // The contact came and went between two reports.
            if slot.trackingID == nil {
                try log.end(key, event.microseconds, event.line, diagnostics)
            }
        } else {
            try log.move(key, to: place, event.microseconds, event.line, diagnostics)
        }
    }
}

/// Protocol A: each report lists all contacts. A contact that is not listed has lifted.
struct ListDecoder: ContactDecoder {
    /// Contacts of one report; hardware has up to some 20.
    static let contactsMax = 64

    private struct OpenContact {
        var x: Int?
        var y: Int?
        var trackingID: Int?
        var hasNoWidth = false
        /// Whether one of its events was left out.
        var isSpoilt = false
    }

    var screen: Screen
    private let device: Int
    private var contact = OpenContact()
    private var listed: [(trackingID: Int?, place: ContactLog.Place)] = []
    /// The keys of the contacts that are down.
    private var down: [Int] = []
    private var isAboutContacts = false
    /// Whether a contact of the report could not be read: then the list is not complete.
    private var isSpoilt = false
    private var isLost = false

    init(device: Int, screen: Screen) {
        self.device = device
        self.screen = screen
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        switch event.code {
        case .x, .y:
            do throws(RecordingError) {
                try screen.check(event, diagnostics)
            } catch {
                contact.isSpoilt = true
                throw error
            }
            if event.code == .x { contact.x = event.value } else { contact.y = event.value }
        case .trackingID: contact.trackingID = event.value >= 0 ? event.value : nil
        case .touchMajor: contact.hasNoWidth = event.value == 0
        // A device that sends these may end a report without listing anything.
        case .touch, .pressure: isAboutContacts = true
        case .contactEnd:
            isAboutContacts = true
            let complete = contact
            contact = OpenContact()
            do throws(RecordingError) {
                try list(complete, event, diagnostics)
            } catch {
                isSpoilt = true
                throw error
            }
        case .dropped:
            let lost = down
            down = []
            isLost = true
            for key in lost {
                try log.cancel(key, isLost: true, event.microseconds, event.line, diagnostics)
            }
        case .report:
            defer {
                listed = []
                isAboutContacts = false
                isSpoilt = false
                isLost = false
            }
            // The missing contact may be the one that could not be read: do not lift it.
            if isAboutContacts && !isLost && !isSpoilt {
                try report(event, into: &log, diagnostics)
            }
        default: break
        }
    }

    private mutating func list(
        _ contact: OpenContact, _ event: InputEvent, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        if contact.isSpoilt && (contact.x == nil || contact.y == nil) {
            // The reason is reported already.
            isSpoilt = true
            return
        }
        // Some devices report a lifted contact as one without width.
        if contact.hasNoWidth || (contact.x == nil && contact.y == nil) { return }
        guard let x = contact.x, let y = contact.y else {
            throw diagnostics.error(
                event.line, "a contact without its \(contact.x == nil ? "x" : "y")")
        }
        guard listed.count < Self.contactsMax else {
            throw diagnostics.error(event.line, "more than \(Self.contactsMax) contacts at once")
        }
        if let id = contact.trackingID, listed.contains(where: { $0.trackingID == id }) {
            throw diagnostics.error(event.line, "contact \(id) twice in one report")
        }
        listed.append((contact.trackingID, screen.place(x, y)))
    }

    private mutating func report(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let keys = match(in: log)
        for key in down where !keys.contains(key) {
            try log.end(key, event.microseconds, event.line, diagnostics)
        }
        for (key, contact) in zip(keys, listed) {
            if log.isDown(key) {
                try log.move(key, to: contact.place, event.microseconds, event.line, diagnostics)
            } else {
                try log.begin(key, at: contact.place, event.microseconds, event.line, diagnostics)
            }
        }
        down = keys
    }

    /// A key for each listed contact: its own id, or the key of the nearest earlier contact.
    private func match(in log: ContactLog) -> [Int] {
        let base = device << ContactKey.deviceShift
        var keys = listed.map { contact in contact.trackingID.map { base | $0 } }
        var pairs: [(distance: Double, index: Int, key: Int)] = []
        let unnamed = down.filter { !keys.contains($0) }
        for index in listed.indices where keys[index] == nil {
            for key in unnamed {
                guard let place = log.place(of: key) else { continue }
                let x = listed[index].place.x - place.x
                let y = listed[index].place.y - place.y
                pairs.append((x * x + y * y, index, key))
            }
        }
        pairs.sort { ($0.distance, $0.index, $0.key) < ($1.distance, $1.index, $1.key) }
        for pair in pairs where keys[pair.index] == nil && !keys.contains(pair.key) {
            keys[pair.index] = pair.key
        }
        // New contacts get keys above all tracking ids, which have 32 bits.
        var next = base | 1 << 32
        for index in keys.indices where keys[index] == nil {
            while keys.contains(next) || log.isDown(next) { next += 1 }
            keys[index] = next
        }
        return keys.compactMap(\.self)
    }
}
