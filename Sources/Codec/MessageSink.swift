package import Interactions
import Notation
package import Protocol
package import Sessions

/// Turns a session's updates into messages: for the daemon's outbox or a simulation's output.
package protocol MessageSink: UpdateSink {
    /// Takes one message; `body` appends its body.
    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void)
}

extension MessageSink {
    package mutating func session(
        _ identity: SessionIdentity, _ event: SessionEvent, _ stamp: Stamp
    ) {
        message(.session(identity.id)) {
            UpdateBody.session(
                UpdateHead(identity, stamp), event, scene: identity.scene, into: &$0)
        }
    }

    package mutating func transition(
        _ identity: SessionIdentity, component: String, _ transition: Transition, _ stamp: Stamp
    ) {
        message(.transition(session: identity.id, component: component)) {
            UpdateBody.transition(UpdateHead(identity, stamp), transition, into: &$0)
        }
    }

    package mutating func badge(_ identity: SessionIdentity, _ badges: BadgeLedger, _ stamp: Stamp)
    {
        message(.badge(session: identity.id)) {
            UpdateBody.badge(UpdateHead(identity, stamp), badges, into: &$0)
        }
    }

    package mutating func variables(
        _ identity: SessionIdentity, _ variables: VariablePicture, _ stamp: Stamp
    ) {
        message(.variables(session: identity.id)) {
            UpdateBody.variables(UpdateHead(identity, stamp), variables, into: &$0)
        }
    }

    package mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp
    ) {
        // A closure opens no `inout` machine.
        let machine = machine
        message(.state(session: identity.id, component: component)) {
            UpdateBody.state(UpdateHead(identity, stamp), machine, notes, into: &$0)
        }
    }

    package mutating func scene(
        _ identity: SessionIdentity, _ scene: SceneDescription, _ stamp: Stamp
    ) {
        message(.scene(session: identity.id)) {
            UpdateBody.scene(UpdateHead(identity, stamp), scene, into: &$0)
        }
    }

    package mutating func rows(
        _ identity: SessionIdentity, component: String, _ rows: ToldRows, _ stamp: Stamp
    ) {
        message(.rows(session: identity.id, component: component)) {
            UpdateBody.rows(UpdateHead(identity, stamp), rows, into: &$0)
        }
    }

    package mutating func touches(
        _ identity: SessionIdentity, _ contacts: ContactLedger, _ stamp: Stamp
    ) {
        message(.touches(session: identity.id)) {
            UpdateBody.touches(UpdateHead(identity, stamp), contacts, into: &$0)
        }
    }

    package mutating func frame(
        _ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp
    ) {
        message(.frame(session: identity.id)) {
            UpdateBody.frame(UpdateHead(identity, stamp), picture, into: &$0)
        }
    }

    package mutating func rejected(
        _ identity: SessionIdentity, _ report: RejectionReport, _ stamp: Stamp
    ) {
        message(.rejected(session: identity.id)) {
            UpdateBody.rejected(UpdateHead(identity, stamp), report, into: &$0)
        }
    }
}

extension UpdateHead {
    /// Borrowed, for an identity that is handed over is copied first.
    @inline(__always)
    package init(_ identity: borrowing SessionIdentity, _ stamp: Stamp) {
        self.init(epoch: identity.epoch, seq: stamp.seq, time: stamp.instant)
    }
}

extension UpdateBody {
    package static func session(
        _ head: UpdateHead, _ event: SessionEvent, scene: String?, into buffer: inout ByteBuffer
    ) {
        var owner: [UInt8]?
        if case .moved(let member) = event { owner = member }
        session(head, event: event.name, scene: scene, owner: owner, into: &buffer)
    }

    package static func badge(
        _ head: UpdateHead, _ badges: BadgeLedger, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.append(",")
        badge(badges, into: &buffer)
    }

    /// The members of a badge, to the end of the object.
    static func badge(_ badges: BadgeLedger, into buffer: inout ByteBuffer) {
        badge(
            version: badges.version, total: badges.total,
            counts: badges.counts.entries.lazy.map { (kind: $0.kind, count: $0.count) },
            into: &buffer)
    }

    package static func rejected(
        _ head: UpdateHead, _ report: RejectionReport, into buffer: inout ByteBuffer
    ) {
        let command = report.reaction.map { String(decoding: $0.command.json(), as: UTF8.self) }
        unsafe rejected(
            head, report.rejection, topic: report.topic.utf8.span.bytes,
            body: (command ?? report.excerpt).utf8.span.bytes, reaction: report.reaction?.index,
            into: &buffer)
    }
}
