package import Interactions
package import Sessions

/// One update as it was told, taken apart.
package struct Told: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        case session(SessionEvent)
        case transition(String)
        case badge(version: Int, total: Int, counts: [BadgeCounts.Entry])
        case variables(version: Int, values: [Variable])
        case state(Picture)
        case rejected(RejectionCode)
    }

    /// Without the session's name: `state/tips`, `badge`.
    package var topic: String
    package var body: Body
    package var stamp: Stamp
}

/// One frame as it was told: the components whose states are in it, and what else is.
package struct ToldFrame: Hashable, Sendable {
    package var states: [String]
    package var transitions: [String]
    package var badge: Int?
    package var variables: Int?
    /// Nil: it has none.
    package var touches: [ContactLedger.Entry]?
    package var stamp: Stamp
}

/// The contacts that are down, as they were told.
package struct ToldTouches: Hashable, Sendable {
    package var contacts: [ContactLedger.Entry]
    package var stamp: Stamp
}

/// Takes down what a session tells.
package struct UpdateLog: UpdateSink {
    package var isFull = false
    /// The updates on topics of one thing.
    package private(set) var told: [Told] = []
    package private(set) var scenes: [Stamp] = []
    package private(set) var frames: [ToldFrame] = []
    package private(set) var touches: [ToldTouches] = []
    /// The refusals in full.
    package private(set) var reports: [RejectionReport] = []

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

    package mutating func variables(
        _ identity: SessionIdentity, _ variables: VariablePicture, _ stamp: Stamp
    ) {
        var values: [Variable] = []
        variables.forEach { values.append(Variable($0, $1)) }
        let body = Told.Body.variables(version: variables.version, values: values)
        told.append(Told(topic: "variables", body: body, stamp: stamp))
    }

    package mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp
    ) {
        let picture = Picture(machine, recognizer: notes.recognizer)
        told.append(Told(topic: "state/\(component)", body: .state(picture), stamp: stamp))
    }

    package mutating func scene(
        _ identity: SessionIdentity, _ scene: SceneDescription, _ stamp: Stamp
    ) { scenes.append(stamp) }

    package mutating func frame(
        _ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp
    ) {
        var components: [String] = []
        picture.forEachState { component, _, _ in components.append(component) }
        var lines: [String] = []
        picture.forEachTransition { lines.append("\($0) \($1.line)") }
        frames.append(
            ToldFrame(
                states: components, transitions: lines, badge: picture.badges?.version,
                variables: picture.variables?.version, touches: picture.touches?.entries,
                stamp: stamp))
    }

    package mutating func touches(
        _ identity: SessionIdentity, _ contacts: ContactLedger, _ stamp: Stamp
    ) { touches.append(ToldTouches(contacts: contacts.entries, stamp: stamp)) }

    package mutating func rejected(
        _ identity: SessionIdentity, _ report: RejectionReport, _ stamp: Stamp
    ) {
        reports.append(report)
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
