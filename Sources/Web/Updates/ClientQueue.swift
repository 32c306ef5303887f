import Notation

/// The messages that wait for one client, in their order.
///
/// A newer state, scene or heartbeat takes the place of an older one of its topic; a newer frame
/// takes the older one into it. All other messages stay: replies, transitions, badges, sessions,
/// refusals. A message is shared with the queues of other clients, and a frame that stands for
/// several is made when it is taken out, so that a client that reads nothing costs no more than a
/// look. The bound is in bytes; the owner closes a client that exceeds it.
package struct ClientQueue {
    private enum Content {
        case message([UInt8])
        case frame(Update)
        /// All frames of a log from one number on; the `seq` of the first one.
        case frames(FrameLog, from: Int, since: Int)
        /// A newer message stands for it.
        case replaced
    }

    private struct Entry {
        var content: Content
        /// Bytes that it counts as: of several frames, those of their whole log.
        var byteCount: Int
        /// The topic of an update that a newer one may replace.
        var topic: [UInt8]?
    }

    private var entries: [Entry] = []
    /// The place of the first entry that waits.
    private var first = 0
    /// Replaced entries from there on.
    private var replaced = 0
    /// The place of the newest update of each topic that may still be replaced.
    private var places: [ByteKey: Int] = [:]

    /// Bytes that wait.
    package private(set) var byteCount = 0
    /// The same with what each message costs beside its bytes.
    package var cost: Int { byteCount + count * Limits.webQueueOverheadBytes }
    /// Updates that a newer one has replaced, and frames that were merged, in total.
    package private(set) var replacedCount = 0
    package private(set) var mergedCount = 0
    /// Updates that came, in total.
    package private(set) var updateCount = 0

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
        entries.append(Entry(content: .message(bytes), byteCount: bytes.count))
    }

    /// Appends an update that `logs` has taken, and which may stand for an older one.
    package mutating func append(_ update: Update, with logs: inout FrameLogs) {
        guard !isEnded else { return }
        updateCount += 1
        var entry = Entry(content: .message(update.bytes), byteCount: update.bytes.count)
        switch update.kind {
        case .lasting: break
        case .boundary(let session):
            // Frames of the former scene show components that the new one may not have.
            places[ByteKey(Update.frameTopic(of: session))] = nil
        case .scene(let session):
            places[ByteKey(Update.frameTopic(of: session))] = nil
            replace(update.topic, by: &entry)
        case .current: replace(update.topic, by: &entry)
        case .frame: merge(update, into: &entry, with: &logs)
        }
        byteCount += entry.byteCount
        if entry.topic != nil { places[ByteKey(update.topic)] = entries.count }
        entries.append(entry)
        compact()
    }

    private mutating func replace(_ topic: [UInt8], by entry: inout Entry) {
        entry.topic = topic
        guard let place = places[ByteKey(topic)] else { return }
        remove(at: place)
        replacedCount += 1
    }

    private mutating func merge(
        _ update: Update, into entry: inout Entry, with logs: inout FrameLogs
    ) {
        entry.topic = update.topic
        entry.content = .frame(update)
        guard let place = places[ByteKey(update.topic)] else { return }
        switch entries[place].content {
        case .frame(let older):
            guard let (log, since) = logs.log(of: update, behind: older) else { return }
            entry.content = .frames(log, from: older.number, since: since)
            entry.byteCount = log.byteCount
        case .frames(let log, let number, let since):
            guard log.last == update.number else { return }
            entry.content = .frames(log, from: number, since: since)
            entry.byteCount = log.byteCount
        case .message, .replaced: return
        }
        remove(at: place)
        mergedCount += 1
    }

    private mutating func remove(at place: Int) {
        byteCount -= entries[place].byteCount
        entries[place] = Entry(content: .replaced, byteCount: 0)
        replaced += 1
    }

    /// Takes the first message out.
    package mutating func popFirst() -> [UInt8]? {
        while first < entries.count {
            let entry = entries[first]
            entries[first].content = .replaced
            first += 1
            if let topic = entry.topic, places[ByteKey(topic)] == first - 1 {
                places[ByteKey(topic)] = nil
            }
            byteCount -= entry.byteCount
            let message: [UInt8]
            switch entry.content {
            case .replaced:
                replaced -= 1
                continue
            case .message(let bytes): message = bytes
            case .frame(let update): message = update.bytes
            case .frames(let log, let number, let since):
                message =
                    ServerMessage.update(
                        topic: entry.topic ?? [], body: log.body(from: number, since: since)
                    ).bytes
            }
            compact()
            return message
        }
        compact()
        return nil
    }

    /// Entries without a message that are kept, so that most appends move nothing.
    private static let idleMax = 64

    private mutating func compact() {
        guard first + replaced > Self.idleMax, first + replaced > count else { return }
        entries = entries[first...].filter { entry in
            if case .replaced = entry.content { false } else { true }
        }
        first = 0
        replaced = 0
        let former = places
        places.removeAll(keepingCapacity: true)
        for (place, entry) in entries.enumerated() {
            // Only the newest of a topic may be replaced, and not one behind a boundary.
            if let topic = entry.topic, former[ByteKey(topic)] != nil {
                places[ByteKey(topic)] = place
            }
        }
    }
}
