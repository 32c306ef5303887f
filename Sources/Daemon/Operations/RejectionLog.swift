import Interactions
import Protocol
import Synchronization

/// Gathers refused events for the log: how many, and the last one that was published.
final class RejectionLog: Sendable {
    private struct State {
        var last: (topic: String, rejection: Rejection)?
        /// The count and the time of the last line.
        var count = 0
        var time: Int?
    }

    private let state = Mutex(State())

    /// Records a published rejection; their number is bounded.
    func note(_ rejection: Rejection, topic: String) {
        state.withLock { $0.last = (topic, rejection) }
    }

    /// The line that is due, given the number refused so far; nil: none is due. At the end
    /// (`isLast`) it does not wait for its time.
    func record(count: Int, at time: Int, isLast: Bool = false) -> LogRecord? {
        state.withLock { state in
            let more = count - state.count
            guard more > 0 else { return nil }
            if let told = state.time, !isLast, time - told < Log.span { return nil }
            let seconds = state.time.map { (time - $0) / 1_000_000_000 }
            defer { state = State(last: nil, count: count, time: time) }
            let many = "\(more)" + (seconds.map { " in \($0) s" } ?? "")
            guard let last = state.last else { return LogRecord(.eventsRefused, many) }
            let code = last.rejection.code
            // A message quotes the body, which does not belong into a log, unless it is our own.
            let own = code == .internal ? ": \(last.rejection.message)" : ""
            return LogRecord(
                .eventsRefused,
                "\(many); the last one: \(code.rawValue), of topic \"\(last.topic)\"\(own)",
                session: (try? Topic(last.topic))?.session, topic: last.topic,
                code: code.rawValue)
        }
    }
}
