import Client
import Glibc
import Notation
import Recordings
import Wire

/// Sends a recording's events in their own time, times the speed.
struct Player {
    let recording: Recording
    let speed: Double

    /// Interrupted, it cancels what is down, says so, and throws `interrupted`.
    func play(to publisher: Publisher) throws(Failure) {
        guard let first = recording.events.first else { return }
        // The daemon must listen before the recording's clock starts.
        try daemon { () throws(ClientError) in
            try publisher.waitForSubscription(to: first.topic)
        }
        let clock = PlayClock(speed: speed, begin: begin)
        var contacts = OpenContacts()
        var progress = Progress(lengthMilliseconds: end - begin)
        do throws(Failure) {
            try play(to: publisher, clock, &contacts, &progress)
        } catch .interrupted(let signal) {
            progress.end()
            // A second interruption ends it at once.
            clock.signals.release()
            for (topic, body) in contacts.cancelled() {
                try publish(topic, body, at: clock.wallNow, to: publisher)
            }
            Console.say("interrupted; \(contacts.count) of what was down cancelled")
            throw .interrupted(signal)
        }
        progress.end()
    }

    /// Milliseconds on the recording's scale of the first and the last that it says.
    private var begin: Double {
        min(recording.events.first?.time ?? 0, recording.captions.first?.time ?? .infinity)
    }
    private var end: Double {
        max(recording.events.last?.time ?? begin, recording.captions.last?.time ?? begin)
    }

    private func play(
        to publisher: Publisher, _ clock: PlayClock, _ contacts: inout OpenContacts,
        _ progress: inout Progress
    ) throws(Failure) {
        var captions = recording.captions[...]
        for (index, event) in recording.events.enumerated() {
            while let caption = captions.first, caption.eventsBefore <= index {
                captions.removeFirst()
                try clock.wait(for: caption.time)
                progress.say(caption.text)
            }
            try clock.wait(for: event.time)
            try publish(event.topic, event.body, at: clock.wallTime(of: event.time), to: publisher)
            contacts.follow(event.topic, event.body)
            progress.show(event.time - begin)
        }
        for caption in captions {
            try clock.wait(for: caption.time)
            progress.say(caption.text)
        }
    }

    private func publish(
        _ topic: [UInt8], _ body: [UInt8], at time: Double, to publisher: Publisher
    ) throws(Failure) {
        let body = Self.body(body, at: time)
        try daemon { () throws(ClientError) in try publisher.publish(topic: topic, body: body) }
    }

    /// The body with `t` said anew: when it happens now, in milliseconds since the Unix epoch.
    static func body(_ body: [UInt8], at time: Double) -> [UInt8] {
        guard let members = (try? Document.json(body))?.members else { return body }
        let rounded = (time * 1_000).rounded() / 1_000
        let others = members.filter { $0.name != "t" }
        return Node(.object(others + [Node.Member("t", Node(.number(rounded)))])).json()
    }
}

/// When a recording's times are, from the moment at which it is made.
private struct PlayClock {
    let signals = Signals(Signals.ends)
    private let speed: Double
    private let begin: Double
    private let start = ContinuousClock.now
    /// Whole, so that the times that are told lie as far apart as the recording's.
    private let wallStart = wallMilliseconds().rounded()

    init(speed: Double, begin: Double) {
        self.speed = speed
        self.begin = begin
    }

    /// Milliseconds since the Unix epoch at which a recording's time is.
    func wallTime(of time: Double) -> Double { wallStart + (time - begin) / speed }

    var wallNow: Double { wallStart + (ContinuousClock.now - start) / .milliseconds(1) }

    /// Waits for a recording's time; throws `interrupted`.
    func wait(for time: Double) throws(Failure) {
        // A year at the lowest speed is more nanoseconds than an integer holds.
        let target = start + .seconds((time - begin) / speed / 1_000)
        if let signal = signals.next(within: target - .now) { throw .interrupted(signal) }
    }
}

/// The clock on the wall, in milliseconds since the Unix epoch.
func wallMilliseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
}

/// What a player has begun and not ended yet.
struct OpenContacts {
    private struct Contact {
        var topic: [UInt8]
        var gesture: String
        var pointer: Node?
        var body: [Node.Member]

        func isSame(as other: Contact) -> Bool {
            topic == other.topic && gesture == other.gesture && pointer == other.pointer
        }
    }

    private var contacts: [Contact] = []

    var count: Int { contacts.count }

    /// Takes an event that was sent.
    mutating func follow(_ topic: [UInt8], _ body: [UInt8]) {
        guard topic.starts(with: "gesture/".utf8), let node = try? Document.json(body),
            let members = node.members, let gesture = node["gesture"]?.string,
            let phase = node["phase"]?.string
        else { return }
        let contact = Contact(
            topic: topic, gesture: gesture, pointer: node["pointer"], body: members)
        contacts.removeAll { $0.isSame(as: contact) }
        if ["began", "changed"].contains(phase) { contacts.append(contact) }
    }

    /// The events that cancel them all, each where it was last.
    func cancelled() -> [(topic: [UInt8], body: [UInt8])] {
        contacts.map { contact in
            let others = contact.body.filter { $0.name != "phase" }
            let phase = Node.Member("phase", Node(.string("cancelled")))
            return (contact.topic, Node(.object(others + [phase])).json())
        }
    }
}

/// A line on standard error that shows how far it is, where that is a terminal.
private struct Progress {
    private static let width = 30

    let lengthMilliseconds: Double
    private let isShown = Console.errorIsTerminal
    private var last = ""

    init(lengthMilliseconds: Double) { self.lengthMilliseconds = lengthMilliseconds }

    mutating func show(_ milliseconds: Double) {
        guard isShown else { return }
        let part = lengthMilliseconds > 0 ? milliseconds / lengthMilliseconds : 1
        let filled = Int(part * Double(Self.width))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: "-", count: Self.width - filled)
        let line =
            "[\(bar)] \(short(milliseconds / 1_000, decimals: 1))"
            + " of \(short(lengthMilliseconds / 1_000, decimals: 1)) s"
        if line != last { Console.say("\r\u{1B}[K\(line)", newline: false) }
        last = line
    }

    /// Words on a line of their own; the bar goes on below.
    mutating func say(_ text: String) {
        Console.say((isShown ? "\r\u{1B}[K" : "") + printable(text))
        last = ""
    }

    func end() {
        if isShown && !last.isEmpty { Console.say("") }
    }
}
