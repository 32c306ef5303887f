import Glibc
import Notation
import Protocol
import Recordings

/// Sends a recording's events in their own time, times the speed.
struct Player {
    /// How long nothing may happen before it is looked whether there is something to tell.
    private static let patience = Duration.milliseconds(50)

    let recording: Recording
    let speed: Double
    /// Sends one event.
    let send: (_ topic: [UInt8], _ body: [UInt8]) throws(Failure) -> Void
    /// Lines to tell that have come up meanwhile.
    let news: () -> [String]

    /// How far it is.
    private struct Course: ~Copyable {
        let clock: PlayClock
        var contacts: OpenContacts
        var progress: Progress
        var looked = ContinuousClock.now
    }

    /// Interrupted, it cancels what is down, says so, and throws `interrupted`.
    func play() throws(Failure) {
        if recording.events.isEmpty && recording.captions.isEmpty { return }
        var course = Course(
            clock: PlayClock(speed: speed, begin: begin),
            contacts: OpenContacts(in: recording.events),
            progress: Progress(lengthMilliseconds: end - begin))
        defer { course.clock.signals.release() }
        do throws(Failure) {
            try play(&course)
        } catch {
            course.progress.end()
            guard case .interrupted(let signal) = error else { throw error }
            // A second interruption ends it at once.
            course.clock.signals.release()
            let cancelled = course.contacts.cancelled()
            for (topic, body) in cancelled {
                try send(topic, Self.body(body, at: course.clock.wallNow))
            }
            Console.say(
                cancelled.isEmpty
                    ? "interrupted" : "interrupted; \(cancelled.count) of what was down cancelled")
            throw .interrupted(signal)
        }
        course.progress.end()
    }

    /// Milliseconds on the recording's scale of the first and the last that it says.
    private var begin: Double {
        min(
            recording.events.first?.time ?? .infinity,
            recording.captions.first?.time ?? .infinity)
    }
    private var end: Double {
        max(recording.events.last?.time ?? begin, recording.captions.last?.time ?? begin)
    }

    private func play(_ course: inout Course) throws(Failure) {
        var captions = recording.captions[...]
        for (index, event) in recording.events.enumerated() {
            while let caption = captions.first, caption.eventsBefore <= index {
                captions.removeFirst()
                try wait(for: caption.time, &course)
                course.progress.say(caption.text)
            }
            try wait(for: event.time, &course)
            try send(
                event.topic, Self.body(event.body, at: course.clock.wallTime(of: event.time)))
            course.contacts.follow(index, sent: .now)
            course.progress.show(event.time - begin)
        }
        for caption in captions {
            try wait(for: caption.time, &course)
            course.progress.say(caption.text)
        }
    }

    /// Waits for a recording's time, and repeats meanwhile what is down; throws `interrupted`.
    private func wait(for time: Double, _ course: inout Course) throws(Failure) {
        let target = course.clock.instant(of: time)
        while true {
            for (topic, body) in course.contacts.repeated(at: .now) {
                try send(topic, Self.body(body, at: course.clock.wallNow))
            }
            look(&course)
            let next = min(target, course.contacts.nextDue ?? target, .now + Self.patience)
            if let signal = course.clock.signals.next(within: next - .now) {
                throw .interrupted(signal)
            }
            if target <= .now { return }
        }
    }

    /// Tells what has come up; not each time, since events may come without a pause.
    private func look(_ course: inout Course) {
        guard .now - course.looked >= Self.patience else { return }
        for line in news() { course.progress.warn(line) }
        course.looked = .now
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

    /// The instant of a recording's time.
    func instant(of time: Double) -> ContinuousClock.Instant {
        // A year at the lowest speed is more nanoseconds than an integer holds.
        start + .seconds((time - begin) / speed / 1_000)
    }
}

/// The clock on the wall, in milliseconds since the Unix epoch.
func wallMilliseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
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
    mutating func say(_ text: String) { line(printable(text)) }

    /// The same, of what the tool itself has to say.
    mutating func warn(_ text: String) { line(Console.warning(text)) }

    private mutating func line(_ text: String) {
        Console.say((isShown ? "\r\u{1B}[K" : "") + text)
        last = ""
    }

    func end() {
        if isShown && !last.isEmpty { Console.say("") }
    }
}
