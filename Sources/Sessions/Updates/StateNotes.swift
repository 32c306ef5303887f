package import Geometry
package import Gestures
package import Interactions
package import Notation

/// The part of a component's state that the component does not show itself.
package struct StateNotes: Sendable {
    /// The gesture that raw contacts on it were recognised as, while it lasts.
    package var recognizer: GestureKind?
    /// The transitions that have begun and not ended.
    package var running: [RunningTransition]
    /// The time of the newest sample that was applied to it, in milliseconds since the Unix epoch,
    /// where its publisher gave one.
    package var input: Double?
    /// Added to the `cut` of each view: the component's id was another one's before.
    package var cutFloor = 0
    /// The instant at the clock's step 0, from which ``RunningTransition/began`` counts.
    package var opened: Instant
    /// The values that its texts name; nil: they are shown as they are written.
    package var texts: TextContext?

    package init(
        recognizer: GestureKind? = nil, running: [RunningTransition] = [], input: Double? = nil,
        opened: Instant
    ) {
        self.recognizer = recognizer
        self.running = running
        self.input = input
        self.opened = opened
    }

    init(_ notes: ComponentNotes, recognizer: GestureKind?, opened: Instant) {
        // Mostly nothing runs, and an empty list of its own is kept alive for nothing.
        self.init(
            recognizer: recognizer, running: notes.running.isEmpty ? [] : notes.running,
            input: notes.input, opened: opened)
        cutFloor = notes.cutFloor ?? 0
    }
}

/// A transition that has begun and takes time.
package struct RunningTransition: Hashable, Sendable, Codable {
    package var transition: Transition
    /// On the session's clock.
    package var began: Step
}

/// The notes of one component; they go on with an exported session.
struct ComponentNotes: Hashable, Sendable, Codable {
    var running: [RunningTransition] = []
    var input: Double?
    /// Added to the `cut` of each view; nil: the component's id was never another one's.
    var cutFloor: Int?

    /// A transition began, ended or was cancelled. Returns whether what runs has changed. Meetings
    /// and what takes no time do not run.
    mutating func note(_ transition: Transition, at clock: Step) -> Bool {
        guard transition.meeting == nil else { return false }
        let count = running.count
        // Several rows may close at once.
        running.removeAll {
            $0.transition.name == transition.name
                && $0.transition.row?.number == transition.row?.number
        }
        // Without its memory: each frame looks here, and finds an empty list without reading any.
        if running.isEmpty { running = [] }
        let begins = transition.event == .began && transition.duration > 0
        if begins { running.append(RunningTransition(transition: transition, began: clock)) }
        return begins || running.count != count
    }

    /// A sample was applied whose publisher gave this time.
    mutating func note(input time: Double?) {
        // Beyond these the wire's decimals do not hold it, nor is it any clock's.
        if let time, time.magnitude < 9e12 { input = time }
    }

    func isSound(at clock: Step) -> Bool {
        (input ?? 0).magnitude < 9e12 && (0...Limits.viewCutMax).contains(cutFloor ?? 0)
            && running.count <= Limits.transitionsRunningMax
            && running.allSatisfy { run in
                run.began <= clock && run.transition.duration.magnitude <= 1e9
                    && run.transition.name.utf8.count <= 64
            }
    }
}

extension Limits {
    /// Transitions of a component that run at once: each kind has fewer.
    package static let transitionsRunningMax = 8
}

extension Session {
    /// The notes of a component, as its state tells them.
    package func notes(of index: Int) -> StateNotes {
        var told = StateNotes(notes[index], recognizer: recognizer(on: index), opened: opened)
        if tellsTexts, scene.texts.told[index].isAny { told.texts = textContext }
        return told
    }

    /// Adds the values that a component's texts name, if it tells any. It changes nothing of the
    /// session; but a function that could not would be given a copy of it, with each state.
    @inline(never)
    mutating func addTexts(to told: inout StateNotes, of index: Int) {
        if scene.texts.told[index].isAny { told.texts = textContext }
    }
}
