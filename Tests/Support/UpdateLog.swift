package import Gestures
package import Interactions
package import Sessions

/// One update as it was told, taken apart.
package struct Told: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        case session(SessionEvent)
        case transition(String)
        case badge(version: Int, total: Int, counts: [BadgeCounts.Entry])
        case state(Picture)
        case rejected(RejectionCode)
    }

    /// Without the session's name: `state/tips`, `badge`.
    package var topic: String
    package var body: Body
    package var stamp: Stamp
}

/// Takes down what a session tells.
package struct UpdateLog: UpdateSink {
    package var isFull = false
    package private(set) var told: [Told] = []

    package init() {}

    package mutating func session(
        _ identity: SessionIdentity, _ event: SessionEvent, _ stamp: Stamp
    ) { told.append(Told(topic: "session", body: .session(event), stamp: stamp)) }

    package mutating func transition(
        _ identity: SessionIdentity, component: String, _ transition: Transition, _ stamp: Stamp
    ) {
        told.append(
            Told(
                topic: "transition/\(component)", body: .transition(transition.line),
                stamp: stamp))
    }

    package mutating func badge(_ identity: SessionIdentity, _ badges: BadgeLedger, _ stamp: Stamp)
    {
        let body = Told.Body.badge(
            version: badges.version, total: badges.total, counts: badges.counts.entries)
        told.append(Told(topic: "badge", body: body, stamp: stamp))
    }

    package mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: any Machine,
        recognizer: GestureKind?, _ stamp: Stamp
    ) {
        let picture = Picture(machine, recognizer: recognizer)
        told.append(Told(topic: "state/\(component)", body: .state(picture), stamp: stamp))
    }

    package mutating func rejected(
        _ identity: SessionIdentity, _ report: RejectionReport, _ stamp: Stamp
    ) {
        told.append(
            Told(topic: "rejected", body: .rejected(report.rejection.code), stamp: stamp))
    }
}

extension Told {
    /// A transition's line; nil: it is none.
    package var line: String? {
        if case .transition(let line) = body { return line }
        return nil
    }
}
