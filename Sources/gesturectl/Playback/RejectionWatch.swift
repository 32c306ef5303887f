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
    /// The pause between two questions whether the daemon has read everything.
    private static let pauseMilliseconds = 5

    private let topics: Set<String>
    private let sessions: [String]
    private let control: Control
    private var subscriber: Subscriber?
    /// The events that the daemon had read before.
    private let eventsBefore: Int
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
        eventsBefore = try Self.events(control)
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
        while let read = try? Self.events(control), read < eventsBefore + sent, .now < end {
            lines += takeNotices(withinMilliseconds: Self.pauseMilliseconds)
        }
        // A session's answer follows the rejections of all earlier events.
        try? control.pipeline(
            "snapshot", sessions.map { [Node.Member("session", Node(.string($0)))] }
        ) { _, _ in }
        try? subscriber.synchronize()
        return lines + takeNotices()
    }

    private static func events(_ control: Control) throws(ClientError) -> Int {
        let events = try control.request("stats")["stats"]?["events"]?.int ?? 0
        return min(max(0, events), Int(StatsSample.counterMax))
    }
}
