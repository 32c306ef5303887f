package import Geometry
package import Gestures

/// Requests that a machine makes beside its own change of state.
package struct Effects: Sendable {
    /// The session's seeded generator.
    package var random: SplitMix64
    /// Transitions that began, ended or were cancelled, in order.
    package var transitions: [Transition] = []
    /// Kinds whose counts the session shall clear.
    package var clearedKinds: [String] = []
    /// The bulk that the session's other components leave for this one.
    package var room = Bulk.sessionMax
    /// The contacts of which the machine hears.
    package var hand = Hand.shared
    /// Whether the step that was just made has left the component's schedule as it was. A machine
    /// that knows it says so, and is not asked for its schedule.
    package var keepsSchedule = false
    /// Whether the state must go out at once.
    package var needsPublish = false
    /// Whether what came is of a thing that only lies there, so that nobody touched it.
    package var isOfRest = false
    /// Number of worlds put to rest because they did not come to rest.
    package var restsForced = 0
    /// Number of saved worlds that could not be restored as they stood.
    package var worldsUnread = 0

    package init(random: SplitMix64) { self.random = random }

    /// Tells a transition that begins and ends at once.
    mutating func tellAtOnce(_ transition: Transition) {
        var ended = transition
        ended.event = .ended
        transitions += [transition, ended]
    }

    /// Whether the session has nothing to do for the component.
    var areNone: Bool { transitions.isEmpty && !needsPublish && clearedKinds.isEmpty }
}

/// When a component changes without an event.
package struct Schedule: Hashable, Sendable {
    package var isMoving: Bool
    /// `Step.never` where no timer runs.
    package var timer: Step

    package init(isMoving: Bool, timer: Step) {
        self.isMoving = isMoving
        self.timer = timer
    }
}
