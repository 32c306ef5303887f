import Codec
import Interactions
import Notation
import Protocol
import Security
import Synchronization

/// Events with their outcomes and their senders, kept while a person taps them (`gesturectl tap`).
///
/// Lanes write, the reactor adds the senders and reads. Nothing is kept where no request has asked
/// for some seconds: then an event costs one look at a flag.
final class TapLog: Sendable {
    enum Outcome: Sendable {
        case applied
        case duplicate
        case refused(Rejection)
    }

    struct Entry: Sendable {
        var number: Int
        /// Milliseconds of the wall clock.
        var time: Int
        /// Printable, and shortened.
        var topic: String
        /// The session that the topic names; nil: it names none.
        var session: String?
        /// Its JSON; nil: it was refused, or is long.
        var body: [UInt8]?
        var excerpt: String
        var outcome: Outcome
        var sender: String?

        fileprivate var bytes: Int { topic.utf8.count + (body?.count ?? 0) + 512 }
    }

    fileprivate struct State {
        var entries: [Entry] = []
        /// The first of `entries` that counts; those before it are gone.
        var first = 0
        var bytes = 0
        var next = 1
        /// On the monotonic clock: when nothing is kept any more.
        var end = 0
        /// By a hash of topic and body: an event passes through a lane after it was received. Equal
        /// ones pass through the same lane in the order in which they came.
        var senders: [Int: Senders] = [:]
        var runCount = 0
    }

    /// The senders of equal events that lanes have not received yet, in their order.
    fileprivate struct Senders {
        /// Those that came one after the other from one sender.
        private var runs: [(sender: String?, count: Int)] = []
        /// The first that counts.
        private var first = 0

        var isEmpty: Bool { first == runs.count }

        /// Returns whether it takes room.
        mutating func append(_ sender: String?) -> Bool {
            guard !isEmpty, runs[runs.count - 1].sender == sender else {
                runs.append((sender, 1))
                return true
            }
            runs[runs.count - 1].count += 1
            return false
        }

        /// Returns the next one, and whether that gives room back.
        mutating func next() -> (sender: String?, isRunOver: Bool) {
            let sender = runs[first].sender
            runs[first].count -= 1
            guard runs[first].count == 0 else { return (sender, false) }
            first += 1
            // Moved seldom, so that each is moved once on average.
            if first * 2 > runs.count {
                runs.removeFirst(first)
                first = 0
            }
            return (sender, true)
        }
    }

    private let state = Mutex(State())
    private let isAsked = Atomic<Bool>(false)

    /// Whether anything is kept. The only cost of an event while nothing is.
    @inline(__always)
    var isOn: Bool { isAsked.load(ordering: .relaxed) }

    /// Notes the sender of an event that a lane is going to receive; nil: unknown, which keeps the
    /// order of equal events as well.
    func note(
        _ topic: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer, from sender: String?
    ) {
        let key = unsafe Self.key(topic, body)
        state.withLock { state in
            if state.runCount >= Limits.tapSendersMax {
                (state.senders, state.runCount) = ([:], 0)
            }
            if state.senders[key, default: Senders()].append(sender) { state.runCount += 1 }
        }
    }

    /// Keeps an event.
    func record(
        _ topic: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer, _ outcome: Outcome,
        at now: Int = Clock.monotonic(), wall: Int = Clock.wall()
    ) {
        let key = unsafe Self.key(topic, body)
        var isRefused = false
        if case .refused = outcome { isRefused = true }
        let isWhole = !isRefused && body.count <= Limits.tapBodyBytesMax
        var entry = unsafe Entry(
            number: 0, time: wall / 1_000_000,
            topic: UpdateBody.excerpt(
                of: RawSpan(_unsafeBytes: topic), bytesMax: Name.topicBytesMax),
            session: (try? Topic(topic))?.session, body: isWhole ? Array(body) : nil,
            excerpt: isWhole
                ? ""
                : UpdateBody.excerpt(
                    of: RawSpan(_unsafeBytes: body), bytesMax: Limits.excerptBytesMax),
            outcome: outcome, sender: nil)
        state.withLock { state in
            guard now < state.end else {
                isAsked.store(false, ordering: .relaxed)
                state = State(next: state.next)
                return
            }
            entry.number = state.next
            entry.sender = state.takeSender(key)
            state.next += 1
            state.bytes += entry.bytes
            state.entries.append(entry)
            state.makeRoom()
        }
    }

    /// The entries after a number that a grant covers, as many as one answer has room for, with the
    /// number to go on from and how many are gone. Keeps events from now on.
    func read(
        after number: Int?, _ patterns: SessionPatterns, at now: Int = Clock.monotonic()
    ) -> (entries: [Entry], next: Int, lost: Int) {
        state.withLock { state in
            state.end = now + Limits.tapSecondsMax * 1_000_000_000
            isAsked.store(true, ordering: .relaxed)
            guard let number else { return ([], state.next - 1, 0) }
            let kept = state.entries[state.first...]
            let least = kept.first?.number ?? state.next
            let lost = max(0, min(least, state.next) - number - 1)
            var found: [Entry] = []
            var bytes = 0
            var last = number
            // Their numbers have no holes.
            let following = kept.dropFirst(max(0, min(number, state.next) + 1 - least))
            for entry in following.prefix(Limits.tapLookedMax) {
                // Events without a session are for those who may tap all.
                if patterns.areAll || entry.session.map({ patterns.match($0) }) == true {
                    bytes += entry.bytes
                    guard found.count < Limits.tapEntriesMax, bytes <= Limits.tapAnswerBytesMax
                    else { break }
                    found.append(entry)
                }
                last = entry.number
            }
            return (found, max(last, number + lost), patterns.areAll ? lost : 0)
        }
    }

    private static func key(
        _ topic: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
    ) -> Int {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: topic)
        unsafe hasher.combine(bytes: body)
        return hasher.finalize()
    }
}

extension TapLog.State {
    /// The sender of the oldest event of a hash that was noted; nil: none was.
    fileprivate mutating func takeSender(_ key: Int) -> String? {
        guard let (sender, isRunOver) = senders[key]?.next() else { return nil }
        if isRunOver { runCount -= 1 }
        if senders[key]?.isEmpty == true { senders[key] = nil }
        return sender
    }

    fileprivate mutating func makeRoom() {
        while bytes > Limits.tapBytesMax || entries.count - first > Limits.tapKeptMax {
            bytes -= entries[first].bytes
            first += 1
        }
        // Moved together from time to time: each is moved once at most.
        if first > entries.count / 2 {
            entries.removeFirst(first)
            first = 0
        }
    }
}

extension Limits {
    /// Seconds after a request in which events are kept for the next one.
    static let tapSecondsMax = 5
    /// Events that are kept, and their bytes: a second of a busy daemon, for one that asks often.
    static let tapKeptMax = 8_192
    static let tapBytesMax = 8 * 1024 * 1024
    /// Events of one answer, and their bytes: a client asks on until an answer has none.
    static let tapEntriesMax = 512
    static let tapAnswerBytesMax = 64 * 1024
    /// Events at which one answer looks, of which the grant may cover few: a client with the most
    /// patterns takes the reactor a few milliseconds then, and asks on.
    static let tapLookedMax = 1_024
    /// Bytes of a body that is told whole.
    static let tapBodyBytesMax = 4 * 1024
    /// Senders of events that lanes have not received yet, of equal ones in turn; beyond it, some
    /// are not told.
    static let tapSendersMax = 8_192
}
