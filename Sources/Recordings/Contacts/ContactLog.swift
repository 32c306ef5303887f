import Notation
import Protocol

/// Makes `pointer` gestures of contacts, each of which begins once and ends once.
///
/// Devices are silent about a finger that is still; who listens takes silence for a loss. So what
/// was said last of a contact is said again each second.
struct ContactLog {
    /// Contacts at once: as many as a device has slots.
    static let downMax = 256

    /// Where a contact is, in points.
    struct Place: Hashable {
        var x: Double
        var y: Double
    }

    private struct Contact {
        var pointer: Int
        var place: Place
        /// Where it landed.
        var line: Int
        /// When and where it was told of last.
        var said: (microseconds: Int, line: Int)
    }

    private struct Sample {
        var microseconds: Int
        var body: [UInt8]
        var line: Int
    }

    private var samples: [Sample] = []
    /// By what the file knows them by.
    private var down: [Int: Contact] = [:]
    private var unended: [(pointer: Int, line: Int)] = []
    private var unlanded: [(pointer: Int, line: Int)] = []
    /// What moved without having landed, since it was down last.
    private var missed: Set<Int> = []
    private var last = 0

    func isDown(_ key: Int) -> Bool { down[key] != nil }
    func place(of key: Int) -> Place? { down[key]?.place }

    /// The lowest number that no contact on the screen has.
    private var freePointer: Int {
        let taken = Set(down.values.map(\.pointer))
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    /// A contact lands; one that the file knows by the same key never ended.
    mutating func begin(
        _ key: Int, pointer: Int? = nil, at place: Place, _ microseconds: Int, _ line: Int,
        _ complaints: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) || down.count < Self.downMax else {
            throw complaints.error(line, "more than \(Self.downMax) contacts at once")
        }
        // Its landing, and how it ends one day.
        try advance(to: microseconds, adding: 2, line, complaints)
        if isDown(key) { lose(key, microseconds, line) }
        let pointer = pointer ?? freePointer
        append("began", pointer, place, microseconds, line)
        down[key] = Contact(
            pointer: pointer, place: place, line: line, said: (microseconds, line))
        missed.remove(key)
    }

    mutating func move(
        _ key: Int, to place: Place, _ microseconds: Int, _ line: Int, _ complaints: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 1, line, complaints)
        guard let contact = down[key] else { return }
        append("changed", contact.pointer, place, microseconds, line)
        down[key]?.place = place
        down[key]?.said = (microseconds, line)
    }

    /// A contact lifts where it is, or at a new place.
    mutating func end(
        _ key: Int, at place: Place? = nil, _ microseconds: Int, _ line: Int,
        _ complaints: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 0, line, complaints)
        guard let contact = down.removeValue(forKey: key) else { return }
        append("ended", contact.pointer, place ?? contact.place, microseconds, line)
    }

    /// A contact that the file itself cancels, or of which it says no more: that is told of.
    mutating func cancel(
        _ key: Int, isLost: Bool, _ microseconds: Int, _ line: Int, _ complaints: Diagnostics
    ) throws(RecordingError) {
        guard isDown(key) else { return }
        try advance(to: microseconds, adding: 0, line, complaints)
        if isLost { lose(key, microseconds, line) } else { take(key, microseconds, line) }
    }

    private mutating func lose(_ key: Int, _ microseconds: Int, _ line: Int) {
        guard let contact = down[key] else { return }
        unended.append((contact.pointer, contact.line))
        take(key, microseconds, line)
    }

    private mutating func take(_ key: Int, _ microseconds: Int, _ line: Int) {
        guard let contact = down.removeValue(forKey: key) else { return }
        append("cancelled", contact.pointer, contact.place, microseconds, line)
    }

    /// Notes a contact that moves or lifts though it never landed, once.
    mutating func miss(_ key: Int, pointer: Int, _ line: Int) {
        if missed.insert(key).inserted { unlanded.append((pointer, line)) }
    }

    /// Ends what the file does not end, and gives the events, from time 0.
    mutating func finish(topic: [UInt8], _ complaints: inout Diagnostics) -> [Recording.Event] {
        for key in down.sorted(by: { $0.value.pointer < $1.value.pointer }).map(\.key) {
            lose(key, last, down[key]?.line ?? 0)
        }
        if !unended.isEmpty {
            complaints.note(
                "\(counted(unended.count, "contact")) never ended, and cancelled: "
                    + listed(unended))
        }
        if !unlanded.isEmpty {
            complaints.note(
                "\(counted(unlanded.count, "contact")) never landed, and left out: "
                    + listed(unlanded), leavesOut: true)
        }
        let first = samples.first?.microseconds ?? 0
        return samples.map { sample in
            Recording.Event(
                time: Double(sample.microseconds - first) / 1_000, topic: topic,
                body: sample.body, line: sample.line)
        }
    }

    private mutating func append(
        _ phase: String, _ pointer: Int, _ place: Place, _ microseconds: Int, _ line: Int
    ) {
        samples.append(
            Sample(
                microseconds: microseconds, body: Self.body(phase, pointer, place), line: line))
        last = microseconds
    }

    /// Says again what is down and was not told of for a second, up to a time.
    ///
    /// Throws where the file has no room for that, for the end of all that is down, and for what
    /// is to be added besides.
    private mutating func advance(
        to microseconds: Int, adding count: Int, _ line: Int, _ complaints: Diagnostics
    ) throws(RecordingError) {
        let period = Silence.microseconds
        var repeats = 0
        for contact in down.values {
            repeats += Silence.count(from: contact.said.microseconds, to: microseconds)
        }
        try complaints.checkCount(samples.count + down.count + repeats + count - 1, line)
        guard repeats > 0 else { return }
        var due: [(microseconds: Int, pointer: Int, key: Int)] = []
        for (key, contact) in down {
            let said = contact.said.microseconds
            for number in 0..<Silence.count(from: said, to: microseconds) {
                due.append((said + (number + 1) * period, contact.pointer, key))
            }
        }
        due.sort { ($0.microseconds, $0.pointer, $0.key) < ($1.microseconds, $1.pointer, $1.key) }
        for next in due {
            guard let contact = down[next.key] else { continue }
            append(
                "changed", contact.pointer, contact.place, next.microseconds, contact.said.line)
            down[next.key]?.said.microseconds = next.microseconds
        }
    }

    private static func body(_ phase: String, _ pointer: Int, _ place: Place) -> [UInt8] {
        Node(
            .object([
                Node.Member("gesture", Node(.string("pointer"))),
                Node.Member("phase", Node(.string(phase))),
                Node.Member("pointer", Node(.integer(pointer))),
                Node.Member("x", Node(.number(place.x))), Node.Member("y", Node(.number(place.y))),
            ])
        ).json()
    }
}

/// How long nothing may be said of what is down: a publisher repeats its last sample each second.
enum Silence {
    static let microseconds = 1_000_000

    /// How often that passes from one time to before another.
    static func count(from start: Int, to end: Int) -> Int {
        max(0, (end - start - 1) / microseconds)
    }
}

extension Diagnostics {
    /// Throws where a place is none that a gesture can have.
    func check(_ place: ContactLog.Place, _ line: Int) throws(RecordingError) {
        let most = NumberRange.coordinateMax
        guard place.x.magnitude <= most, place.y.magnitude <= most else {
            throw error(line, "a place beyond ±1,000,000 points")
        }
    }

    /// Throws where a file has more events than a recording may.
    func checkCount(_ count: Int, _ line: Int) throws(RecordingError) {
        guard count >= Recording.eventsMax else { return }
        throw error(line, "more than \(Recording.eventsMax) events")
    }
}
