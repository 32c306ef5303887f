import Notation

/// Decides which connections bring more than a peer may. It performs nothing.
///
/// libzmq reads subscriptions as fast as they come, however long the reactor waits for it, and
/// keeps a message whose frames never end for ever. It has a bound for neither. So a thread looks
/// at what each connection has received (`ConnectionGuard`), and what this type names is cut.
///
/// - A connection to the updates socket has an allowance of bytes, which grows with time. All of
///   them together have one, too; where that is used up, the connections that took much of it are
///   cut.
/// - A connection for events or requests may not receive more than a message has without completing
///   one. The judge looks at that (`isAuditing`) only while much is received and not read. All
///   unfinished messages together are bounded, too: the connections whose messages are unfinished
///   for the longest time are cut (where memory is short, see ``UnfinishedMessages``). Complete
///   messages that wait to be read stay in libzmq's queue if their connection is cut, so that this
///   would not bound them: its high-water mark does.
/// - Updates that wait for a subscriber which does not read are bounded in bytes: libzmq bounds
///   them by their number, and one may have a MiB. Those for others do not count
///   (``LateReaders``). Those that wait for all such subscribers are bounded in number
///   (``UnreadUpdates``).
/// - A connection in its handshake may send what a handshake has. Only so many stay whose peers do
///   not finish it: the oldest are cut.
struct ConnectionJudge {
    enum Role: String, Equatable, Sendable {
        case events
        case pushes = "push"
        case updates, control
    }

    /// One connection as the system sees it.
    struct Sample: Sendable {
        let descriptor: CInt
        /// Tells two connections apart that had the same descriptor.
        var identity = 0
        let role: Role
        /// Bytes that have arrived.
        let received: Int
        /// Those of them that libzmq has read, or fewer: the system is asked twice, and what comes
        /// in between counts as not read though it is not among `received`. So it may fall.
        let consumed: Int
        /// Bytes that were sent and that the peer has taken.
        var taken = Int.max
        /// Bytes that were sent, with those that the peer has not taken yet.
        var written = 0
        /// Whether much waits in the system for the peer.
        var isBehind = false
        /// The updates that were sent for it, beside what was sent before they were counted; nil:
        /// they are not counted.
        var charge: UpdateCharge?

        var peer: LateReaders.Peer {
            LateReaders.Peer(descriptor: descriptor, identity: identity)
        }
    }

    /// The reactor's progress; see ``PeerTraffic``.
    struct Progress {
        var bytes = 0
        var events = 0
        var pushes = 0
        var requests = 0
        /// Bytes of updates that were sent to all subscribers.
        var updateBytes = 0
        /// The number of these updates.
        var updates = 0
        /// Whether subscribers leave many bytes of large updates unread.
        var areUpdatesMany = false
        /// Rounds that the reactor has begun.
        var rounds = 0
        var senders: Set<CInt> = []
        /// Whether what waits in libzmq's queues has grown far beyond its bytes on the wire.
        var isMemoryShort = false

        var sent: UpdateCharge { UpdateCharge(bytes: updateBytes, updates: updates) }

        func messages(_ role: Role) -> Int {
            switch role {
            case .events: events
            case .pushes: pushes
            case .updates, .control: requests
            }
        }
    }

    private struct Account {
        var identity = 0
        /// When it was seen first.
        var began = 0
        var received = 0
        var consumed = 0
        var allowance = Allowance(
            burst: Limits.subscriptionBurstBytesMax,
            perSecond: Limits.subscriptionBytesPerSecondMax)
        /// The bytes that were consumed when it last completed a message, or the audit began.
        var base = 0
        /// When it was found to have an unfinished message, and the progress then; nil: it has
        /// none.
        var unfinished: (since: Int, progress: Int)?
        /// The progress when that had more bytes than a message may; nil: it has not.
        var excessProgress: Int?
        /// The updates that a subscriber leaves unread; nil: it is new.
        var reading: Reading?
        /// The bytes that a subscriber had sent when the reactor began the round that it is in.
        var roundReceived = 0
        var isCut = false
        var scan = 0
    }

    private let isEncrypted: Bool
    private var accounts: [CInt: Account] = [:]
    /// Connections with an unfinished message: since when, its bytes, and whether they are known to
    /// be no complete messages that wait to be read.
    private var unfinished: [(since: Int, descriptor: CInt, bytes: Int, isProven: Bool)] = []
    /// Connections in their handshake, with when they were seen first.
    private var handshakes: [(began: Int, descriptor: CInt)] = []
    private var scan = 0
    private var connectionCount = 0
    private var last = 0
    private var lastBytes = 0
    /// The reactor's round at the last look, and when it was seen first.
    private var round = (number: -1, began: 0)
    private var unreadUpdates: UnreadUpdates
    private var sharedAllowance = Allowance(
        burst: Limits.subscriptionBurstBytesInAllMax,
        perSecond: Limits.subscriptionBytesPerSecondInAllMax,
        floor: -Limits.subscriptionBytesPerSecondInAllMax)
    /// Bytes of events and requests that were consumed and not read by the reactor.
    private var unread = 0
    private var auditEnd = 0
    private(set) var isAuditing = false
    /// Whether some sender has much of a message that is not at its end.
    private var hasUnfinished = false

    /// `isEncrypted`: peers prove a key by CURVE before anything of theirs is read.
    /// `updatesWaitingMax`: libzmq lets so many updates wait for a subscriber.
    init(isEncrypted: Bool = false, updatesWaitingMax: Int = .max) {
        self.isEncrypted = isEncrypted
        unreadUpdates = UnreadUpdates(perConnectionMax: updatesWaitingMax)
    }

    mutating func judge(_ samples: [Sample], _ progress: Progress, at now: Int) -> [Verdict] {
        scan += 1
        connectionCount = samples.count
        hasUnfinished = false
        let seconds = last == 0 ? 0 : Double(now - last) / 1e9
        last = now
        sharedAllowance.refill(seconds: seconds)
        let isNewRound = progress.rounds != round.number
        if isNewRound { round = (progress.rounds, now) }
        let isStuck = now - round.began >= Limits.roundNanosecondsMax
        var verdicts: [Verdict] = []
        handshakes.removeAll(keepingCapacity: true)
        unfinished.removeAll(keepingCapacity: true)
        unreadUpdates.begin()
        for sample in samples {
            if isInHandshake(sample) {
                if isHandshakeTooLarge(sample) {
                    verdicts.append(.handshakeTooLarge(sample.descriptor))
                }
                continue
            }
            let verdict: Verdict?
            if sample.role == .updates {
                let sendsTooMuch = judgeSubscriber(
                    sample, seconds, isNewRound: isNewRound, isStuck: isStuck)
                let leavesTooMuch = judgeReader(sample, progress)
                verdict =
                    sendsTooMuch
                    ? .tooManySubscriptions(sample.descriptor)
                    : leavesTooMuch ? .tooManyUpdatesUnread(sample.descriptor) : nil
            } else {
                verdict =
                    judgeSender(sample, progress) ? .unfinishedMessage(sample.descriptor) : nil
            }
            guard let verdict, accounts[sample.descriptor]?.isCut == false else { continue }
            accounts[sample.descriptor]?.isCut = true
            verdicts.append(verdict)
        }
        for descriptor in unreadUpdates.excess() where accounts[descriptor]?.isCut == false {
            accounts[descriptor]?.isCut = true
            verdicts.append(.tooManyUpdatesUnread(descriptor))
        }
        cutOldestHandshakes(&verdicts)
        cutUnfinished(&verdicts)
        accounts = accounts.filter { $0.value.scan == scan }
        decideAudit(progress, connections: samples.count, at: now)
        return verdicts
    }

    /// The account of a connection. One that has received less than before is another connection.
    private mutating func account(_ sample: Sample) -> Account {
        var account = accounts[sample.descriptor] ?? Account()
        if account.scan == 0 || sample.identity != account.identity
            || sample.received < account.received
        {
            account = Account(identity: sample.identity, began: last)
        }
        account.scan = scan
        return account
    }

    /// Whether a peer has not yet got or not yet sent what ends a handshake.
    private func isInHandshake(_ sample: Sample) -> Bool {
        isEncrypted
            ? sample.taken < Limits.handshakeTakenBytesMin
            : sample.received <= Limits.greetingBytes
    }

    /// Notes a connection in its handshake. Returns whether it is to be cut at once.
    private mutating func isHandshakeTooLarge(_ sample: Sample) -> Bool {
        var account = account(sample)
        account.received = sample.received
        account.consumed = sample.consumed
        defer { accounts[sample.descriptor] = account }
        guard !account.isCut else { return false }
        account.isCut = sample.received > Limits.handshakeBytesMax
        if !account.isCut { handshakes.append((account.began, sample.descriptor)) }
        return account.isCut
    }

    private mutating func cutOldestHandshakes(_ verdicts: inout [Verdict]) {
        let excess = handshakes.count - Limits.handshakesUnfinishedMax
        guard excess > 0 else { return }
        handshakes.sort { ($0.began, $0.descriptor) < ($1.began, $1.descriptor) }
        for handshake in handshakes.prefix(excess) {
            accounts[handshake.descriptor]?.isCut = true
            verdicts.append(.tooManyHandshakes(handshake.descriptor))
        }
    }

    private mutating func judgeSubscriber(
        _ sample: Sample, _ seconds: Double, isNewRound: Bool, isStuck: Bool
    ) -> Bool {
        var account = account(sample)
        let bytes = sample.received - account.received
        account.allowance.refill(seconds: seconds)
        account.allowance.take(bytes)
        account.received = sample.received
        if isNewRound { account.roundReceived = sample.received }
        accounts[sample.descriptor] = account
        if !account.isCut { sharedAllowance.take(bytes) }
        let hasMuch = account.allowance.used > Double(Limits.subscriptionBurstBytesMax) / 8
        return account.allowance.isOverdrawn
            || (isStuck && sample.received - account.roundReceived > Limits.roundBytesTakenMax)
            || (sharedAllowance.isOverdrawn && hasMuch)
    }

    /// Whether more updates may wait for a subscriber than it may leave unread. It has an account.
    ///
    /// At most those wait that were sent for it since it was last found to read, without what it
    /// has taken since. libzmq does not tell which updates are for it: the reactor counts those
    /// that its prefixes match (``LateReaders``). Until that begins, all may be.
    private mutating func judgeReader(_ sample: Sample, _ progress: Progress) -> Bool {
        guard var account = accounts[sample.descriptor] else { return false }
        // Changed in place, the dictionary would allocate at each look.
        defer { accounts[sample.descriptor] = account }
        guard sample.isBehind, var reading = account.reading else {
            account.reading = Reading(sample, progress)
            return false
        }
        reading.add(sample, progress)
        account.reading = reading
        // Where the others have to wait for it, it may leave less.
        let bytesMax =
            progress.areUpdatesMany
            ? Limits.largeUpdatesBytesMax / 2 : Limits.updatesUnreadBytesMax
        let untaken = reading.unread.bytes - (sample.taken - reading.taken)
        // It has taken all that was for it; so what it takes later does not count for this.
        if untaken <= 0 { account.reading = Reading(sample, progress) }
        if !account.isCut {
            unreadUpdates.note(
                sample.descriptor, read: reading.updates,
                sent: reading.updates + reading.unread.updates, untaken: untaken,
                of: reading.unread.bytes)
        }
        return untaken > bytesMax
    }

    private mutating func judgeSender(_ sample: Sample, _ progress: Progress) -> Bool {
        var account = account(sample)
        unread += sample.consumed - account.consumed
        account.received = sample.received
        account.consumed = sample.consumed
        let messages = progress.messages(sample.role)
        // Between two audits a message that was unfinished stays so, until more has come than it
        // can have.
        let isUnfinished =
            account.unfinished != nil
            && sample.consumed - account.base <= Limits.unfinishedBytesMax
        if progress.senders.contains(sample.descriptor) || (!isAuditing && !isUnfinished) {
            account.base = sample.consumed
            account.unfinished = nil
            account.excessProgress = nil
        }
        let growth = sample.consumed - account.base
        if isAuditing, growth > Limits.unfinishedBytesMin {
            noteUnfinished(&account, growth, messages, sample.descriptor)
        }
        if growth > Limits.unfinishedBytesMax / 8 { hasUnfinished = true }
        defer { accounts[sample.descriptor] = account }
        guard isAuditing, growth > Limits.unfinishedBytesMax else { return false }
        guard let excess = account.excessProgress else {
            account.excessProgress = messages
            return false
        }
        // Since then the socket was found empty twice: whatever was complete has been read.
        return messages - excess >= 2 * PeerTraffic.emptied
    }

    private mutating func noteUnfinished(
        _ account: inout Account, _ bytes: Int, _ messages: Int, _ descriptor: CInt
    ) {
        let began = account.unfinished ?? (last, messages)
        account.unfinished = began
        guard !account.isCut else { return }
        // Since then the socket was found empty twice, or each connection had its turn several
        // times: all messages that were complete are read.
        let count = messages - began.progress
        let isProven =
            count >= 2 * PeerTraffic.emptied
            || (4 * connectionCount..<PeerTraffic.emptied).contains(count)
        unfinished.append((began.since, descriptor, bytes, isProven))
    }

    /// Cuts the connections whose messages are unfinished for the longest time, where all of them
    /// have too many bytes together.
    private mutating func cutUnfinished(_ verdicts: inout [Verdict]) {
        var bytes = unfinished.reduce(0) { $0 + $1.bytes }
        let most = Limits.unfinishedBytesInAllMax
        if bytes > most / 8 { hasUnfinished = true }
        guard bytes > most else { return }
        unfinished.sort { ($0.since, $0.descriptor) < ($1.since, $1.descriptor) }
        for one in unfinished where one.isProven && accounts[one.descriptor]?.isCut == false {
            guard bytes > most else { return }
            accounts[one.descriptor]?.isCut = true
            verdicts.append(.tooManyUnfinishedBytes(one.descriptor))
            bytes -= one.bytes
        }
    }

    /// Audits from when much is unread until nothing has been for a while.
    private mutating func decideAudit(_ progress: Progress, connections: Int, at now: Int) {
        unread = max(0, unread - (progress.bytes - lastBytes))
        lastBytes = progress.bytes
        // A message under way on each connection is usual, handshakes and heartbeats too.
        if unread > Limits.unreadBytesMax {
            isAuditing = true
            auditEnd = now + 5_000_000_000
            unread = 0
        } else if hasUnfinished {
            auditEnd = max(auditEnd, now + 1_000_000_000)
        } else if now > auditEnd {
            isAuditing = false
        }
    }
}
