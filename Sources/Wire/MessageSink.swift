package import Interactions
package import Sessions

/// Where a session's updates become messages: the daemon's chunk, a simulation's lines.
package protocol MessageSink: UpdateSink {
    /// Takes one message; `body` appends its body.
    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void)
}

extension MessageSink {
    package mutating func session(
        _ session: borrowing Session, _ event: SessionEvent, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        let scene = session.scene.name
        message(.session(session.id)) {
            Update.session(head, event: event.rawValue, scene: scene, into: &$0)
        }
    }

    package mutating func transition(
        _ session: borrowing Session, component: Int, _ transition: Transition, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        let name = session.scene.components[component].id
        message(.transition(session: session.id, component: name)) {
            Update.transition(head, transition, into: &$0)
        }
    }

    package mutating func badge(
        _ session: borrowing Session, _ badges: BadgeLedger, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        message(.badge(session: session.id)) { Update.badge(head, badges, into: &$0) }
    }

    package mutating func state(_ session: borrowing Session, component: Int, _ stamp: Stamp) {
        let head = UpdateHead(session, stamp)
        let name = session.scene.components[component].id
        let machine = session.machines[component]
        message(.state(session: session.id, component: name)) {
            Update.state(head, machine, into: &$0)
        }
    }

    package mutating func rejected(
        _ session: borrowing Session, _ report: RejectionReport, _ stamp: Stamp
    ) {
        let head = UpdateHead(session, stamp)
        message(.rejected(session: session.id)) { Update.rejected(head, report, into: &$0) }
    }
}

extension UpdateHead {
    package init(_ session: borrowing Session, _ stamp: Stamp) {
        self.init(epoch: session.epoch, seq: stamp.seq, time: stamp.instant)
    }
}

extension Update {
    package static func badge(
        _ head: UpdateHead, _ badges: BadgeLedger, into buffer: inout ByteBuffer
    ) {
        badge(
            head, version: badges.version, total: badges.total,
            counts: badges.counts.entries.lazy.map { (kind: $0.kind, count: $0.count) },
            into: &buffer)
    }

    package static func rejected(
        _ head: UpdateHead, _ report: RejectionReport, into buffer: inout ByteBuffer
    ) {
        unsafe rejected(
            head, report.rejection, topic: report.topic.utf8.span.bytes,
            body: report.excerpt.utf8.span.bytes, into: &buffer)
    }
}
