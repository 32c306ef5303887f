import Codec
import Geometry
import Protocol
import Sessions
import ZeroMQ

/// The updates that the reactor writes itself: heartbeats, answers to `sync/…`, and rejections
/// that belong to no open session. Each topic has its own sequence.
struct OwnUpdates: ~Copyable {
    private let epoch: String
    private let grid: Grid
    /// One update's bytes before they leave.
    private var buffer = ByteBuffer(capacity: 4_096)
    private var heartbeatSeq = 0
    private var rejectionSeq = 0
    private var syncs = SyncNumbers()
    /// When the next heartbeat is due, on the monotonic clock.
    private(set) var nextHeartbeat: Int

    private static let heartbeatNanoseconds = 1_000_000_000

    init(epoch: String, grid: Grid, at time: Int) {
        self.epoch = epoch
        self.grid = grid
        nextHeartbeat = time + Self.heartbeatNanoseconds
    }

    /// Sends the heartbeat that is due. After a stall one is sent, not all that were missed.
    mutating func sendHeartbeat(
        at time: Int, _ counters: Counters, of member: Heartbeat.Member?,
        to sockets: borrowing Sockets
    ) throws(ZeroMQError) {
        let missed = (time - nextHeartbeat) / Self.heartbeatNanoseconds
        nextHeartbeat += (missed + 1) * Self.heartbeatNanoseconds
        var beat = Heartbeat()
        beat.uptimeSeconds = Double(Clock.monotonic() - grid.origin) / 1e9
        beat.sessions = counters.get(.sessions)
        beat.moving = counters.get(.moving)
        beat.events = counters.get(.events)
        beat.rejected = counters.get(.rejected)
        beat.updates = counters.get(.updates)
        beat.member = member
        heartbeatSeq += 1
        try send(.heartbeat, seq: heartbeatSeq, counters, to: sockets, reaching: .everybody) {
            UpdateBody.heartbeat($0, beat, into: &$1)
        }
    }

    /// Sends a rejection that belongs to no open session.
    mutating func sendRejection(
        _ report: RejectionReport, _ counters: Counters, to sockets: borrowing Sockets
    ) throws(ZeroMQError) {
        rejectionSeq += 1
        // It may be about any session.
        try send(
            .rejected(session: nil), seq: rejectionSeq, counters, to: sockets, reaching: .one(nil)
        ) {
            UpdateBody.rejected($0, report, into: &$1)
        }
    }

    /// Tells a subscriber that its subscriptions up to `sync/<nonce>` are in force.
    mutating func sendSync(
        _ nonce: String, _ counters: Counters, to sockets: borrowing Sockets, group: ReaderGroup?
    ) throws(ZeroMQError) {
        let seq = syncs.next(for: nonce)
        try send(
            .sync(nonce: nonce), seq: seq, counters, to: sockets, reaching: .one(group)
        ) {
            UpdateBody.sync($0, into: &$1)
        }
    }

    /// The sockets of updates to which one goes.
    private enum Reach {
        case everybody
        /// A group of readers; nil: the updates socket.
        case one(ReaderGroup?)
    }

    private mutating func send(
        _ topic: UpdateTopic, seq: Int, _ counters: Counters, to sockets: borrowing Sockets,
        reaching reach: Reach,
        _ body: (UpdateHead, inout ByteBuffer) -> Void
    ) throws(ZeroMQError) {
        buffer.removeAll()
        topic.append(to: &buffer)
        let topicEnd = buffer.count
        let time = grid.instant(at: Clock.monotonic())
        body(UpdateHead(epoch: epoch, seq: seq, time: time), &buffer)
        let whole = 0..<buffer.count
        switch reach {
        case .one(let group?):
            try Sockets.send(buffer, whole, topicEnd: topicEnd, to: group.socket)
        case .one(nil):
            try Sockets.send(buffer, whole, topicEnd: topicEnd, to: sockets.updates)
        case .everybody:
            try Sockets.send(buffer, whole, topicEnd: topicEnd, to: sockets.updates)
            for group in sockets.groups {
                try Sockets.send(buffer, whole, topicEnd: topicEnd, to: group.socket)
            }
        }
        counters.add(.updates)
    }
}
