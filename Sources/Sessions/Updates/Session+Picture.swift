import Geometry
package import Interactions

/// One frame: what changed in one frame or by one batch of events, or all there is.
///
/// It shares the session's arrays as they are, so that making it allocates nothing.
package struct SessionPicture: Sendable {
    let components: [Scene.Component]
    let machines: [any Machine]
    let notes: [ComponentNotes]
    let trackings: [ContactTracking]
    let opened: Instant
    /// The components whose states are in it, as bits.
    let included: UInt32
    /// Transitions with the index of their component, in order.
    let transitions: [Outgoing.DatedTransition]
    package let badges: BadgeLedger?

    /// The states in it, in their order.
    package func forEachState(
        _ body: (_ component: String, _ machine: any Machine, _ notes: StateNotes) -> Void
    ) {
        for index in machines.indices where included & (1 << UInt32(index)) != 0 {
            let recognizer = trackings.first { $0.component == index }?.recognizer
            body(
                components[index].id, machines[index],
                StateNotes(notes[index], recognizer: recognizer, opened: opened))
        }
    }

    package var hasTransitions: Bool { !transitions.isEmpty }

    package func forEachTransition(_ body: (_ component: String, _ transition: Transition) -> Void)
    {
        for dated in transitions { body(components[dated.component].id, dated.transition) }
    }
}

extension Session {
    /// A frame of these components.
    func picture(
        of included: UInt32, transitions: [Outgoing.DatedTransition] = [], badges: BadgeLedger?
    ) -> SessionPicture {
        SessionPicture(
            components: scene.components, machines: machines, notes: notes,
            trackings: trackings, opened: opened, included: included, transitions: transitions,
            badges: badges)
    }

    /// A frame of all there is.
    package var wholePicture: SessionPicture {
        picture(of: Pictures.all(machines.count), badges: badges)
    }
}
