import Notation

/// The updates that have come from the daemon and that no client has been given, in their order.
///
/// Where clients take long, updates gather here and not in the socket, where a heartbeat would wait
/// behind all of them. A newer state takes the place of the older one of its topic, and a newer
/// frame is made one with it in its place. So each topic has its turn once in a round, however fast
/// it moves and however many clients it has.
package struct Inbox {
    private enum Content {
        case update(Update)
        /// Frames that were made one, and the `seq` of the first one.
        case frames(FrameLog, since: Int)
    }

    private struct Entry {
        var topic: [UInt8]
        var content: Content
        var byteCount: Int
    }

    private var entries: [Entry] = []
    /// The place of the first entry that waits, and the number of the one at place 0.
    private var first = 0
    private var base = 0
    /// The numbers of the newest entry of each topic that may take in a newer update.
    private var numbers: [[UInt8]: Int] = [:]
    /// The numbers of the newest scene or event of each session: nothing passes them.
    private var boundaries: [[UInt8]: Int] = [:]
    private var lastFrame = 0

    /// Bytes of all that waits.
    package private(set) var byteCount = 0
    /// Updates that were made one with an older one, in total.
    package private(set) var gatheredCount = 0

    package init() {}

    package var isEmpty: Bool { first == entries.count }
    package var count: Int { entries.count - first }
    /// Nothing more should be taken before something leaves.
    package var isFull: Bool { byteCount >= Limits.webInboxBytesMax }

    package mutating func append(_ update: Update) {
        switch update.kind {
        case .lasting: add(update)
        case .scene(let session), .boundary(let session):
            boundaries[session] = base + entries.count
            add(update)
        case .current, .frame:
            var update = update
            lastFrame += 1
            update.number = lastFrame
            if gather(update) { return }
            numbers[update.topic] = base + entries.count
            add(update)
        }
    }

    private mutating func add(_ update: Update) {
        let size = update.bytes.count
        byteCount += size
        entries.append(Entry(topic: update.topic, content: .update(update), byteCount: size))
    }

    /// Makes an update one with the older one of its topic. Returns whether it could.
    private mutating func gather(_ update: Update) -> Bool {
        guard let number = numbers[update.topic] else { return false }
        if !boundaries.isEmpty, let session = SessionTopic.name(in: update.topic),
            let boundary = boundaries[session], boundary > number
        {
            return false
        }
        let place = number - base
        guard let content = Self.content(of: entries[place].content, and: update) else {
            return false
        }
        entries[place].content = content
        let size =
            switch content {
            case .update(let update): update.bytes.count
            case .frames(let log, _): log.byteCount
            }
        byteCount += size - entries[place].byteCount
        entries[place].byteCount = size
        gatheredCount += 1
        return true
    }

    /// One that stands for both; nil: each stands for itself.
    private static func content(of older: Content, and newer: Update) -> Content? {
        guard newer.kind == .frame else { return .update(newer) }
        switch older {
        case .update(let older):
            guard older.bytes.count <= FrameLog.bytesMax(with: newer) else { return nil }
            return FrameLog(older, newer).map { .frames($0, since: $0.formerSince) }
        case .frames(let log, let since):
            return log.append(newer) ? .frames(log, since: since) : nil
        }
    }

    /// Takes the first one out.
    package mutating func popFirst() -> Update? {
        guard !isEmpty else { return nil }
        let entry = entries[first]
        if numbers[entry.topic] == base + first { numbers[entry.topic] = nil }
        byteCount -= entry.byteCount
        first += 1
        compact()
        switch entry.content {
        case .update(let update): return update
        case .frames(let log, let since):
            return Update(topic: entry.topic, body: log.body(from: 0, since: since))
        }
    }

    /// Entries that have left and are kept, so that most calls move nothing.
    private static let idleMax = 64

    private mutating func compact() {
        guard isEmpty || (first > Self.idleMax && first > count) else { return }
        base += first
        entries.removeFirst(first)
        first = 0
        if entries.isEmpty {
            boundaries.removeAll(keepingCapacity: true)
        } else {
            boundaries = boundaries.filter { $0.value >= base }
        }
    }
}
