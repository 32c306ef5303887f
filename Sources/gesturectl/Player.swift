import Client
import Glibc
import Notation
import Simulation
import Wire

/// Sends a recording's events in their own time, times the speed.
struct Player {
    let recording: Recording
    let speed: Double

    func play(to publisher: Publisher) throws(Failure) {
        guard let first = recording.events.first else { return }
        // The daemon must listen before the recording's clock starts.
        try daemon { () throws(ClientError) in
            try publisher.waitForSubscription(to: first.topic)
        }
        let start = ContinuousClock.now
        let wallStart = wallMilliseconds()
        let begin = min(first.time, recording.captions.first?.time ?? first.time)
        var progress = Progress(
            lengthMilliseconds: max(
                recording.events.last?.time ?? begin, recording.captions.last?.time ?? begin)
                - begin)
        var captions = recording.captions[...]
        for (index, event) in recording.events.enumerated() {
            while let caption = captions.first, caption.eventsBefore <= index {
                captions.removeFirst()
                wait(until: start, plus: (caption.time - begin) / speed)
                progress.say(caption.text)
            }
            let elapsed = (event.time - begin) / speed
            wait(until: start, plus: elapsed)
            let body = Self.body(event.body, at: wallStart + elapsed)
            try daemon { () throws(ClientError) in
                try publisher.publish(topic: event.topic, body: body)
            }
            progress.show(event.time - begin)
        }
        for caption in captions {
            wait(until: start, plus: (caption.time - begin) / speed)
            progress.say(caption.text)
        }
        progress.end()
    }

    /// The body with `t` said anew: when it happens now, in milliseconds since the Unix epoch.
    static func body(_ body: [UInt8], at time: Double) -> [UInt8] {
        guard let members = (try? Document.json(body))?.members else { return body }
        let rounded = (time * 1_000).rounded() / 1_000
        let others = members.filter { $0.name != "t" }
        return Node(.object(others + [Node.Member("t", Node(.number(rounded)))])).json()
    }

    private func wait(until start: ContinuousClock.Instant, plus milliseconds: Double) {
        let target = start + .nanoseconds(Int64(milliseconds * 1_000_000))
        while true {
            let left = target - .now
            guard left > .zero else { return }
            let (seconds, attoseconds) = left.components
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            // An interruption returns early; the loop waits for what is left.
            unsafe nanosleep(&time, nil)
        }
    }

    private func wallMilliseconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
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
        Console.say(isShown ? "\r\u{1B}[K\(text)" : text)
        last = ""
    }

    func end() {
        if isShown && !last.isEmpty { Console.say("") }
    }
}
