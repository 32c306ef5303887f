import Geometry
import Interactions
import Sessions
import Wire

/// Writes a session's updates into the lane's chunk; full chunks go to the outbox on the way.
struct LaneSink: UpdateSink {
    private(set) var chunk: Chunk
    private let outbox: Outbox
    /// Since they were last added to the daemon's counters.
    private(set) var updates = 0
    private(set) var states = 0

    init(outbox: Outbox) {
        self.outbox = outbox
        chunk = outbox.chunk()
    }

    var isFull: Bool { outbox.isFull }

    /// Hands over what has been written; false: there was nothing.
    mutating func post() {
        guard !chunk.records.isEmpty else { return }
        outbox.post(chunk)
        chunk = outbox.chunk()
    }

    /// Returns what was counted, and counts from 0 again.
    mutating func takeCounts() -> (updates: Int, states: Int) {
        defer {
            updates = 0
            states = 0
        }
        return (updates, states)
    }

    /// A rejection about no open session; the reactor numbers and writes it.
    mutating func nowhere(_ report: RejectionReport) {
        let end = chunk.bytes.count
        chunk.records.append(Chunk.Record(destination: .nowhere(report), range: end..<end))
    }

    private mutating func update(
        _ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void
    ) {
        let start = chunk.bytes.count
        topic.append(to: &chunk.bytes)
        let topicEnd = chunk.bytes.count
        body(&chunk.bytes)
        chunk.records.append(
            Chunk.Record(
                destination: .update(topicEnd: topicEnd), range: start..<chunk.bytes.count))
        updates += 1
        if chunk.bytes.count >= Limits.chunkBytes { post() }
    }

    mutating func session(
        _ session: borrowing Session, _ event: SessionEvent, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        let scene = session.scene.name
        update(.session(session.id)) {
            Update.session(head, event: event.rawValue, scene: scene, into: &$0)
        }
    }

    mutating func transition(
        _ session: borrowing Session, component: Int, _ transition: Transition, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        let name = session.scene.components[component].id
        update(.transition(session: session.id, component: name)) {
            Update.transition(head, transition, into: &$0)
        }
    }

    mutating func badge(_ session: borrowing Session, _ stamp: Stamp) {
        let head = UpdateHead(session, stamp)
        let badges = session.badges
        update(.badge(session: session.id)) { Update.badge(head, badges, into: &$0) }
    }

    mutating func state(_ session: borrowing Session, component: Int, _ stamp: Stamp) {
        let head = UpdateHead(session, stamp)
        let name = session.scene.components[component].id
        let machine = session.machines[component]
        update(.state(session: session.id, component: name)) {
            Update.state(head, machine, into: &$0)
        }
        states += 1
    }

    mutating func rejected(
        _ session: borrowing Session, _ report: RejectionReport, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        update(.rejected(session: session.id)) { Update.rejected(head, report, into: &$0) }
    }
}

extension UpdateHead {
    init(_ session: borrowing Session, _ stamp: Stamp) {
        self.init(epoch: session.epoch, seq: stamp.seq, time: stamp.instant)
    }
}

extension Update {
    static func badge(
        _ head: UpdateHead, _ badges: BadgeLedger, into buffer: inout ByteBuffer
    ) {
        badge(
            head, version: badges.version, total: badges.total,
            counts: badges.counts.entries.lazy.map { (kind: $0.kind, count: $0.count) },
            into: &buffer)
    }

    static func rejected(
        _ head: UpdateHead, _ report: RejectionReport, into buffer: inout ByteBuffer
    ) {
        unsafe rejected(
            head, report.rejection, topic: report.topic.utf8.span.bytes,
            body: report.excerpt.utf8.span.bytes, into: &buffer)
    }
}
