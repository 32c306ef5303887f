import Notation
import ZeroMQ

/// A reply that waits for its turn.
final class PacedReply {
    let envelope: Envelope
    /// Its last frame, which counts among the replies that wait for their peers.
    var frame: Message
    let size: Int
    /// Since when it waits, on the monotonic clock.
    let since: Int

    init(_ envelope: Envelope, _ frame: consuming Message, since now: Int) {
        self.envelope = envelope
        size = frame.count
        self.frame = frame
        since = now
    }
}

/// Large replies to encrypted connections, which leave at a pace.
///
/// One thread of libzmq encrypts for all connections, some 80 MB a second, and each message as a
/// whole. All that is small would wait behind the large replies that libzmq has. So these wait
/// here, and libzmq gets as many as take part of its time. The connection comes first that will
/// have had the least of late with its next reply, among replies of about this size; a reply that
/// has waited for long comes before smaller ones. ``WaitingReplies`` bounds how much waits, as
/// for all replies.
struct PacedReplies {
    /// A connection's replies of one size, in their order: a small one does not wait for large ones
    /// of its own connection either, which may be that of many clients (gesture-web).
    private struct Line {
        let descriptor: CInt
        let isLarge: Bool
        var replies: [PacedReply]
    }

    /// The lines that have replies; of those that had as much, the next one comes first.
    private var lines: [Line] = []
    /// When it is forgotten how much of a size each connection had, on the monotonic clock. By
    /// descriptor, from −1 on, the unknown one, two for each: there are as many as peers at most.
    private var used: [Int] = []
    /// When libzmq may have the next one, on the monotonic clock.
    private var free = 0
    /// The line at which the next choice begins to look.
    private var looked = 0

    /// When the next reply that waits may leave, on the monotonic clock; `Int.max`: none waits.
    var due: Int { lines.isEmpty ? .max : free }

    /// Whether a reply may leave at once; then it counts as having left.
    mutating func mayLeave(_ reply: PacedReply, at now: Int) -> Bool {
        guard lines.isEmpty, free <= now else { return false }
        leave(reply, at: now)
        return true
    }

    /// Adds a reply behind those of its connection that have about its size.
    mutating func add(_ reply: PacedReply) {
        let descriptor = max(reply.envelope.descriptor, -1)
        let isLarge = Self.isLarge(reply)
        let place = lines.firstIndex { $0.descriptor == descriptor && $0.isLarge == isLarge }
        if let place {
            lines[place].replies.append(reply)
        } else {
            lines.append(Line(descriptor: descriptor, isLarge: isLarge, replies: [reply]))
        }
    }

    /// Takes the next reply that may leave; nil: none waits, or it is too early.
    mutating func next(at now: Int) -> PacedReply? {
        guard !lines.isEmpty, free <= now else { return nil }
        // Where there are very many lines it looks at some of them each time, in turn.
        let first = lines.count <= Limits.pacedLinesLooked || looked >= lines.count ? 0 : looked
        let count = min(lines.count, Limits.pacedLinesLooked)
        var least = first
        var use = Int.max
        for step in 0..<count {
            let place = (first + step) % lines.count
            let other = self.use(after: lines[place], at: now)
            if other < use { (least, use) = (place, other) }
        }
        looked = (first + count) % lines.count
        let reply = takeFirst(of: least)
        leave(reply, at: now)
        return reply
    }

    /// Takes all that wait.
    mutating func takeAll() -> [PacedReply] {
        var all: [PacedReply] = []
        while !lines.isEmpty { all.append(takeFirst(of: 0)) }
        return all
    }

    /// How much a line's connection will have had of late with its next reply, less for the time
    /// that this has waited. On the monotonic clock: when that is forgotten.
    private func use(after line: Line, at now: Int) -> Int {
        let reply = line.replies[0]
        let place = Self.place(of: reply)
        let former = max(place < used.count ? used[place] : 0, now)
        return former + Limits.pacedConnections * Self.time(for: reply)
            - (now - reply.since) / Limits.pacedConnections
    }

    private static func isLarge(_ reply: PacedReply) -> Bool {
        reply.size > Limits.replyBytesLarge
    }

    /// The place in `used` of a reply's connection and size.
    private static func place(of reply: PacedReply) -> Int {
        2 * (Int(max(reply.envelope.descriptor, -1)) + 1) + (isLarge(reply) ? 1 : 0)
    }

    /// Nanoseconds of the pace that a reply takes.
    private static func time(for reply: PacedReply) -> Int {
        reply.size * 1_000_000_000 / Limits.pacedReplyBytesPerSecondMax
    }

    /// Takes the first reply of a line, which goes behind the others.
    private mutating func takeFirst(of place: Int) -> PacedReply {
        var line = lines.remove(at: place)
        let reply = line.replies.removeFirst()
        if !line.replies.isEmpty { lines.append(line) }
        return reply
    }

    private mutating func leave(_ reply: PacedReply, at now: Int) {
        let time = Self.time(for: reply)
        free = max(free, now - Limits.pacedMillisecondsAhead * 1_000_000) + time
        let place = Self.place(of: reply)
        if place >= used.count { used += Array(repeating: 0, count: place + 1 - used.count) }
        used[place] = min(
            max(used[place], now) + Limits.pacedConnections * time,
            now + Limits.pacedSecondsRemembered * 1_000_000_000)
    }
}

extension Limits {
    /// Bytes from which on a reply to an encrypted connection leaves at a pace.
    static let pacedReplyBytesMin = 4 * 1024
    /// Bytes of these replies in a second, of all connections: over half of what libzmq encrypts.
    static let pacedReplyBytesPerSecondMax = 48 * 1024 * 1024
    /// Milliseconds of a pause that they may make up for: the reactor wakes up late.
    static let pacedMillisecondsAhead = 4
    /// A reply counts so many times the time that it takes, on its connection: about the number of
    /// connections among which the time is to be shared.
    static let pacedConnections = 16
    /// Connections at which the choice of the next reply looks: some microseconds.
    static let pacedLinesLooked = 256
    /// Replies that leave in one go, before the reactor looks at what else there is.
    static let pacedRepliesAtOnce = 64
    /// Seconds after which a connection's former replies count no longer, at the latest.
    static let pacedSecondsRemembered = 2
}
