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
    /// The transitions that it has published since then.
    var transitions = 0
}

/// Writes a session's updates into the lane's chunk; full chunks go to the outbox on the way.
struct LaneSink: MessageSink {
    private(set) var chunk: Chunk
    let outbox: Outbox
    /// Whether sessions with very many subscribers are to publish less than they could, as the
    /// outbox said when something was posted last.
    private(set) var isRestrained = false
    /// Updates and states since they were last added to the daemon's counters.
    private(set) var updates = 0
    private(set) var states = 0
    /// Messages of what moves, since the lane began: states, and frames of whole sessions.
    private(set) var shown = 0
    /// The kind of updates of the session that writes now; see ``begin(_:)``.
    private var publishing = Publishing()
    /// Whether this is one of the frames that it leaves out.
    private var leavesOut = false
    /// The transitions that it may publish until it publishes what lasts again.
    private var transitionsLeft = Int.max
    /// Those that were left out since they were last added to the daemon's counter.
    private(set) var transitionsSkipped = 0
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
    /// `spacing`: it publishes what lasts once in so many frames, and few transitions in between.
    mutating func begin(_ publishing: Publishing, spacing: Int = 1) {
        self.publishing = publishing
        let spacing =
            publishing.isLarge
            ? max(spacing, outbox.largeSpacing.load(ordering: .relaxed)) : spacing
        leavesOut = publishing.leftOut + 1 < spacing
        transitionsLeft =
            spacing > 1 ? max(0, Limits.transitionsSpacedMax - publishing.transitions) : .max
        largest = 0
    }

    /// The session has written. Returns the kind of its updates, as far as they show it.
    mutating func end() -> Publishing {
        let isLarge = largest >= Limits.largeUpdateBytes
        // Without room, only what is small was written.
        let isUnknown = publishing.isLarge && (isFull || largest == 0)
        var ended = Publishing(isLarge: isLarge || isUnknown)
        if leavesOut {
            ended.leftOut = publishing.leftOut + 1
            ended.transitions = max(0, Limits.transitionsSpacedMax - transitionsLeft)
        }
        publishing = Publishing()
        leavesOut = false
        transitionsLeft = .max
        return ended
    }

    /// Posts the chunk, if anything was written.
    mutating func post() {
        guard !chunk.records.isEmpty || !chunk.frameDues.isEmpty else {
            if isRestrained { isRestrained = outbox.restrains }
            return
        }
        outbox.post(chunk)
        chunk = outbox.chunk()
        isRestrained = outbox.restrains
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
    mutating func publishWithoutSession(_ report: RejectionReport) {
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
        // It holds transitions alone.
        guard !leavesOut || mayTransition() else { return }
        let start = chunk.bytes.count
        UpdateTopic.frame(session: identity.id).append(to: &chunk.bytes)
        let topicEnd = chunk.bytes.count
        let touchesBytes = UpdateBody.frame(
            UpdateHead(identity, stamp), picture, into: &chunk.bytes)
        end(from: start, topicEnd: topicEnd, tellsMove: false, touchesBytes: touchesBytes)
        shown += 1
    }

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        if case .transition = topic, !mayTransition() { return }
        write(topic, tellsMove: false, body)
    }

    /// Whether one more transition may be published. One that may not has its number all the same:
    /// its subscribers see the hole.
    private mutating func mayTransition() -> Bool {
        guard transitionsLeft > 0 else {
            transitionsSkipped += 1
            return false
        }
        if transitionsLeft < .max { transitionsLeft -= 1 }
        return true
    }

    /// Returns the transitions that were left out, and counts from 0 again.
    mutating func takeSkipped() -> Int {
        defer { transitionsSkipped = 0 }
        return transitionsSkipped
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
    private mutating func end(
        from start: Int, topicEnd: Int, tellsMove: Bool, touchesBytes: Int = 0
    ) {
        largest = max(largest, chunk.bytes.count - topicEnd)
        chunk.endUpdate(
            from: start, topicEnd: topicEnd, tellsMove: tellsMove, touchesBytes: touchesBytes)
        updates += 1
        postIfLarge()
    }
}

extension Limits {
    /// Transitions that a session publishes from one of its frames to the next, while not all
    /// updates can be sent.
    static let transitionsSpacedMax = 8
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
