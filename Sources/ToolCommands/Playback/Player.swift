import Commands
import Glibc
import Notation
import Protocol
import Recordings

/// Sends the events of a recording at their times.
///
/// This folder plays and records. `RecordingSource` reads the file by the command's options,
/// `ReplayPreparation` opens its sessions, `Player` sends the events while `OpenContacts` repeats
/// and ends its contacts, and `RejectionWatch` reports refusals. `Recorder` makes a recording.
struct Player {
    /// How often notices are printed.
    private static let patience = Duration.milliseconds(50)

    let recording: Recording
    let speed: Double
    /// Sends one event.
    let send: (_ topic: [UInt8], _ body: [UInt8]) throws(Failure) -> Void
    /// Opens a session by a request. Returns what the daemon says where it refuses.
    let open: (_ event: Recording.Event) throws(Failure) -> ShownText?
    /// Returns the notices since the last call.
    let takeNotices: () -> [ShownText]

    /// The state of a run.
    private struct Run: ~Copyable {
        var clock: PlayClock
        var contacts: OpenContacts
        var progress: ProgressBar
        var lastNotice = ContinuousClock.now
    }

    /// Plays the whole recording. An interruption cancels the open contacts, and is thrown.
    func play() throws(Failure) {
        if recording.events.isEmpty && recording.captions.isEmpty { return }
        var run = Run(
            clock: PlayClock(speed: speed, begin: begin),
            contacts: OpenContacts(in: recording.events),
            progress: ProgressBar(lengthMilliseconds: end - begin))
        defer { run.clock.signals.unblock() }
        do throws(Failure) {
            try play(&run)
        } catch {
            run.progress.end()
            guard case .interrupted(let signal) = error else { throw error }
            // A second interruption ends the process at once.
            run.clock.signals.unblock()
            let cancelled = run.contacts.cancelled()
            for (topic, body) in cancelled {
                try send(topic, Self.body(body, at: run.clock.wallNow))
            }
            Console.printError(
                cancelled.isEmpty
                    ? "interrupted"
                    : "interrupted; cancelled \(counted(cancelled.count, "open contact"))")
            throw .interrupted(signal)
        }
        run.progress.end()
    }

    /// The times of the first and the last line, in milliseconds on the recording's scale.
    private var begin: Double {
        min(
            recording.events.first?.time ?? .infinity,
            recording.captions.first?.time ?? .infinity)
    }
    private var end: Double {
        max(recording.events.last?.time ?? begin, recording.captions.last?.time ?? begin)
    }

    private func play(_ run: inout Run) throws(Failure) {
        var captions = recording.captions[...]
        for (index, event) in recording.events.enumerated() {
            while let caption = captions.first, caption.eventsBefore <= index {
                captions.removeFirst()
                try wait(for: caption.time, &run)
                run.progress.printCaption(caption.text)
            }
            try wait(for: event.time, &run)
            if event.isRequest {
                if let refusal = try open(event) { run.progress.printWarning(refusal) }
            } else {
                try send(
                    event.topic, Self.body(event.body, at: run.clock.wallTime(of: event.time)))
            }
            run.contacts.recordSent(index, sent: .now)
            run.progress.show(event.time - begin)
        }
        for caption in captions {
            try wait(for: caption.time, &run)
            run.progress.printCaption(caption.text)
        }
    }

    /// Waits for a time of the recording and repeats open contacts; throws `interrupted`.
    private func wait(for time: Double, _ run: inout Run) throws(Failure) {
        while true {
            let target = run.clock.instant(of: time)
            for (topic, body) in run.contacts.repeated(at: .now) {
                try send(topic, Self.body(body, at: run.clock.wallNow))
            }
            printNotices(&run)
            let now = ContinuousClock.now
            let due = max(
                now, min(target, run.contacts.nextDue ?? target, now + Self.patience))
            if let signal = run.clock.signals.next(within: due - now) {
                throw .interrupted(signal)
            }
            if run.clock.skipStall(since: due) { continue }
            if target <= .now { return }
        }
    }

    /// Prints notices, but not before each event: events may come without a pause.
    private func printNotices(_ run: inout Run) {
        guard .now - run.lastNotice >= Self.patience else { return }
        for line in takeNotices() { run.progress.printWarning(line) }
        run.lastNotice = .now
    }

    /// The body with a new `t`, in milliseconds since the Unix epoch.
    static func body(_ body: [UInt8], at time: Double) -> [UInt8] {
        guard let members = (try? Document.json(body))?.members else { return body }
        let rounded = (time * 1_000).rounded() / 1_000
        let others = members.filter { $0.name != "t" }
        return Node(.object(others + [Node.Member("t", Node(.number(rounded)))])).json()
    }
}

/// Maps the recording's times to the clocks of this run, which begins when this is created.
private struct PlayClock {
    let signals = InterruptSignals(InterruptSignals.ends)
    private let speed: Double
    private let begin: Double
    private var start = ContinuousClock.now
    /// Rounded, so that differences of times stay those of the recording.
    private var wallStart = wallMilliseconds().rounded()

    /// A pause may last so much longer than asked for, on a busy machine.
    private static let stall = Duration.milliseconds(250)

    init(speed: Double, begin: Double) {
        self.speed = speed
        self.begin = begin
    }

    /// A time of the recording in milliseconds since the Unix epoch.
    func wallTime(of time: Double) -> Double { wallStart + (time - begin) / speed }

    var wallNow: Double { wallStart + (ContinuousClock.now - start) / .milliseconds(1) }

    /// Plays the rest later if a pause that was to end at `due` has lasted much longer, as when the
    /// process was stopped. All that is overdue would come at once, and tell another story.
    mutating func skipStall(since due: ContinuousClock.Instant) -> Bool {
        let late = ContinuousClock.now - due
        guard late > Self.stall else { return false }
        let milliseconds = (late / .milliseconds(1)).rounded()
        start += .milliseconds(milliseconds)
        wallStart += milliseconds
        return true
    }

    /// A time of the recording as an instant.
    func instant(of time: Double) -> ContinuousClock.Instant {
        // In seconds: a year at the lowest speed has too many nanoseconds.
        start + .seconds((time - begin) / speed / 1_000)
    }
}

/// The wall clock, in milliseconds since the Unix epoch.
func wallMilliseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
}

/// A progress bar on standard error, if that is a terminal.
private struct ProgressBar {
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
        if line != last { Console.printError("\r\u{1B}[K\(line)", newline: false) }
        last = line
    }

    /// Prints a caption on its own line, above the bar.
    mutating func printCaption(_ text: String) { line("\(text)") }

    /// Prints a warning of the tool on its own line.
    mutating func printWarning(_ text: ShownText) { line(Console.warning(text)) }

    private mutating func line(_ text: ShownText) {
        Console.printError(isShown ? "\r\u{1B}[K\(text)" : text)
        last = ""
    }

    func end() {
        if isShown && !last.isEmpty { Console.printError("") }
    }
}
