import Notation

/// The messages that wait for one client, in their order.
///
/// A newer state, scene or heartbeat takes the place of an older one of its topic; a newer frame
/// takes the older one into it. All other messages stay: replies, transitions, badges, sessions,
/// refusals. The bound is in bytes; the owner closes a client that exceeds it.
package struct ClientQueue: Sendable {
    private struct Entry: Sendable {
        var bytes: [UInt8]
        /// The topic of an update that a newer one may replace.
        var topic: [UInt8]?
        /// Where the body of an update begins.
        var bodyStart = 0
        /// A newer message stands for it.
        var isReplaced = false
    }

    private var entries: [Entry] = []
    /// The place of the first entry that waits.
    private var first = 0
    /// Replaced entries from there on.
    private var replaced = 0
    /// The place of the newest update of each topic that may still be replaced.
    private var places: [[UInt8]: Int] = [:]

    /// Bytes that wait.
    package private(set) var byteCount = 0
    /// Updates that a newer one has replaced, and frames that were merged, in total.
    package private(set) var replacedCount = 0
    package private(set) var mergedCount = 0

    /// Its client is being closed: nothing goes out any more, so nothing comes in.
    private var isEnded = false

    package init() {}

    /// Drops all that waits, and takes nothing more.
    package mutating func end() {
        isEnded = true
        entries = []
        places = [:]
        (first, replaced, byteCount) = (0, 0, 0)
    }

    package var isEmpty: Bool { entries.count - first == replaced }
    /// Messages that wait.
    package var count: Int { entries.count - first - replaced }

    /// Appends a message that is no update.
    package mutating func append(_ bytes: [UInt8]) {
        guard !isEnded else { return }
        byteCount += bytes.count
        entries.append(Entry(bytes: bytes))
    }

    /// Appends an update, which may stand for an older one.
    package mutating func append(_ update: Update) {
        guard !isEnded else { return }
        var entry = Entry(bytes: update.bytes, bodyStart: update.bodyStart)
        switch update.kind {
        case .lasting: break
        case .boundary(let session):
            // Frames of the former scene show components that the new one may not have.
            places[Array("frame/".utf8) + session] = nil
        case .scene(let session):
            places[Array("frame/".utf8) + session] = nil
            replace(update.topic, by: &entry)
        case .current: replace(update.topic, by: &entry)
        case .frame: merge(update, into: &entry)
        }
        byteCount += entry.bytes.count
        if entry.topic != nil { places[update.topic] = entries.count }
        entries.append(entry)
        compact()
    }

    private mutating func replace(_ topic: [UInt8], by entry: inout Entry) {
        entry.topic = topic
        guard let place = places[topic] else { return }
        remove(at: place)
        replacedCount += 1
    }

    private mutating func merge(_ update: Update, into entry: inout Entry) {
        entry.topic = update.topic
        guard let place = places[update.topic] else { return }
        let older = entries[place]
        let sizeMax = max(
            Limits.webMergedBytesMax, Limits.webMergedTimesMax * update.bytes.count)
        guard older.bytes.count <= sizeMax,
            let body = FrameMerge.merged(
                older: Array(older.bytes[older.bodyStart..<(older.bytes.count - 1)]),
                newer: Array(update.bytes[update.bodyStart..<(update.bytes.count - 1)]))
        else { return }
        let merged = ServerMessage.update(topic: update.topic, body: body)
        entry.bytes = merged.bytes
        entry.bodyStart = merged.bodyStart
        remove(at: place)
        mergedCount += 1
    }

    private mutating func remove(at place: Int) {
        byteCount -= entries[place].bytes.count
        entries[place] = Entry(bytes: [], isReplaced: true)
        replaced += 1
    }

    /// Takes the first message out.
    package mutating func popFirst() -> [UInt8]? {
        while first < entries.count {
            let entry = entries[first]
            entries[first].bytes = []
            first += 1
            if entry.isReplaced {
                replaced -= 1
                continue
            }
            if let topic = entry.topic, places[topic] == first - 1 { places[topic] = nil }
            byteCount -= entry.bytes.count
            compact()
            return entry.bytes
        }
        compact()
        return nil
    }

    /// Entries without a message that are kept, so that most appends move nothing.
    private static let idleMax = 64

    private mutating func compact() {
        guard first + replaced > Self.idleMax, first + replaced > count else { return }
        entries = entries[first...].filter { !$0.isReplaced }
        first = 0
        replaced = 0
        let former = places
        places.removeAll(keepingCapacity: true)
        for (place, entry) in entries.enumerated() {
            // Only the newest of a topic may be replaced, and not one behind a boundary.
            if let topic = entry.topic, former[topic] != nil { places[topic] = place }
        }
    }
}
