import Notation
import Protocol

/// Makes `pointer` gestures of raw contacts. Each contact begins once and ends once.
///
/// Input passes this folder so: a format reads `InputEvent`s into an `InputLog`, one
/// `ContactDecoder` for each device makes contacts of them, and this log makes gestures.
///
/// Devices send nothing about a still finger, but the daemon takes silence for a loss. So the log
/// repeats the last sample of a contact each second.
struct ContactLog {
    /// Contacts at once; no device has more slots.
    static let downMax = 256

    /// The place of a contact, in points.
    struct Place: Hashable {
        /// Points between two places, as they are written.
        static let step = 0.001

        var x: Double
        var y: Double
    }

    private struct OpenContact {
        var pointer: Int
        var place: Place
        /// The line of its landing.
        var line: Int
        /// The time and line of its last sample.
        var lastSample: (microseconds: Int, line: Int)
    }

    private var samples: [ContactSample] = []
    /// By the file's own key.
    private var down: [Int: OpenContact] = [:]
    private var unended: [(pointer: Int, line: Int)] = []
    private var unlanded: [(pointer: Int, line: Int)] = []
    /// The keys that moved without having landed.
    private var missed: Set<Int> = []
    /// Contacts that were palms from their landing, and those that became palms.
    private var (palms, formerFingers): ([(pointer: Int, line: Int)], [(pointer: Int, line: Int)]) =
        ([], [])
    /// Contacts that hover and have not touched yet, by key.
    private var hovering: [Int: (pointer: Int, line: Int)] = [:]
    /// Contacts that left without having touched.
    private var onlyHovered: [(pointer: Int, line: Int)] = []
    /// Palms since the last call of `takePalmCount`.
    private var palmCount = 0
    private var last = 0

    func isDown(_ key: Int) -> Bool { down[key] != nil }
    func place(of key: Int) -> Place? { down[key]?.place }

    /// The lowest pointer number that is free.
    private var freePointer: Int {
        let taken = Set(down.values.map(\.pointer))
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    /// Lands a contact. An earlier contact of the same key is cancelled: it never ended.
    mutating func begin(
        _ key: Int, pointer: Int? = nil, at place: Place, _ microseconds: Int, _ line: Int,
        _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) || down.count < Self.downMax else {
            throw diagnostics.error(line, "more than \(Self.downMax) contacts at once")
        }
        // Two events: the landing, and the end to come.
        try advance(to: microseconds, adding: 2, line, diagnostics)
        if isDown(key) { lose(key, microseconds, line) }
        let pointer = pointer ?? freePointer
        append("began", pointer, place, microseconds, line)
        down[key] = OpenContact(
            pointer: pointer, place: place, line: line, lastSample: (microseconds, line))
        missed.remove(key)
        hovering[key] = nil
    }

    /// Moves a contact; one that never landed is ignored.
    mutating func move(
        _ key: Int, to place: Place, _ microseconds: Int, _ line: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 1, line, diagnostics)
        guard let contact = down[key] else { return }
        append("changed", contact.pointer, place, microseconds, line)
        down[key]?.place = place
        down[key]?.lastSample = (microseconds, line)
    }

    /// Lifts a contact at a place, or where it is.
    mutating func end(
        _ key: Int, at place: Place? = nil, _ microseconds: Int, _ line: Int,
        _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 0, line, diagnostics)
        guard let contact = down.removeValue(forKey: key) else { return }
        append("ended", contact.pointer, place ?? contact.place, microseconds, line)
    }

    /// Cancels a contact. A lost one, of which the file says no more, becomes a note.
    mutating func cancel(
        _ key: Int, isLost: Bool, _ microseconds: Int, _ line: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 0, line, diagnostics)
        if isLost { lose(key, microseconds, line) } else { cancelNow(key, microseconds, line) }
    }

    private mutating func lose(_ key: Int, _ microseconds: Int, _ line: Int) {
        guard let contact = down[key] else { return }
        unended.append((contact.pointer, contact.line))
        cancelNow(key, microseconds, line)
    }

    private mutating func cancelNow(_ key: Int, _ microseconds: Int, _ line: Int) {
        guard let contact = down.removeValue(forKey: key) else { return }
        append("cancelled", contact.pointer, contact.place, microseconds, line)
    }

    /// Records, once, a contact that moves or lifts though it never landed.
    mutating func miss(_ key: Int, pointer: Int, _ line: Int) {
        hovering[key] = nil
        if missed.insert(key).inserted { unlanded.append((pointer, line)) }
    }

    /// Cancels a contact that has become a palm.
    mutating func cancelPalm(
        _ key: Int, _ microseconds: Int, _ line: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 0, line, diagnostics)
        guard let contact = down[key] else { return }
        formerFingers.append((contact.pointer, line))
        palmCount += 1
        cancelNow(key, microseconds, line)
    }

    /// Records a palm that is not down.
    mutating func leaveOutPalm(_ key: Int, pointer: Int, _ line: Int) {
        hovering[key] = nil
        palms.append((pointer, line))
        palmCount += 1
    }

    /// Records, once, a contact that hovers and has not touched yet.
    mutating func hover(_ key: Int, pointer: Int, _ line: Int) {
        if hovering[key] == nil { hovering[key] = (pointer, line) }
    }

    /// The contact leaves, or becomes another one. Nothing, where it does not hover.
    mutating func endHover(_ key: Int) {
        if let contact = hovering.removeValue(forKey: key) { onlyHovered.append(contact) }
    }

    /// Cancels the contacts that the file does not end, and returns the events, from time 0.
    mutating func finish(topic: [UInt8], _ diagnostics: inout Diagnostics) -> [Recording.Event] {
        for key in down.sorted(by: { $0.value.pointer < $1.value.pointer }).map(\.key) {
            lose(key, last, down[key]?.line ?? 0)
        }
        tell(&diagnostics)
        let first = samples.first?.microseconds ?? 0
        return samples.map { sample in
            Recording.Event(
                time: Double(sample.microseconds - first) / 1_000, topic: topic,
                body: sample.gesture.json(), line: sample.line)
        }
    }

    /// Notes what was repaired or left out.
    private func tell(_ diagnostics: inout Diagnostics) {
        if !unended.isEmpty {
            diagnostics.addNote(
                "cancelled \(counted(unended.count, "contact")) that never ended: "
                    + listed(unended))
        }
        if !formerFingers.isEmpty {
            diagnostics.addNote(
                "cancelled \(counted(formerFingers.count, "contact")) that became a palm: "
                    + listed(formerFingers))
        }
        if !unlanded.isEmpty {
            diagnostics.addNote(
                "left out \(counted(unlanded.count, "contact")) that never landed: "
                    + listed(unlanded), leavesOut: true)
        }
        if !palms.isEmpty {
            diagnostics.addNote(
                "left out \(counted(palms.count, "palm")): \(listed(palms))", leavesOut: true)
        }
        let above = (onlyHovered + hovering.values).sorted { $0.line < $1.line }
        if !above.isEmpty {
            diagnostics.addNote(
                "left out \(counted(above.count, "contact")) that only hovered: \(listed(above))",
                leavesOut: true)
        }
    }

    /// The keys of a device's contacts that are down, in no order.
    func keys(ofDevice device: Int) -> [Int] {
        down.keys.filter { ContactKey.device(of: $0) == device }
    }

    /// Removes and returns the samples since the last call, for a device that is read live.
    mutating func takeSamples() -> [ContactSample] {
        defer {
            // Notes are for files; a device that runs for years must not pile them up.
            (samples, unended, unlanded) = ([], [], [])
            (palms, formerFingers, onlyHovered, hovering) = ([], [], [], [:])
        }
        return samples
    }

    /// The palms since the last call, for a device that is read live.
    mutating func takePalmCount() -> Int {
        defer { palmCount = 0 }
        return palmCount
    }

    /// Repeats each contact that paused for a second by now, once, however long it paused.
    mutating func repeatPaused(at microseconds: Int) {
        for (key, contact) in down.sorted(by: { $0.value.pointer < $1.value.pointer })
        where microseconds - contact.lastSample.microseconds >= SampleSpacing.microseconds {
            append(
                "changed", contact.pointer, contact.place, microseconds, contact.lastSample.line)
            down[key]?.lastSample.microseconds = microseconds
        }
    }

    private mutating func append(
        _ phase: String, _ pointer: Int, _ place: Place, _ microseconds: Int, _ line: Int
    ) {
        samples.append(
            ContactSample(
                microseconds: microseconds, phase: phase, pointer: pointer, place: place,
                line: line))
        last = microseconds
    }

    /// Repeats, up to a time, each contact that had no sample for a second.
    ///
    /// Throws where the recording has no room for the repeats, for the ends of all contacts, and
    /// for `count` more events.
    private mutating func advance(
        to microseconds: Int, adding count: Int, _ line: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let period = SampleSpacing.microseconds
        var repeats = 0
        for contact in down.values {
            repeats += SampleSpacing.count(from: contact.lastSample.microseconds, to: microseconds)
        }
        try diagnostics.checkCount(samples.count + down.count + repeats + count - 1, line)
        guard repeats > 0 else { return }
        var due: [(microseconds: Int, pointer: Int, key: Int)] = []
        for (key, contact) in down {
            let last = contact.lastSample.microseconds
            for number in 0..<SampleSpacing.count(from: last, to: microseconds) {
                due.append((last + (number + 1) * period, contact.pointer, key))
            }
        }
        due.sort { ($0.microseconds, $0.pointer, $0.key) < ($1.microseconds, $1.pointer, $1.key) }
        for next in due {
            guard let contact = down[next.key] else { continue }
            append(
                "changed", contact.pointer, contact.place, next.microseconds,
                contact.lastSample.line)
            down[next.key]?.lastSample.microseconds = next.microseconds
        }
    }
}

/// One sample of a contact.
struct ContactSample {
    var microseconds: Int
    var phase: String
    var pointer: Int
    var place: ContactLog.Place
    var line: Int

    /// The gesture `pointer`, without its time.
    var gesture: Node {
        Node(
            .object([
                Node.Member("gesture", Node(.string("pointer"))),
                Node.Member("phase", Node(.string(phase))),
                Node.Member("pointer", Node(.integer(pointer))),
                Node.Member("x", Node(points: place.x)), Node.Member("y", Node(points: place.y)),
            ]))
    }
}

extension Node {
    /// A coordinate as it is written: to 1/1,000 point, as on the wire.
    init(points: Double) { self.init(.number((points * 1_000).rounded() / 1_000)) }
}

/// The longest pause between two samples of a contact, as the protocol has it.
enum SampleSpacing {
    static let microseconds = 1_000_000

    /// How many repeats fit between two times.
    static func count(from start: Int, to end: Int) -> Int {
        max(0, (end - start - 1) / microseconds)
    }
}

extension Diagnostics {
    /// Throws where no gesture can have the place.
    func check(_ place: ContactLog.Place, _ line: Int) throws(RecordingError) {
        let most = NumberRange.coordinateMax
        guard place.x.magnitude <= most, place.y.magnitude <= most else {
            throw error(line, "a place beyond ±1,000,000 points")
        }
    }

    /// Throws where a recording would have too many events.
    func checkCount(_ count: Int, _ line: Int) throws(RecordingError) {
        guard count >= Recording.eventsMax else { return }
        throw error(line, "more than \(Recording.eventsMax) events")
    }
}
