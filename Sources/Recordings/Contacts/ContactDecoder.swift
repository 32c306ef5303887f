/// Follows one device's contacts.
protocol ContactDecoder {
    /// Takes the device's next event; what a report completes goes into the log.
    mutating func take(
        _ event: InputEvent, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError)
}

/// Bits of a contact's key below those of its device.
private let deviceShift = 33

/// A device of one contact: a pen, or a touchscreen of old.
struct SingleDecoder: ContactDecoder {
    let screen: Screen
    private let key: Int
    private var x: Int?
    private var y: Int?
    private var isTouching = false
    /// Since the last report.
    private var (hasMoved, hasLanded, hasLifted) = (false, false, false)
    private var isLost = false

    init(device: Int, screen: Screen) {
        self.screen = screen
        key = device << deviceShift
    }

    mutating func take(
        _ event: InputEvent, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError) {
        switch event.code {
        case .singleX, .singleY:
            try screen.check(event, complaints)
            if event.code == .singleX { x = event.value } else { y = event.value }
            hasMoved = true
        case .touch where !isLost:
            isTouching = event.value != 0
            if isTouching { hasLanded = true } else { hasLifted = true }
        case .dropped:
            isTouching = false
            isLost = true
            try log.cancel(key, isLost: true, event.microseconds, event.line, complaints)
        case .report:
            if !isLost { try report(event, into: &log, complaints) }
            (hasMoved, hasLanded, hasLifted) = (false, false, false)
            isLost = false
        default: break
        }
    }

    private func report(
        _ event: InputEvent, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError) {
        let place = screen.place(x, y)
        if log.isDown(key) {
            if hasLifted {
                // What a landing brings along is the place of the one that lands.
                try log.end(
                    key, at: isTouching ? nil : place, event.microseconds, event.line, complaints)
            } else if hasMoved, let place {
                try log.move(key, to: place, event.microseconds, event.line, complaints)
            }
            if !hasLifted || !isTouching { return }
        }
        guard isTouching || hasLanded, let place else {
            if hasLifted { log.miss(key, pointer: 0, event.line) }
            return
        }
        try log.begin(key, at: place, event.microseconds, event.line, complaints)
        // It came and went between two reports.
        if !isTouching { try log.end(key, event.microseconds, event.line, complaints) }
    }
}

/// Protocol B: contacts in slots, of which only what changes is told.
struct SlotDecoder: ContactDecoder {
    /// Slots of a device; hardware has up to some 20.
    static let slotsMax = 256

    private struct Slot {
        var x: Int?
        var y: Int?
        /// What the contact in it is known by; nil where there is none.
        var trackingID: Int?
        /// Since the last report: its contact lifted, another one landed.
        var hasLifted = false
        var hasLanded = false
        /// It landed, but its place is not known yet.
        var isAwaited = false

        /// Takes a tracking id; a negative one lifts.
        mutating func track(_ id: Int) {
            guard id != trackingID else { return }
            if trackingID != nil && !hasLanded { hasLifted = true }
            trackingID = id < 0 ? nil : id
            if id >= 0 { hasLanded = true }
        }
    }

    let screen: Screen
    private let device: Int
    private var slots: [Int: Slot] = [:]
    /// Nil behind one that is none: what follows is about no contact that is known.
    private var current: Int? = 0
    /// The slots that were told of since the last report, in their order.
    private var touched: [Int] = []
    private var isLost = false

    init(device: Int, screen: Screen) {
        self.device = device
        self.screen = screen
    }

    mutating func take(
        _ event: InputEvent, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError) {
        switch event.code {
        case .slot:
            current = (0..<Self.slotsMax).contains(event.value) ? event.value : nil
            guard current != nil else {
                throw complaints.error(event.line, "slot \(event.value); at most \(Self.slotsMax)")
            }
        case .x, .y:
            try screen.check(event, complaints)
            tell(current) { slot in
                if event.code == .x { slot.x = event.value } else { slot.y = event.value }
            }
        case .trackingID: tell(current) { $0.track(event.value) }
        case .dropped:
            isLost = true
            for number in slots.keys.sorted() {
                slots[number]?.trackingID = nil
                try log.cancel(
                    key(number), isLost: true, event.microseconds, event.line, complaints)
            }
        case .report:
            let told = touched
            touched = []
            defer { isLost = false }
            for number in told {
                guard let slot = slots[number] else { continue }
                slots[number]?.isAwaited = false
                slots[number]?.hasLifted = false
                slots[number]?.hasLanded = false
                // Between a loss and the next report nothing that is told can be relied on.
                if !isLost { try report(slot, number, event, into: &log, complaints) }
            }
        default: break
        }
    }

    private func key(_ number: Int) -> Int { device << deviceShift | number }

    private mutating func tell(_ number: Int?, _ change: (inout Slot) -> Void) {
        guard let number else { return }
        change(&slots[number, default: Slot()])
        if !touched.contains(number) { touched.append(number) }
    }

    private mutating func report(
        _ slot: Slot, _ number: Int, _ event: InputEvent, into log: inout ContactLog,
        _ complaints: Diagnostics
    ) throws(RecordingError) {
        let key = key(number)
        let place = screen.place(slot.x, slot.y)
        if slot.hasLifted && log.isDown(key) {
            // What a landing brings along is the place of the one that lands.
            try log.end(
                key, at: slot.hasLanded ? nil : place, event.microseconds, event.line, complaints)
        } else if slot.trackingID == nil && !slot.hasLanded {
            log.miss(key, pointer: number, event.line)
        }
        guard slot.trackingID != nil || slot.hasLanded else { return }
        guard let place else {
            slots[number]?.isAwaited = true
            return
        }
        if slot.hasLanded || slot.isAwaited {
            try log.begin(key, at: place, event.microseconds, event.line, complaints)
            // It came and went between two reports.
            if slot.trackingID == nil {
                try log.end(key, event.microseconds, event.line, complaints)
            }
        } else {
            try log.move(key, to: place, event.microseconds, event.line, complaints)
        }
    }
}

/// Protocol A: each report lists all contacts anew; what is not listed has lifted.
struct ListDecoder: ContactDecoder {
    /// Contacts of one report; hardware has up to some 20.
    static let contactsMax = 64

    private struct Contact {
        var x: Int?
        var y: Int?
        var trackingID: Int?
        var hasNoWidth = false
        /// Whether something that it says is left out.
        var isSpoilt = false
    }

    let screen: Screen
    private let device: Int
    private var contact = Contact()
    private var listed: [(trackingID: Int?, place: ContactLog.Place)] = []
    /// The keys of what is down.
    private var down: [Int] = []
    private var isAboutContacts = false
    /// Whether a contact of the report could not be read: which ones it lists nobody knows then.
    private var isSpoilt = false
    private var isLost = false

    init(device: Int, screen: Screen) {
        self.device = device
        self.screen = screen
    }

    mutating func take(
        _ event: InputEvent, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError) {
        switch event.code {
        case .x, .y:
            do throws(RecordingError) {
                try screen.check(event, complaints)
            } catch {
                contact.isSpoilt = true
                throw error
            }
            if event.code == .x { contact.x = event.value } else { contact.y = event.value }
        case .trackingID: contact.trackingID = event.value >= 0 ? event.value : nil
        case .touchMajor: contact.hasNoWidth = event.value == 0
        // A device that tells these need not list that there is nothing to list.
        case .touch, .pressure: isAboutContacts = true
        case .contactEnd:
            isAboutContacts = true
            let told = contact
            contact = Contact()
            do throws(RecordingError) {
                try list(told, event, complaints)
            } catch {
                isSpoilt = true
                throw error
            }
        case .dropped:
            let lost = down
            down = []
            isLost = true
            for key in lost {
                try log.cancel(key, isLost: true, event.microseconds, event.line, complaints)
            }
        case .report:
            defer {
                listed = []
                isAboutContacts = false
                isSpoilt = false
                isLost = false
            }
            // What is not listed would lift, and perhaps it is what could not be read.
            if isAboutContacts && !isLost && !isSpoilt { try report(event, into: &log, complaints) }
        default: break
        }
    }

    private mutating func list(
        _ told: Contact, _ event: InputEvent, _ complaints: Diagnostics
    ) throws(RecordingError) {
        if told.isSpoilt && (told.x == nil || told.y == nil) {
            // That is told already.
            isSpoilt = true
            return
        }
        // A touch without width is how some devices tell that it has lifted.
        if told.hasNoWidth || (told.x == nil && told.y == nil) { return }
        guard let x = told.x, let y = told.y else {
            throw complaints.error(
                event.line, "a contact without its \(told.x == nil ? "x" : "y")")
        }
        guard listed.count < Self.contactsMax else {
            throw complaints.error(event.line, "more than \(Self.contactsMax) contacts at once")
        }
        if let id = told.trackingID, listed.contains(where: { $0.trackingID == id }) {
            throw complaints.error(event.line, "contact \(id) twice in one report")
        }
        listed.append((told.trackingID, screen.place(x, y)))
    }

    private mutating func report(
        _ event: InputEvent, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError) {
        let keys = match(in: log)
        for key in down where !keys.contains(key) {
            try log.end(key, event.microseconds, event.line, complaints)
        }
        for (key, contact) in zip(keys, listed) {
            if log.isDown(key) {
                try log.move(key, to: contact.place, event.microseconds, event.line, complaints)
            } else {
                try log.begin(key, at: contact.place, event.microseconds, event.line, complaints)
            }
        }
        down = keys
    }

    /// A key for each contact that is listed: its own id, or that of the nearest one before.
    private func match(in log: ContactLog) -> [Int] {
        let base = device << deviceShift
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
        // New ones are known by numbers that no tracking id of 32 bits is.
        var next = base | 1 << 32
        for index in keys.indices where keys[index] == nil {
            while keys.contains(next) || log.isDown(next) { next += 1 }
            keys[index] = next
        }
        return keys.compactMap(\.self)
    }
}
