import Codec
import Interactions
import Notation
import Protocol
import Sessions
import Synchronization

/// The kind of a session's last updates, by which the next ones may have to wait for room.
struct Publishing: Equatable {
    /// Whether they were large.
    var isLarge = false
    /// The frames that it has left out since it published what lasts.
    var leftOut = 0
}

/// Writes a session's updates into the lane's chunk; full chunks go to the outbox on the way.
struct LaneSink: MessageSink {
    private(set) var chunk: Chunk
    let outbox: Outbox
    /// Updates and states since they were last added to the daemon's counters.
    private(set) var updates = 0
    private(set) var states = 0
    /// Messages of what moves, since the lane began: states, and frames of whole sessions.
    private(set) var shown = 0
    /// The kind of updates of the session that writes now; see ``begin(_:)``.
    private var publishing = Publishing()
    /// Whether this is one of the frames that it leaves out.
    private var leavesOut = false
    /// The bytes of its largest update now.
    private var largest = 0

    init(outbox: Outbox) {
        self.outbox = outbox
        chunk = outbox.chunk()
    }

    var isFull: Bool {
        leavesOut || outbox.isFull
            || (publishing.isLarge ? outbox.hasManyLarge : outbox.hasTooManyLarge)
    }

    /// A session begins to write, whose last updates were of such a kind.
    /// `spacing`: it publishes what lasts once in so many frames.
    mutating func begin(_ publishing: Publishing, spacing: Int = 1) {
        self.publishing = publishing
        leavesOut = publishing.leftOut + 1 < spacing
        largest = 0
    }

    /// The session has written. Returns the kind of its updates, as far as they show it.
    mutating func end() -> Publishing {
        let isLarge = largest >= Limits.largeUpdateBytes
        // Without room, only what is small was written.
        let isUnknown = publishing.isLarge && (isFull || largest == 0)
        let ended = Publishing(
            isLarge: isLarge || isUnknown, leftOut: leavesOut ? publishing.leftOut + 1 : 0)
        publishing = Publishing()
        leavesOut = false
        return ended
    }

    /// Posts the chunk, if anything was written.
    mutating func post() {
        guard !chunk.records.isEmpty || !chunk.frameDues.isEmpty else { return }
        outbox.post(chunk)
        chunk = outbox.chunk()
    }

    /// Posts a chunk that has become large, as after replies.
    mutating func postIfLarge() {
        if chunk.bytes.count >= Limits.chunkBytes { post() }
    }

    /// Notes that a frame was written that was due at a monotonic time: the reactor tells, when it
    /// sends it, whether it is late.
    mutating func noteFrame(due: Int) { chunk.frameDues.append(due) }

    /// Returns the counts, and counts from 0 again.
    mutating func takeCounts() -> (updates: Int, states: Int) {
        defer {
            updates = 0
            states = 0
        }
        return (updates, states)
    }

    /// Passes on a rejection without an open session, which the reactor numbers and writes.
    mutating func nowhere(_ report: RejectionReport) {
        chunk.end(.nowhere(report), from: chunk.bytes.count)
    }

    /// Gives a barrier back that has passed all lanes.
    mutating func barrier(_ barrier: Barrier) {
        chunk.end(.barrier(barrier), from: chunk.bytes.count)
    }

    mutating func session(
        _ identity: SessionIdentity, _ event: SessionEvent, _ stamp: Stamp
    ) {
        write(.session(identity.id), tellsMove: event.isMove) {
            UpdateBody.session(
                UpdateHead(identity, stamp), event, scene: identity.scene, into: &$0)
        }
    }

    /// Most updates are states: these go no way around by the sink of all messages.
    mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp
    ) {
        let start = chunk.bytes.count
        UpdateTopic.state(session: identity.id, component: component).append(to: &chunk.bytes)
        let topicEnd = chunk.bytes.count
        // Without a head, which would retain the epoch: all lanes share it.
        UpdateBody.begin(
            epoch: identity.epoch, seq: stamp.seq, time: stamp.instant, into: &chunk.bytes)
        UpdateBody.state(machine, notes, into: &chunk.bytes)
        end(from: start, topicEnd: topicEnd, tellsMove: false)
        states += 1
        shown += 1
    }

    mutating func frame(_ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp) {
        write(.frame(session: identity.id), tellsMove: false) {
            UpdateBody.frame(UpdateHead(identity, stamp), picture, into: &$0)
        }
        shown += 1
    }

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        write(topic, tellsMove: false, body)
    }

    private mutating func write(
        _ topic: UpdateTopic, tellsMove: Bool, _ body: (inout ByteBuffer) -> Void
    ) {
        let start = chunk.bytes.count
        topic.append(to: &chunk.bytes)
        let topicEnd = chunk.bytes.count
        body(&chunk.bytes)
        end(from: start, topicEnd: topicEnd, tellsMove: tellsMove)
    }

    /// Ends an update that begins at `start`.
    private mutating func end(from start: Int, topicEnd: Int, tellsMove: Bool) {
        largest = max(largest, chunk.bytes.count - topicEnd)
        chunk.endUpdate(from: start, topicEnd: topicEnd, tellsMove: tellsMove)
        updates += 1
        postIfLarge()
    }
}

extension SessionEvent {
    /// Whether the session goes on at another member.
    fileprivate var isMove: Bool {
        switch self {
        case .moved: true
        case .opened, .restored, .parked, .closed, .expired: false
        }
    }
}
