package import Gestures
package import Interactions
package import Protocol
package import Sessions

/// Turns a session's updates into messages: for the daemon's outbox or a simulation's output.
package protocol MessageSink: UpdateSink {
    /// Takes one message; `body` appends its body.
    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void)
}

extension MessageSink {
    package mutating func session(
        _ life: SessionLife, _ event: SessionEvent, _ stamp: Stamp
    ) {
        message(.session(life.id)) {
            UpdateBody.session(
                UpdateHead(life, stamp), event: event.rawValue, scene: life.scene, into: &$0)
        }
    }

    package mutating func transition(
        _ life: SessionLife, component: String, _ transition: Transition, _ stamp: Stamp
    ) {
        message(.transition(session: life.id, component: component)) {
            UpdateBody.transition(UpdateHead(life, stamp), transition, into: &$0)
        }
    }

    package mutating func badge(_ life: SessionLife, _ badges: BadgeLedger, _ stamp: Stamp) {
        message(.badge(session: life.id)) {
            UpdateBody.badge(UpdateHead(life, stamp), badges, into: &$0)
        }
    }

    package mutating func state(
        _ life: SessionLife, component: String, _ machine: any Machine,
        recognizer: GestureKind?, _ stamp: Stamp
    ) {
        message(.state(session: life.id, component: component)) {
            UpdateBody.state(UpdateHead(life, stamp), machine, recognizer: recognizer, into: &$0)
        }
    }

    package mutating func rejected(
        _ life: SessionLife, _ report: RejectionReport, _ stamp: Stamp
    ) {
        message(.rejected(session: life.id)) {
            UpdateBody.rejected(UpdateHead(life, stamp), report, into: &$0)
        }
    }
}

extension UpdateHead {
    package init(_ life: SessionLife, _ stamp: Stamp) {
        self.init(epoch: life.epoch, seq: stamp.seq, time: stamp.instant)
    }
}

extension UpdateBody {
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
