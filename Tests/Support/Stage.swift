package import Geometry
package import Gestures
package import Interactions
import Motion
package import Notation

/// One machine on a timeline of its own, driven in a session's order: at each step physics, then
/// timers, then whatever the test plays.
package struct Stage<Kind: Machine> {
    package private(set) var machine: Kind
    package private(set) var now = Step.zero
    /// Transitions so far, as `48 toss ended 0.4`: step, name, event, ends, duration, curve.
    package private(set) var told: [String] = []
    /// Transitions so far, as they were told.
    package private(set) var transitions: [Transition] = []
    /// Whether the last event or timer asked to be shown at once.
    package private(set) var needsPublish = false
    package private(set) var counts = BadgeCounts()
    private var effects: Effects
    /// How often the machine put to rest what would not come to it.
    package var restsForced: Int { effects.restsForced }

    package init(_ machine: Kind, seed: UInt64 = 1) {
        self.machine = machine
        effects = Effects(random: SplitMix64(seed: seed))
        self.machine.opened(at: now, into: &effects)
        settle()
    }

    package var phase: String { machine.phase }
    package var picture: Picture { Picture(machine) }
    package func view(_ name: String) -> ViewState? { picture.views[name] }
    package func field(_ name: String) -> Picture.Value? { picture.fields[name] }

    /// Transitions behind the first `mark` lines, without the steps.
    package func lines(since mark: Int) -> [String] {
        told.dropFirst(mark).map { $0.split(separator: " ", maxSplits: 1)[1].description }
    }

    // MARK: Time

    /// Lets so many steps pass; one that rests is not advanced, as in a session.
    package mutating func step(_ count: Int = 1) {
        for _ in 0..<count {
            now = now + 1
            if machine.isMoving { _ = machine.advance(to: now, into: &effects) }
            fireTimers()
            settle()
        }
    }

    /// Steps until `condition` holds, at most `limit` times; nil: it never did.
    package mutating func steps(until condition: (Stage) -> Bool, limit: Int = 1_200) -> Int? {
        for passed in 0...limit {
            if condition(self) { return passed }
            if passed < limit { step() }
        }
        return nil
    }

    private mutating func fireTimers() {
        while let timer = machine.nextTimer, timer <= now {
            machine.fire(at: now, into: &effects)
        }
    }

    // MARK: Events

    package mutating func gesture(_ gesture: Gesture, claimed: Double? = nil) throws(Rejection) {
        let time = SampleTime(claimed: claimed, received: Double(now.nanoseconds) / 1e6)
        needsPublish = false
        try machine.gesture(gesture, time: time, at: now, into: &effects)
        fireTimers()
        settle()
    }

    package mutating func pan(
        _ phase: Phase, _ x: Double, _ y: Double, velocity: Vector? = nil
    ) throws(Rejection) {
        try gesture(.pan(Pan(phase: phase, location: Vector(x, y), velocity: velocity)))
    }

    package mutating func scroll(_ phase: Phase, _ offset: Double) throws(Rejection) {
        try gesture(.scroll(Scroll(phase: phase, offset: offset)))
    }

    package mutating func wheel(
        _ dy: Double, _ phase: Phase? = nil, isMomentum: Bool = false, dx: Double = 0
    ) throws(Rejection) {
        try gesture(
            .wheel(Wheel(delta: Vector(dx, dy), phase: phase, isMomentum: isMomentum)))
    }

    /// A raw contact, beside what is recognised of it.
    package mutating func touch(_ touch: Touch) {
        needsPublish = false
        machine.touch(touch, at: now, into: &effects)
        fireTimers()
        settle()
    }

    /// A raw contact that is recognised as a vertical pan, so far from where it was recognised.
    package mutating func drag(_ phase: Phase, _ translation: Double) throws(Rejection) {
        let time = SampleTime(claimed: nil, received: Double(now.nanoseconds) / 1e6)
        needsPublish = false
        try machine.dragContent(
            ContentDrag(phase: phase, translation: translation), time: time, at: now,
            into: &effects)
        fireTimers()
        settle()
    }

    package mutating func command(
        _ name: String, index: Int? = nil, screen: String? = nil, transition: String? = nil,
        members: [Node.Member] = []
    ) throws(Rejection) {
        needsPublish = false
        let command = ComponentCommand(
            name, .of(index: index, screen: screen, transition: transition, members: members))
        try machine.command(command, at: now, into: &effects)
        fireTimers()
        settle()
    }

    /// The scene becomes another one.
    package mutating func adapt(to parameters: Kind.Parameters, viewport: Size = .phone) {
        needsPublish = false
        machine.adapt(to: parameters, viewport: viewport, at: now, into: &effects)
        fireTimers()
        settle()
    }

    /// A notification that leaves a count; the machine hears of it whatever it was before.
    package mutating func notify(_ kind: String, count: Int) {
        needsPublish = false
        counts.set(kind, to: count)
        machine.notified(kind: kind, counts: counts, at: now, into: &effects)
        fireTimers()
        settle()
    }

    /// Clears a count, as the badges' own command does.
    package mutating func clear(_ kind: String) {
        needsPublish = false
        counts.set(kind, to: 0)
        machine.recounted(counts, at: now, into: &effects)
        settle()
    }

    private mutating func settle() {
        told += effects.transitions.map { "\(now.count) \($0.line)" }
        transitions += effects.transitions
        effects.transitions = []
        if effects.needsPublish { needsPublish = true }
        effects.needsPublish = false
        guard !effects.clearedKinds.isEmpty else { return }
        for kind in effects.clearedKinds { counts.set(kind, to: 0) }
        effects.clearedKinds = []
        machine.recounted(counts, at: now, into: &effects)
        settle()
    }

    // MARK: Timelines

    /// Plays one letter a column and answers with the phase of each, by its first letter or as
    /// `letters` has it. `-` plays nothing; a column lasts `column` steps.
    package mutating func timeline(
        _ script: String, column: Int, letters: [String: Character] = [:],
        play: (Character, inout Stage) throws(Rejection) -> Void
    ) throws(Rejection) -> String {
        var phases = ""
        for letter in script {
            if letter != "-" { try play(letter, &self) }
            phases.append(letters[phase] ?? phase.first ?? "?")
            step(column)
        }
        return phases
    }
}

extension Transition {
    /// As `page began 0→1 0.4 ease-in-out`, without what it does not have.
    package var line: String {
        var line = "\(name) \(event.rawValue)"
        if let from, let to { line += " \(Self.text(from))→\(Self.text(to))" }
        if duration != 0 { line += " \(duration)" }
        switch curve {
        case nil: break
        case .timing(let curve): line += " \(curve.rawValue)"
        case .spring: line += " spring"
        }
        if let meeting {
            line +=
                " " + (meeting.items + [meeting.boundary].compactMap { $0 }).joined(separator: "+")
        }
        return line
    }

    private static func text(_ end: End) -> String {
        switch end {
        case .index(let index): "\(index)"
        case .screen(let screen): screen
        }
    }
}

/// The code that an event was refused with; nil: it was not.
package func refusal(_ body: () throws(Rejection) -> Void) -> RejectionCode? {
    do throws(Rejection) {
        try body()
        return nil
    } catch {
        return error.code
    }
}
