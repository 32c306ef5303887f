import Commands
import GesturedClient
import Notation
import Protocol
import Recordings

/// Collects the rejections of a recording while it is played.
final class RejectionWatch {
    /// Sessions subscribed one by one; of more, all rejections are subscribed.
    static let sessionsMax = 64
    /// The rejections of one session that the daemon publishes in a second; the rest are silent.
    private static let publishedMax = 10
    /// How long to wait for the last rejections.
    private static let patience = Duration.seconds(2)
    /// How long to wait for a rejection that the daemon has counted, and that may be another
    /// publisher's.
    private static let patienceForOne = Duration.milliseconds(500)
    /// The pause between two questions whether the daemon has read everything.
    private static let pauseMilliseconds = 5

    private let topics: Set<String>
    private let sessions: [String]
    private let control: Control
    private var subscriber: Subscriber?
    /// The daemon's figures before the first event.
    private let before: Figures

    /// Counters of the daemon, whoever published.
    private struct Figures {
        /// The events that it has read.
        var events: Int
        /// Those of them that it has refused, and has published or will publish.
        var refused: Int
    }

    /// The events sent since.
    private var sent = 0
    private var count = 0

    /// Subscribes to the rejections of the recording's topics.
    init(_ recording: Recording, _ connection: Connection) throws(ClientError) {
        topics = Set(recording.events.map { String(decoding: $0.topic, as: UTF8.self) })
        let sessions = Set(topics.compactMap { (try? Topic($0))?.session })
        let isFew = sessions.count <= Self.sessionsMax
        self.sessions = isFew ? sessions.sorted() : []
        let subscriber = try connection.subscriber(
            to: isFew ? sessions.map { "rejected/\($0)" } + ["rejected/-"] : ["rejected/"])
        control = try connection.control()
        // The first call joins; its updates are older.
        while try subscriber.next(withinMilliseconds: 0) != nil {}
        self.subscriber = subscriber
        before = try Self.figures(control)
    }

    /// Counts a sent event.
    func countSent() { sent += 1 }

    /// Reads new rejections, and returns a line for the first one of all.
    func takeNotices() -> [ShownText] { takeNotices(withinMilliseconds: 0) }

    private func takeNotices(withinMilliseconds limit: Int) -> [ShownText] {
        var lines: [ShownText] = []
        do throws(ClientError) {
            while let event = try subscriber?.next(withinMilliseconds: limit) {
                if let line = notice(of: event) { lines.append(line) }
            }
        } catch {
            // The daemon is gone. Stop listening.
            subscriber = nil
        }
        return lines
    }

    private func notice(of event: Subscriber.Event) -> ShownText? {
        guard case .update(let update) = event, update.topic.hasPrefix("rejected/"),
            let topic = update.content["topic"]?.string, topics.contains(topic),
            // A reaction of the scene is no event of the recording.
            update.content["reaction"] == nil
        else { return nil }
        count += 1
        if count > 1 { return nil }
        let code = update.content["code"]?.string ?? "?"
        let message = update.content["message"]?.string ?? ""
        return "refused: \(topic): \(code): \(message)"
    }

    /// The number of rejections in words; nil without any. For a rejected contact, the daemon
    /// publishes only its beginning.
    var summary: ShownText? {
        if count == 0 { return nil }
        return "\(count < Self.publishedMax ? "" : "at least ")\(count) refused in all"
    }

    /// Waits until the daemon has read all sent events, and returns the last notices.
    func takeLastNotices() -> [ShownText] {
        guard let subscriber else { return [] }
        var lines: [ShownText] = []
        let end = ContinuousClock.now + Self.patience
        while let now = try? Self.figures(control), now.events < before.events + sent, .now < end {
            lines += takeNotices(withinMilliseconds: Self.pauseMilliseconds)
        }
        // An event that is read is not yet judged. Every lane has a part in this answer, behind all
        // earlier events, also those whose topics name no session.
        _ = try? control.request("sessions", [Node.Member("limit", Node(.integer(1)))])
        // A session's answer follows the rejections of all earlier events.
        try? control.pipeline(
            "snapshot", sessions.map { [Node.Member("session", Node(.string($0)))] }
        ) { _, _ in }
        try? subscriber.synchronize()
        lines += takeNotices()
        // A lane counts a rejection before the daemon sends it, and an answer may overtake it.
        let last = ContinuousClock.now + Self.patienceForOne
        while count == 0, let now = try? Self.figures(control), now.refused > before.refused,
            .now < last
        {
            lines += takeNotices(withinMilliseconds: Self.pauseMilliseconds)
        }
        return lines
    }

    private static func figures(_ control: Control) throws(ClientError) -> Figures {
        let stats = try control.request("stats")["stats"]
        func counter(_ name: String) -> Int {
            min(max(0, stats?[name]?.int ?? 0), Int(StatsSample.counterMax))
        }
        return Figures(
            events: counter("events"),
            refused: counter("events_rejected") - counter("rejections_untold"))
    }
}
