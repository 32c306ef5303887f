import Notation

/// The updates that have come from the daemon and that no client has been given.
///
/// Where clients take long, updates gather here and not in the socket, where a heartbeat would wait
/// behind all of them. Each session has a line of its own, in the order of its updates, and the
/// lines take turns: so whatever one session is flooded with, another one's update waits for one of
/// each line at most. It waits for one large one at most, behind which some small ones come.
/// In a line a newer state takes the place of the older one of its topic, and a newer frame is made
/// one with it in its place. With large frames that takes long. So once many of them have been made
/// one in a turn of the loop, the next ones wait behind each other.
///
/// A line may hold as many bytes as are free beside it, and always a few. Beyond that its oldest
/// frames, transitions, badges and refusals are dropped, but never the newest of a topic: the next
/// number shows the gap.
package struct Inbox {
    private var lines: [ByteKey: InboxLine] = [:]
    /// The lines whose first update is small, and those whose first one is large. Each line stands
    /// once in one of them.
    private var smallTurns = LineTurns()
    private var largeTurns = LineTurns()
    /// Small updates that come before the next large one.
    private var owed = 0
    private var lastFrame = 0
    /// Bytes of large frames that may still be made one with older ones in this turn.
    private var mergeRoom = Limits.webMergedBytesOfTurnMax

    /// Bytes and updates that wait.
    package private(set) var byteCount = 0
    package private(set) var count = 0
    /// Updates that were made one with an older one, in total.
    package private(set) var gatheredCount = 0
    /// Updates that were dropped because their session had too many, in total.
    package private(set) var droppedCount = 0

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }
    /// Nothing more should be taken before something leaves.
    package var isFull: Bool { byteCount >= Limits.webInboxFullBytes }

    /// Bytes that a line may have now.
    private var bytesMaxOfLine: Int {
        max(Limits.webInboxLineBytesMin, Limits.webInboxBytesMax - byteCount)
    }

    /// A new turn of the loop begins to read updates.
    package mutating func beginTurn() { mergeRoom = Limits.webMergedBytesOfTurnMax }

    package mutating func append(_ update: Update) {
        var update = update
        if update.kind == .current || update.kind == .frame {
            lastFrame += 1
            update.number = lastFrame
        }
        let name = ByteKey(SessionTopic.name(in: update.topic) ?? update.topic)
        if lines[name] == nil {
            lines[name] = InboxLine()
            if update.bytes.count < Limits.webTurnBytesMax {
                smallTurns.append(name)
            } else {
                largeTurns.append(name)
            }
        }
        let isLarge = update.kind == .frame && update.bytes.count > Limits.webLargeFrameBytes
        let mayGather = !isLarge || mergeRoom > 0
        let former = gatheredCount
        change(name) { line, gathered, _ in
            if line.append(update, mayGather: mayGather) { gathered += 1 }
        }
        if isLarge, gatheredCount > former { mergeRoom -= update.bytes.count }
        while lines[name].map({ $0.byteCount > bytesMaxOfLine }) == true {
            var isAnyLeft = false
            change(name) { line, _, dropped in
                isAnyLeft = line.dropOldest()
                if isAnyLeft { dropped += 1 }
            }
            if !isAnyLeft { break }
        }
    }

    /// Takes the next one out.
    package mutating func popFirst() -> Update? {
        while true {
            let isLarge = !largeTurns.isEmpty && (owed == 0 || smallTurns.isEmpty)
            guard let name = isLarge ? largeTurns.popFirst() : smallTurns.popFirst() else {
                return nil
            }
            let parts = partCount(of: name)
            if !isLarge, parts > 0 {
                // It has grown since.
                largeTurns.append(name)
                continue
            }
            owed = isLarge ? min(parts, Self.owedMax) : max(0, owed - 1)
            var update: Update?
            change(name) { line, _, _ in update = line.popFirst() }
            if lines[name]?.isEmpty == true {
                lines[name] = nil
            } else if partCount(of: name) > 0 {
                largeTurns.append(name)
            } else {
                smallTurns.append(name)
            }
            if let update { return update }
        }
    }

    /// Small updates for a large one, at most.
    private static let owedMax = 64

    /// How many small updates the first one of a line counts for.
    private mutating func partCount(of name: ByteKey) -> Int {
        guard let place = lines.index(forKey: name) else { return 0 }
        return lines.values[place].firstByteCount() / Limits.webTurnBytesMax
    }

    /// Changes a line, and the sums with it.
    private mutating func change(
        _ name: ByteKey, _ body: (inout InboxLine, inout Int, inout Int) -> Void
    ) {
        // In place: a line that is taken out and put back would be copied.
        guard let place = lines.index(forKey: name) else { return }
        byteCount -= lines.values[place].byteCount
        count -= lines.values[place].count
        body(&lines.values[place], &gatheredCount, &droppedCount)
        byteCount += lines.values[place].byteCount
        count += lines.values[place].count
    }
}

/// The names of lines, in the order of their turns.
private struct LineTurns {
    private var names: [ByteKey] = []
    private var first = 0

    var isEmpty: Bool { first == names.count }

    mutating func append(_ name: ByteKey) { names.append(name) }

    mutating func popFirst() -> ByteKey? {
        guard first < names.count else { return nil }
        let name = names[first]
        first += 1
        if first > Self.idleMax, first > names.count / 2 {
            names.removeFirst(first)
            first = 0
        }
        return name
    }

    /// Names that have left and are kept, so that most calls move nothing.
    private static let idleMax = 64
}

/// The updates of one session that wait in the inbox, in their order.
private struct InboxLine {
    private enum Content {
        case update(Update)
        /// Frames that were made one, and the `seq` of the first one.
        case frames(FrameLog, since: Int)
        /// It was dropped.
        case nothing

        var canBeDropped: Bool {
            switch self {
            case .update(let update): update.kind == .lasting || update.kind == .frame
            case .frames: true
            case .nothing: false
            }
        }
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
    /// No entry before this number can be dropped.
    private var firstToDrop = 0
    /// The numbers of the newest entry of each topic: it may take in a newer update, and is not
    /// dropped.
    private var numbers: [ByteKey: Int] = [:]
    /// The number of the newest scene or event of the session: nothing passes it.
    private var boundary = -1
    private(set) var byteCount = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds an update. Returns whether it was made one with an older one.
    mutating func append(_ update: Update, mayGather: Bool) -> Bool {
        switch update.kind {
        case .lasting: break
        case .scene, .boundary: boundary = base + entries.count
        case .current, .frame: if mayGather, gather(update) { return true }
        }
        numbers[ByteKey(update.topic)] = base + entries.count
        byteCount += update.bytes.count
        count += 1
        entries.append(
            Entry(topic: update.topic, content: .update(update), byteCount: update.bytes.count))
        return false
    }

    /// Makes an update one with the older one of its topic. Returns whether it could.
    private mutating func gather(_ update: Update) -> Bool {
        guard let number = numbers[ByteKey(update.topic)], boundary < number else { return false }
        let place = number - base
        guard let content = Self.content(of: entries[place].content, and: update) else {
            return false
        }
        entries[place].content = content
        let size =
            switch content {
            case .update(let update): update.bytes.count
            case .frames(let log, _): log.byteCount
            case .nothing: 0
            }
        byteCount += size - entries[place].byteCount
        entries[place].byteCount = size
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
        case .nothing: return nil
        }
    }

    /// Drops the oldest frame, or update that stands for itself alone, that is not the newest of
    /// its topic. Returns whether there was one.
    mutating func dropOldest() -> Bool {
        var place = max(first, firstToDrop - base)
        defer { firstToDrop = base + place }
        while place < entries.count {
            if entries[place].content.canBeDropped,
                numbers[ByteKey(entries[place].topic)] != base + place
            {
                byteCount -= entries[place].byteCount
                count -= 1
                entries[place].content = .nothing
                entries[place].byteCount = 0
                return true
            }
            place += 1
        }
        return false
    }

    /// Bytes of the first one.
    mutating func firstByteCount() -> Int {
        while first < entries.count, case .nothing = entries[first].content { first += 1 }
        return first < entries.count ? entries[first].byteCount : 0
    }

    /// Takes the first one out.
    mutating func popFirst() -> Update? {
        while first < entries.count {
            let entry = entries[first]
            if numbers[ByteKey(entry.topic)] == base + first {
                numbers[ByteKey(entry.topic)] = nil
            }
            byteCount -= entry.byteCount
            entries[first].content = .nothing
            first += 1
            switch entry.content {
            case .nothing: continue
            case .update(let update):
                count -= 1
                compact()
                return update
            case .frames(let log, let since):
                count -= 1
                compact()
                return Update(topic: entry.topic, body: log.body(from: 0, since: since))
            }
        }
        return nil
    }

    /// Entries that have left and are kept, so that most calls move nothing.
    private static let idleMax = 64

    private mutating func compact() {
        guard first > Self.idleMax, first > entries.count / 2 else { return }
        base += first
        entries.removeFirst(first)
        first = 0
    }
}
