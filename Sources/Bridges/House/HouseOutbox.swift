/// The values that the broker shall show, each retained under its topic.
///
/// Only the newest value of a topic is sent. A new connection is told all of them again, so nothing
/// that the broker lost stays lost.
package struct HouseOutbox: Sendable {
    /// Topics: 256 sessions with some 60 each; as many that the broker shall forget.
    package static let topicsMax = 16_384
    package static let bytesMax = 16 * 1_024 * 1_024
    /// Bytes of the topics that the broker shall forget: half a KiB of each.
    package static let endingBytesMax = 8 * 1_024 * 1_024
    /// Messages that the broker has not acknowledged yet.
    package static let unacknowledgedMax = 64
    /// Events that wait: some seconds of a lively session. Later ones are dropped, for an event
    /// that comes late would surprise.
    package static let eventsMax = 256

    package enum Count: String, CaseIterable, Sendable {
        /// Values that the broker acknowledged.
        case sent
        /// Values that a newer one replaced before they were sent.
        case merged
        /// Values beyond a bound, or that the broker did not allow.
        case unsent
        /// Events that the broker acknowledged.
        case events
        /// Events that were not sent: beyond a bound, or the broker was away.
        case eventsDropped = "events_dropped"
    }

    /// Topics that a new connection is told before all others.
    var first: [String] = []
    private var values: [String: [UInt8]] = [:]
    private var bytes = 0
    /// Topics whose value the broker lacks, in the order in which they changed.
    private var queue: [String] = []
    private var queued: Set<String> = []
    private var taken = 0
    /// Topics that the broker shall forget.
    private var ending: Set<String> = []
    private var endingBytes = 0
    /// The topics of messages that were sent, by their numbers; nil: an event.
    private var unacknowledged: [Int: String?] = [:]
    private var events: [(topic: String, value: [UInt8])] = []
    /// Topics that were removed since the start: each makes room.
    private(set) var removals = 0
    /// Values for which there was no room since the start.
    private(set) var refusals = 0
    package private(set) var counters = Counters<Count>()

    package init() {}

    /// Sets the value of a topic; nil removes it from the broker.
    package mutating func set(_ topic: String, _ value: [UInt8]?) {
        let former = values[topic]
        guard former != value else { return }
        let grown = bytes + (value?.count ?? 0) - (former?.count ?? 0)
        let isNew = former == nil
        guard value == nil || grown <= Self.bytesMax && (!isNew || values.count < Self.topicsMax)
        else {
            refusals += 1
            counters.count(.unsent)
            return
        }
        bytes = grown
        values[topic] = value
        if value == nil {
            removals += 1
            // A broker that is away for long keeps the values beyond it.
            guard end(topic) else { return }
        } else {
            keep(topic)
        }
        if queued.insert(topic).inserted {
            queue.append(topic)
        } else {
            counters.count(.merged)
        }
    }

    /// Tells a value once more: another bridge asks for it, or has changed it at the broker.
    mutating func tellAgain(_ topic: String) {
        guard values[topic] != nil, queued.insert(topic).inserted else { return }
        queue.append(topic)
    }

    /// Makes the broker forget a topic that it has of an earlier run.
    package mutating func forget(_ topic: String) {
        guard values[topic] == nil, end(topic) else { return }
        if queued.insert(topic).inserted { queue.append(topic) }
    }

    /// Notes a topic that the broker shall forget; returns false where there is no room.
    private mutating func end(_ topic: String) -> Bool {
        let bytes = topic.utf8.count
        guard !ending.contains(topic) else { return true }
        guard ending.count < Self.topicsMax, endingBytes + bytes <= Self.endingBytesMax else {
            counters.count(.unsent)
            return false
        }
        ending.insert(topic)
        endingBytes += bytes
        return true
    }

    /// The broker has forgotten a topic, or has a value to show there again.
    private mutating func keep(_ topic: String) {
        guard let ended = ending.remove(topic) else { return }
        endingBytes -= ended.utf8.count
    }

    /// Lets a value that waits leave behind those that were set since.
    package mutating func delay(_ topic: String) {
        guard queued.contains(topic),
            let place = queue[taken...].firstIndex(of: topic)
        else { return }
        queue.append(queue.remove(at: place))
    }

    /// Sends an event, once: it is not retained.
    package mutating func tell(_ topic: String, _ value: [UInt8]) {
        guard events.count < Self.eventsMax else {
            counters.count(.eventsDropped)
            return
        }
        events.append((topic, value))
    }

    /// The next event to send, behind all values; nil as with `next`.
    package mutating func nextEvent() -> (topic: String, value: [UInt8])? {
        guard unacknowledged.count < Self.unacknowledgedMax, !events.isEmpty else { return nil }
        return events.removeFirst()
    }

    /// Drops the events that wait: there is no broker to take them.
    package mutating func dropEvents() {
        counters.count(.eventsDropped, events.count)
        events = []
    }

    package mutating func dropEvent() { counters.count(.eventsDropped) }

    package mutating func set(_ topic: String, _ value: String) { set(topic, Array(value.utf8)) }

    package func value(_ topic: String) -> [UInt8]? { values[topic] }

    /// A new connection: everything is to be told.
    package mutating func reconnect() {
        unacknowledged = [:]
        tellAllAgain()
    }

    /// Tells everything once more: another bridge may have told its own.
    mutating func tellAllAgain() {
        let early = first.filter { values[$0] != nil }
        queue = early + values.keys.filter { !early.contains($0) }.sorted() + ending.sorted()
        queued = Set(queue)
        taken = 0
    }

    /// The next value to send; nil where nothing waits or too much is unacknowledged. An empty one
    /// makes the broker forget the topic.
    package mutating func next() -> (topic: String, value: [UInt8])? {
        guard unacknowledged.count < Self.unacknowledgedMax, taken < queue.count else { return nil }
        let topic = queue[taken]
        taken += 1
        // Moved seldom, so that each is moved once on average.
        if taken * 2 > queue.count {
            queue.removeFirst(taken)
            taken = 0
        }
        queued.remove(topic)
        return (topic, values[topic] ?? [])
    }

    /// The value that `next` gave was sent as a message of this number.
    package mutating func sent(_ topic: String, as number: Int) {
        unacknowledged.updateValue(topic, forKey: number)
    }

    /// The event that `nextEvent` gave was sent as a message of this number.
    package mutating func sentEvent(as number: Int) {
        unacknowledged.updateValue(nil, forKey: number)
    }

    /// The broker has a message.
    package mutating func acknowledge(_ number: Int, isAllowed: Bool) {
        guard let sent = unacknowledged.removeValue(forKey: number) else { return }
        guard let topic = sent else {
            counters.count(isAllowed ? .events : .eventsDropped)
            return
        }
        counters.count(isAllowed ? .sent : .unsent)
        if !queued.contains(topic) { keep(topic) }
    }

    /// Whether the broker has everything.
    package var isEmpty: Bool { taken == queue.count && unacknowledged.isEmpty }
}
