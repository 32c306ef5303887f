import Geometry
import Gestures
import Interactions
import TestSupport

/// One machine at one moment, that is told one thing; nothing around it reacts.
struct Trial<Kind: Machine> {
    private(set) var machine: Kind
    private(set) var now: Step
    private(set) var effects: Effects
    private var counts: BadgeCounts

    init(_ stage: Stage<Kind>) {
        machine = stage.machine
        now = stage.now
        counts = stage.counts
        effects = Effects(random: SplitMix64(seed: 1))
    }

    mutating func play(_ stimulus: Stimulus) throws(Rejection) {
        let time = SampleTime(claimed: nil, received: Double(now.nanoseconds) / 1e6)
        switch stimulus {
        case .gesture(let gesture):
            try machine.gesture(gesture, time: time, at: now, into: &effects)
        case .command(let command): try machine.command(command, at: now, into: &effects)
        case .notification(let kind, let count):
            counts.set(kind, to: count)
            machine.notified(kind: kind, counts: counts, at: now, into: &effects)
        case .clearing(let kind):
            counts.set(kind, to: 0)
            machine.recounted(counts, at: now, into: &effects)
        case .touch(let touch): machine.touch(touch, at: now, into: &effects)
        case .contentDrag(let drag):
            try machine.dragContent(drag, time: time, at: now, into: &effects)
        case .time: break
        }
    }

    /// The scene becomes another one.
    mutating func adapt(to parameters: Kind.Parameters, viewport: Size) {
        machine.adapt(to: parameters, viewport: viewport, at: now, into: &effects)
    }

    /// One step of a session: physics if it moves, then its timers.
    mutating func step() {
        now = now + 1
        if machine.isMoving { _ = machine.advance(to: now, into: &effects) }
        while let timer = machine.nextTimer, timer <= now {
            machine.fire(at: now, into: &effects)
        }
    }

    /// Does a session's work after an event: clears counts and fires due timers.
    mutating func settle() {
        while !effects.clearedKinds.isEmpty {
            for kind in effects.clearedKinds { counts.set(kind, to: 0) }
            effects.clearedKinds = []
            machine.recounted(counts, at: now, into: &effects)
        }
        while let timer = machine.nextTimer, timer <= now {
            machine.fire(at: now, into: &effects)
        }
        effects.transitions = []
        effects.needsPublish = false
    }

    /// Whether it waits for events alone.
    var isResting: Bool { !machine.isMoving && machine.nextTimer == nil }
}

/// The answer to one stimulus in one state.
enum Answer: Hashable, Sendable {
    case refused(RejectionCode)
    /// Accepted, and nothing is shown, told or timed otherwise than without it.
    case ignored
    case accepted(Reaction)

    struct Reaction: Hashable, Sendable {
        /// The state it leads to.
        var next: String
        var needsPublish: Bool
        /// Its transitions, without durations and curves.
        var told: [String]
        var clearedKinds: [String]
        /// Steps to a timer that was set or moved; nil: none was.
        var timerSteps: Int?
    }
}

extension Trial {
    /// Steps within which whatever moves must come to something: 10 s.
    static var patienceSteps: Int { 10 * Step.perSecond }

    /// Plays one stimulus on a copy; `faults` takes what no machine may do.
    func answer(
        to stimulus: Stimulus, state: (Trial) -> String, faults: inout [String]
    ) -> Answer {
        var after = self
        do throws(Rejection) {
            try after.play(stimulus)
        } catch {
            if after.machine != machine { faults.append("changed by what it refused") }
            if !after.isUntouched(since: self) { faults.append("told of what it refused") }
            return .refused(error.code)
        }
        if case .time = stimulus {
            let former = state(self)
            for _ in 0..<Self.patienceSteps {
                if after.isResting { break }
                after.step()
                if state(after) != former || !after.effects.transitions.isEmpty { break }
            }
            let hasPassed = state(after) != former || !after.effects.transitions.isEmpty
            if !hasPassed {
                if !after.isResting { faults.append("moves for ever") }
                return .ignored
            }
        }
        if !Picture(after.machine).isFinite { faults.append("shows what is no number") }
        if after.goesOn(as: self) { return .ignored }
        let timer = after.machine.nextTimer
        return .accepted(
            Answer.Reaction(
                next: state(after), needsPublish: after.effects.needsPublish,
                told: after.effects.transitions.map(\.sketch),
                clearedKinds: after.effects.clearedKinds,
                timerSteps: timer == machine.nextTimer ? nil : timer.map { $0 - after.now }))
    }

    /// Whether nothing is otherwise, now or later, as far as anybody can tell.
    private func goesOn(as former: Trial) -> Bool {
        guard isUntouched(since: former) else { return false }
        if machine == former.machine { return true }
        var (mine, other) = (self, former)
        for _ in 0...Self.patienceSteps {
            let isAlike =
                Picture(mine.machine) == Picture(other.machine)
                && mine.machine.schedule == other.machine.schedule
                && mine.effects.transitions == other.effects.transitions
            guard isAlike else { return false }
            if mine.isResting { return true }
            mine.step()
            other.step()
        }
        return true
    }

    func isUntouched(since former: Trial) -> Bool {
        effects.transitions.isEmpty && effects.clearedKinds.isEmpty && !effects.needsPublish
            && effects.random == former.effects.random
    }
}

extension Transition {
    /// As `page began 0→1`.
    fileprivate var sketch: String {
        guard let from, let to else { return "\(name) \(event.rawValue)" }
        return "\(name) \(event.rawValue) \(Self.text(from))→\(Self.text(to))"
    }

    private static func text(_ end: End) -> String {
        switch end {
        case .index(let index): "\(index)"
        case .screen(let screen): screen
        }
    }
}
