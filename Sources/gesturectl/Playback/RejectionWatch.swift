import GesturedClient
import Notation
import Protocol
import Recordings

/// Hears what the daemon refuses of a recording while it is played.
final class RefusalWatch {
    /// Sessions that are listened to each by its name; of more all are listened to.
    static let sessionsMax = 64
    /// Refusals of one session that the daemon tells of in a second; of more it tells no more.
    private static let toldMax = 10
    /// The longest that the daemon's last word is waited for.
    private static let patience = Duration.seconds(2)
    /// How often it is asked whether it has read everything.
    private static let pauseMilliseconds = 5

    private let topics: Set<String>
    private let sessions: [String]
    private let control: Control
    private var subscriber: Subscriber?
    /// Events that the daemon had read before.
    private let eventsBefore: Int
    /// Those that were sent since.
    private var sent = 0
    private var count = 0

    /// Listens from now on, to what concerns the recording's topics.
    init(_ recording: Recording, _ connection: Connection) throws(ClientError) {
        topics = Set(recording.events.map { String(decoding: $0.topic, as: UTF8.self) })
        let sessions = Set(topics.compactMap { (try? Topic($0))?.session })
        let isFew = sessions.count <= Self.sessionsMax
        self.sessions = isFew ? sessions.sorted() : []
        let subscriber = try connection.subscriber(
            to: isFew ? sessions.map { "rejected/\($0)" } + ["rejected/-"] : ["rejected/"])
        control = try connection.control()
        // The first call joins; what it gives is of before.
        while try subscriber.next(withinMilliseconds: 0) != nil {}
        self.subscriber = subscriber
        eventsBefore = try Self.events(control)
    }

    /// Counts an event that is on its way.
    func countSent() { sent += 1 }

    /// Takes what has come; of the first refusal there is a line.
    func news() -> [String] { news(withinMilliseconds: 0) }

    private func news(withinMilliseconds limit: Int) -> [String] {
        var lines: [String] = []
        do throws(ClientError) {
            while let event = try subscriber?.next(withinMilliseconds: limit) {
                if let line = take(event) { lines.append(line) }
            }
        } catch {
            // A daemon that went and came back, and went again: it is not listened to any more.
            subscriber = nil
        }
        return lines
    }

    private func take(_ event: Subscriber.Event) -> String? {
        guard case .update(let update) = event, update.topic.hasPrefix("rejected/"),
            let topic = update.content["topic"]?.string, topics.contains(topic)
        else { return nil }
        count += 1
        if count > 1 { return nil }
        let code = update.content["code"]?.string ?? "?"
        let message = update.content["message"]?.string ?? ""
        return "refused: \(topic): \(code): \(message)"
    }

    /// How many were refused in all; nil: none was. Of a contact that was refused only its
    /// beginning is told by the daemon.
    var summary: String? {
        if count == 0 { return nil }
        return "\(count < Self.toldMax ? "" : "at least ")\(count) refused in all"
    }

    /// What the daemon tells once it has read everything that was sent, if it does so soon.
    func lastNews() -> [String] {
        guard let subscriber else { return [] }
        var lines: [String] = []
        let end = ContinuousClock.now + Self.patience
        while let read = try? Self.events(control), read < eventsBefore + sent, .now < end {
            lines += news(withinMilliseconds: Self.pauseMilliseconds)
        }
        // A session's answer comes after whatever it said of the events before.
        try? control.pipeline(
            "snapshot", sessions.map { [Node.Member("session", Node(.string($0)))] }
        ) { _, _ in }
        try? subscriber.synchronize()
        return lines + news()
    }

    private static func events(_ control: Control) throws(ClientError) -> Int {
        try control.request("stats")["stats"]?["events"]?.int ?? 0
    }
}
