/// Protocol A: each report lists all contacts. A contact that is not listed has lifted.
struct ListDecoder: ContactDecoder {
    /// Contacts of one report; hardware has up to some 20.
    static let contactsMax = 64

    private struct OpenContact {
        var x: Int?
        var y: Int?
        var trackingID: Int?
        var hasNoWidth = false
        var isPalm = false
        var isAbove = false
        /// Whether one of its events was left out.
        var isSpoilt = false
    }

    private struct Listed {
        var trackingID: Int?
        var place: ContactLog.Place
        var isPalm: Bool
        /// It is above the surface.
        var isAbove: Bool
    }

    /// A listed contact that does not touch.
    private struct Apart {
        var place: ContactLog.Place
        /// A contact that was a palm once stays one until it lifts.
        var isPalm: Bool
        /// The contact has been on the surface.
        var hasTouched: Bool
    }

    var screen: Screen
    private let device: Int
    private var contact = OpenContact()
    private var listed: [Listed] = []
    /// The keys of the contacts of the last report.
    private var known: [Int] = []
    /// Those of them that do not touch: palms, and what hovers.
    private var apart: [Int: Apart] = [:]
    private var isAboutContacts = false
    /// Whether a contact of the report could not be read: then the list is not complete.
    private var isSpoilt = false
    private var isLost = false
    private var pens = Pens()

    init(device: Int, screen: Screen) {
        self.device = device
        self.screen = screen
    }

    mutating func read(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        pens.read(event)
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
        case .toolType: contact.isPalm = event.value == ToolType.palm
        case .distance: contact.isAbove = event.value > 0
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
            let lost = known
            (known, apart) = ([], [:])
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
        listed.append(
            Listed(
                trackingID: contact.trackingID, place: screen.place(x, y), isPalm: contact.isPalm,
                isAbove: contact.isAbove))
    }

    private mutating func report(
        _ event: InputEvent, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let keys = match(in: log)
        let (time, line) = (event.microseconds, event.line)
        for key in known where !keys.contains(key) {
            try log.end(key, time, line, diagnostics)
            log.endHover(key)
        }
        let former = apart
        (known, apart) = (keys, [:])
        for (number, (key, contact)) in zip(keys, listed).enumerated() {
            let wasPalm = former[key]?.isPalm == true
            let hasTouched = log.isDown(key) || former[key]?.hasTouched == true
            if contact.isPalm || wasPalm {
                apart[key] = Apart(place: contact.place, isPalm: true, hasTouched: hasTouched)
                if log.isDown(key) {
                    try log.cancelPalm(key, time, line, diagnostics)
                } else if !wasPalm {
                    log.leaveOutPalm(key, pointer: number, line)
                }
            } else if contact.isAbove || pens.areHovering {
                apart[key] = Apart(place: contact.place, isPalm: false, hasTouched: hasTouched)
                try log.end(key, at: contact.place, time, line, diagnostics)
                if !hasTouched { log.hover(key, pointer: number, line) }
            } else if log.isDown(key) {
                try log.move(key, to: contact.place, time, line, diagnostics)
            } else {
                try log.begin(key, at: contact.place, time, line, diagnostics)
            }
        }
    }

    /// A key for each listed contact: its own id, or the key of the nearest earlier contact.
    private func match(in log: ContactLog) -> [Int] {
        let base = device << ContactKey.deviceShift
        var keys = listed.map { contact in contact.trackingID.map { base | $0 } }
        var pairs: [(distance: Double, index: Int, key: Int)] = []
        let unnamed = known.filter { !keys.contains($0) }
        for index in listed.indices where keys[index] == nil {
            for key in unnamed {
                guard let place = apart[key]?.place ?? log.place(of: key) else { continue }
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
            while keys.contains(next) || log.isDown(next) || apart[next] != nil { next += 1 }
            keys[index] = next
        }
        return keys.compactMap(\.self)
    }
}
