import Notation
import Wire

/// Makes `pointer` gestures of contacts, each of which begins once and ends once.
struct ContactLog {
    /// Where a contact is, in points.
    struct Place: Hashable {
        var x: Double
        var y: Double
    }

    private struct Contact {
        var pointer: Int
        var place: Place
        var line: Int
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
        _ complaints: Complaints
    ) throws(RecordingError) {
        if isDown(key) { cancel(key, microseconds, line) }
        let pointer = pointer ?? freePointer
        try append("began", pointer, place, microseconds, line, complaints)
        down[key] = Contact(pointer: pointer, place: place, line: line)
        missed.remove(key)
    }

    mutating func move(
        _ key: Int, to place: Place, _ microseconds: Int, _ line: Int, _ complaints: Complaints
    ) throws(RecordingError) {
        guard let contact = down[key] else { return }
        try append("changed", contact.pointer, place, microseconds, line, complaints)
        down[key]?.place = place
    }

    /// A contact lifts where it is, or at a new place.
    mutating func end(
        _ key: Int, at place: Place? = nil, _ microseconds: Int, _ line: Int,
        _ complaints: Complaints
    ) throws(RecordingError) {
        guard let contact = down[key] else { return }
        let place = place ?? contact.place
        try append("ended", contact.pointer, place, microseconds, line, complaints)
        down[key] = nil
    }

    /// A contact of which the file says no more.
    mutating func cancel(_ key: Int, _ microseconds: Int, _ line: Int) {
        guard let contact = down[key] else { return }
        unended.append((contact.pointer, contact.line))
        drop(key, microseconds, line)
    }

    /// A contact that the file itself cancels.
    mutating func drop(_ key: Int, _ microseconds: Int, _ line: Int) {
        guard let contact = down.removeValue(forKey: key) else { return }
        let body = Self.body("cancelled", contact.pointer, contact.place)
        samples.append(Sample(microseconds: microseconds, body: body, line: line))
        last = microseconds
    }

    /// Notes a contact that moves or lifts though it never landed, once.
    mutating func miss(_ key: Int, pointer: Int, _ line: Int) {
        if missed.insert(key).inserted { unlanded.append((pointer, line)) }
    }

    /// Ends what the file does not end, and gives the events, from time 0.
    mutating func finish(topic: [UInt8], _ complaints: inout Complaints) -> [Recording.Event] {
        for key in down.sorted(by: { $0.value.pointer < $1.value.pointer }).map(\.key) {
            cancel(key, last, down[key]?.line ?? 0)
        }
        if !unended.isEmpty {
            complaints.note(
                "\(counted(unended.count, "contact")) never ended, and cancelled: "
                    + listed(unended))
        }
        if !unlanded.isEmpty {
            complaints.note(
                "\(counted(unlanded.count, "contact")) never landed, and left out: "
                    + listed(unlanded))
        }
        let first = samples.first?.microseconds ?? 0
        return samples.map { sample in
            Recording.Event(
                time: Double(sample.microseconds - first) / 1_000, topic: topic,
                body: sample.body, line: sample.line)
        }
    }

    private mutating func append(
        _ phase: String, _ pointer: Int, _ place: Place, _ microseconds: Int, _ line: Int,
        _ complaints: Complaints
    ) throws(RecordingError) {
        try complaints.checkCount(samples.count + down.count, line)
        samples.append(
            Sample(
                microseconds: microseconds, body: Self.body(phase, pointer, place), line: line))
        last = microseconds
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

extension Complaints {
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
