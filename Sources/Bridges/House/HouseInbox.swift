package import Notation

/// Messages of the broker on their way to the daemon, until the daemon has them for good.
///
/// The broker gets its acknowledgements only while `isSettled`. So a bridge, a broker or a daemon
/// that dies before loses nothing: the broker delivers again.
package struct HouseInbox: Sendable {
    /// Messages taken between two times at which all were settled. The broker is told to leave no
    /// more unacknowledged.
    package static let unsettledMax = 64
    /// Milliseconds until an unanswered request is sent again, and until one is that the daemon
    /// could not carry out now.
    package static let silenceMilliseconds = 5_000
    package static let pauseMilliseconds = 500
    /// Milliseconds for which a notification is sent again to a session that is busy. All other
    /// sessions wait meanwhile: the broker gets no acknowledgement, and so nothing else either.
    package static let busyMilliseconds = 1_000
    /// Milliseconds for which a request is sent again that the daemon could not carry out, while it
    /// carries others out: then it is the session that cannot be read.
    package static let failingMilliseconds = 10_000
    /// Sessions that were busy for so long: they are not waited for again until they take one.
    static let busySessionsMax = 64

    package enum Count: String, CaseIterable, Sendable {
        /// Messages of the broker.
        case received
        /// The daemon has them for good; some had come before.
        case applied, duplicates
        /// The daemon refused them, for good.
        case refused
        /// Their topic or payload cannot be read.
        case malformed
        /// The broker had kept them from before: a bridge must not count them at each start.
        case retained
        /// Requests that were sent again.
        case retries
    }

    package struct Request: Hashable, Sendable {
        package var key: Int
        package var topic: String
        package var body: [Node.Member]
        /// The topic that a refusal names.
        package var toldTopic: String

        /// The fields of the request `publish`.
        package var fields: [Node.Member] {
            [
                Node.Member("topic", Node(.string(topic))),
                Node.Member("body", Node(.object(body))),
            ]
        }
    }

    private struct Waiting {
        var request: Request
        var due: Int
        let since: Int
        var isSent = false
    }

    private var waiting: [Int: Waiting] = [:]
    private var lastKey = 0
    /// When the daemon carried a request out last, by the steady clock.
    private var lastApplied = Int.min
    /// Messages taken since all were settled.
    private var taken = 0
    /// The topics of notifications whose sessions were busy for too long.
    private var busyTopics: Set<String> = []
    package private(set) var counters = Counters<Count>()

    package init() {}

    /// Whether the daemon has everything that was taken.
    package var isSettled: Bool { waiting.isEmpty }
    /// Whether it may take another message. A steady stream of QoS 0 would else never settle.
    package var hasRoom: Bool { isSettled || taken < Self.unsettledMax }

    package mutating func count(_ name: Count) { counters.count(name) }

    /// Takes an event with its id; `requests` gives it at once.
    package mutating func take(_ event: HouseEvent, id: String, at moment: Moment) {
        if isSettled { taken = 0 }
        taken += 1
        lastKey += 1
        let body = event.hasID ? event.body : event.body + [Node.Member("id", Node(.string(id)))]
        waiting[lastKey] = Waiting(
            request: Request(
                key: lastKey, topic: event.topic, body: body, toldTopic: event.toldTopic),
            due: moment.steady, since: moment.steady)
    }

    /// The requests to send now, in the order of their messages.
    package mutating func requests(at moment: Moment) -> [Request] {
        let due = waiting.filter { $0.value.due <= moment.steady }.keys.sorted()
        for key in due {
            if waiting[key]?.isSent == true { counters.count(.retries) }
            waiting[key]?.isSent = true
            waiting[key]?.due = moment.steady + Self.silenceMilliseconds
        }
        return due.compactMap { waiting[$0]?.request }
    }

    /// Takes the daemon's answer to a request. Returns the request if it was refused for good.
    package mutating func settle(
        _ key: Int, _ answer: HouseAnswer, at moment: Moment
    ) -> Request? {
        guard let entry = waiting[key] else { return nil }
        let request = entry.request
        switch answer {
        case .applied(let isDuplicate):
            counters.count(.applied)
            if isDuplicate { counters.count(.duplicates) }
            lastApplied = moment.steady
            busyTopics.remove(request.topic)
            waiting[key] = nil
            return nil
        case .refused(let code, _) where isPassing(code, entry, at: moment):
            waiting[key]?.due = moment.steady + Self.pauseMilliseconds
            return nil
        case .refused:
            counters.count(.refused)
            waiting[key] = nil
            return request
        }
    }

    /// Whether the same request may succeed later: also where its session is on the way from one
    /// member of a cluster to another. A component that is busy refuses for good: a
    /// command that comes late would surprise.
    private mutating func isPassing(_ code: String, _ entry: Waiting, at moment: Moment) -> Bool {
        let topic = entry.request.topic
        if code == "internal" {
            let isOld = moment.steady - entry.since >= Self.failingMilliseconds
            return !(isOld && lastApplied > entry.since)
        }
        guard code == "busy" else { return code == "moved" }
        guard topic.hasPrefix("notification/"), !busyTopics.contains(topic) else { return false }
        if moment.steady - entry.since < Self.busyMilliseconds { return true }
        if busyTopics.count < Self.busySessionsMax { busyTopics.insert(topic) }
        return false
    }

    /// Milliseconds that the oldest has waited.
    package func age(at moment: Moment) -> Int {
        waiting.values.map { moment.steady - $0.since }.max() ?? 0
    }

    /// Milliseconds until a request is due; nil while none waits.
    package func rest(at moment: Moment) -> Int? {
        waiting.values.map { max(0, $0.due - moment.steady) }.min()
    }

    /// The connection to the broker is gone: it will deliver again what was not settled.
    package mutating func drop() {
        waiting = [:]
        taken = 0
    }
}

/// The daemon's answer to a request `publish`.
package enum HouseAnswer: Hashable, Sendable {
    case applied(isDuplicate: Bool)
    case refused(code: String, message: String)
}
