import Notation
import Sessions

/// The time that a session has cost its lane, and whether it moves in turn with the others or in
/// the time that these leave.
///
/// A session begins as suspect, and becomes so where a look takes long by the wall: the machine may
/// have run something else meanwhile. Then its next look has few steps and is measured by the
/// processor's time, which tells.
struct Effort {
    enum Weight: Equatable {
        /// Its looks are short. Can become: `suspect`.
        case light
        /// It has not moved yet, or one of its looks was long by the wall. Can become: `light`,
        /// `heavy`.
        case suspect
        /// Its looks take the processor long. It moves in the spare time. Can become: `light`.
        case heavy
    }

    private(set) var weight = Weight.suspect
    /// Whether reactions of its scene may change the scene.
    var changesItself = false
    /// The kind of its last updates.
    var publishing = Publishing()
    /// The processor's nanoseconds of one of its steps, as measured last.
    private(set) var stepCost = 0
    /// Those of one change of its scene, on the average of the last ones; 0: not measured yet.
    private var changeCost = 0
    /// The time of its events that change no scene.
    private(set) var events = EventCost()

    /// Notes how long an event took the processor that changes no scene.
    mutating func noteEvent(nanoseconds: Int) { events.note(nanoseconds: nanoseconds) }

    /// Nanoseconds that one more change is expected to take, of a scene or a body of so many bytes.
    func changeCost(ofBytes bytes: Int) -> Int {
        changeCost > 0 ? changeCost : bytes * Limits.changeNanosecondsPerByte
    }

    /// Notes how long a change of the scene took the processor.
    mutating func noteChange(nanoseconds: Int) {
        changeCost = changeCost == 0 ? nanoseconds : (3 * changeCost + nanoseconds) / 4
    }

    /// The steps of one look: as many as fit a piece, and at least one.
    var stepsMax: Int {
        guard weight != .light else { return Limits.stepsMadeUpMax }
        guard stepCost > 0 else { return Limits.stepsUnmeasuredMax }
        return min(max(1, Limits.pieceMicrosecondsMax * 1_000 / stepCost), Limits.stepsMadeUpMax)
    }

    /// Notes how long a look took by the wall; only what was long counts.
    mutating func noteWall(_ nanoseconds: Int, limit: Int) {
        if weight == .light, nanoseconds > limit { weight = .suspect }
    }

    /// Notes how long a look of so many steps took the processor.
    mutating func noteProcessor(_ nanoseconds: Int, steps: Int, limit: Int) {
        stepCost = nanoseconds / max(1, steps)
        // A frame has up to four steps.
        let frame = 4 * stepCost
        switch weight {
        case .light: break
        case .suspect: weight = frame > limit ? .heavy : .light
        // Half, so that it does not go to and fro.
        case .heavy: if frame < limit / 2 { weight = .light }
        }
    }

    /// It rests, so what it cost need not be what its next motion costs.
    mutating func rested() {
        if weight == .heavy { weight = .suspect }
    }
}

extension Limits {
    /// Steps of a session's first look: half a frame at 30 Hz. Nobody knows yet what they cost.
    static let stepsUnmeasuredMax = 2
    /// Nanoseconds that a byte of a scene's text takes to be read, until it was measured.
    static let changeNanosecondsPerByte = 30
}
