package import Geometry

/// The raw contacts on one component, and the gestures that they make.
///
/// The contact that lands while no other is down is the primary one. Its recognizers compete
/// (`Candidates`): the first that begins wins, and the others have failed. A second finger may form
/// a `FingerPair` with it. All other contacts are ignored until they lift; they never become
/// primary later.
///
/// Data passes: the session calls one method per event of a contact; the arena appends to `outputs`
/// gestures first, then touches. If the component refuses the first output that is no cancellation,
/// the session calls `fail`, because the later outputs follow from it. (A pinch and a rotation in
/// one event are two gestures, each accepted or refused.)
package struct PointerArena: Hashable, Sendable, Codable {
    /// Contacts in one arena: ten fingers and some palms.
    package static let contactsMax = 16

    /// The reason to refuse a sample.
    package enum Refusal: Error, Hashable, Sendable {
        /// It continues a contact that is not down.
        case notDown
        /// The arena has as many contacts as it can follow.
        case tooMany
    }

    /// The state of the primary contact.
    enum Progress: Hashable, Sendable, Codable {
        /// Nothing is recognized; with a pair if a second finger is down. Can become: all others.
        case open(Candidates, FingerPair?)
        /// It took hold of something in motion and pans. Until it has moved two fingers may still
        /// make a gesture. Can become: `panning`, `pairing`.
        case catching(PanRecognizer, FingerPair?)
        /// Can become: `grasping`.
        case panning(PanRecognizer)
        /// Drags content vertically. Can become: none.
        case scrolling(PanRecognizer)
        /// Can become: none.
        case pressing(LongPressRecognizer)
        /// Pinches, rotates or both. Can become: `spent`.
        case pairing(FingerPair)
        /// Holds a thing together with others. Can become: `panning`.
        case grasping(FingerGroup)
        /// It was a tap, a swipe, or (nil) one finger of a pair; no gesture follows. Can become:
        /// none.
        case spent(GestureKind?)
    }

    /// The contact that is recognized: the first that landed.
    struct PrimaryContact: Hashable, Sendable, Codable {
        let pointer: PointerNumber
        let landed: Vector
        var location: Vector
        var lastSample: Step
        /// All samples since it landed.
        var tracker: VelocityTracker
        var progress: Progress
        /// Nil: nothing holds the component.
        var carried: CarriedPlace?

        /// Where recognizers see it: the component's own movement is not the contact's.
        var measured: Vector { carried?.measured ?? location }

        /// The keys are a file format.
        private enum CodingKeys: String, CodingKey {
            case pointer, landed, location, lastSample, tracker
            case progress = "course"
            case carried
        }
    }

    /// An ignored contact, the second finger of a pair, or one of those that hold a thing.
    struct SecondaryContact: Hashable, Sendable, Codable {
        let pointer: PointerNumber
        var location: Vector
        var lastSample: Step
        /// Nil: it never becomes primary.
        var reserve: Reserve?
    }

    /// The place and the samples of a contact that may become the primary one.
    struct Reserve: Hashable, Sendable, Codable {
        let landed: Vector
        /// Where it was when the fingers that hold the thing became these.
        var base: Vector
        /// All samples since it landed.
        var tracker: VelocityTracker
        var carried: CarriedPlace?
    }

    let recognizers: Recognizers
    let tracker: VelocityTracker.Kind
    var primary: PrimaryContact?
    var others: [SecondaryContact] = []
    /// Whether the component was told of a touch that is still down.
    package internal(set) var isTouching = false

    /// The keys are a file format.
    private enum CodingKeys: String, CodingKey {
        case recognizers, tracker
        case primary = "lead"
        case others, isTouching
    }

    package init(_ recognizers: Recognizers, tracker: VelocityTracker.Kind) {
        self.recognizers = recognizers
        self.tracker = tracker
    }

    // MARK: Contents

    /// The contacts that are down here.
    package var count: Int { others.count + (primary == nil ? 0 : 1) }

    /// Whether no contact is down and no output is due. Inlined, because a call copies the arena.
    @inline(__always)
    package var isEmpty: Bool { primary == nil && others.isEmpty && !isTouching }

    /// The number of the primary contact.
    package var counting: PointerNumber? { primary?.pointer }

    /// How far the primary contact has gone since it landed, if it is at `location` now; nil: this
    /// one is another.
    package func way(
        of pointer: PointerNumber, to location: Vector, _ setting: ContactSetting
    ) -> Vector? {
        guard let primary, primary.pointer == pointer else { return nil }
        var carried = primary.carried
        carried?.follow(to: location, from: primary.location, setting)
        return (carried?.measured ?? location) - primary.landed
    }

    /// The gesture that was recognized: a continuous one while it lasts, a tap or swipe until its
    /// contact lifts. Inlined as `isEmpty` is.
    @inline(__always)
    package var recognizer: GestureKind? {
        switch primary?.progress {
        case nil, .open: nil
        case .panning, .catching: .pan
        case .scrolling: .scroll
        case .pressing: .longpress
        case .pairing(let pair): pair.winner
        case .grasping(let group): group.winner
        case .spent(let kind): kind
        }
    }

    /// The continuous gesture in progress.
    package var openGesture: GestureKind? {
        switch primary?.progress {
        case nil, .open, .spent: nil
        case .panning, .catching, .scrolling, .pressing, .pairing, .grasping: recognizer
        }
    }

    /// The contacts that make the gesture in progress, or made one.
    package var engaged: [PointerNumber] {
        guard let primary else { return [] }
        switch primary.progress {
        case .open: return []
        case .pairing(let pair): return [primary.pointer, pair.pointer]
        case .grasping:
            return [primary.pointer] + others.filter { $0.reserve != nil }.map(\.pointer)
        case .panning, .catching, .scrolling, .pressing, .spent: return [primary.pointer]
        }
    }

    /// The next step at which time decides: a lost contact or a long press. Inlined as
    /// `isEmpty` is.
    @inline(__always)
    package var nextTimer: Step {
        var next = Step.never
        if let primary {
            next = primary.lastSample + Silence.stepsMax
            if case .open(let candidates, _) = primary.progress {
                next = min(next, candidates.deadline)
            }
        } else if isTouching {
            // Its contact is gone; the component is told at the next opportunity.
            return .zero
        }
        for other in others { next = min(next, other.lastSample + Silence.stepsMax) }
        return next
    }

    /// Whether a contact is down here. Inlined as `isEmpty` is.
    @inline(__always)
    package func isDown(_ pointer: PointerNumber) -> Bool {
        primary?.pointer == pointer || others.contains { $0.pointer == pointer }
    }

    // MARK: Events

    /// A contact landed. If it is down already, the former one was lost. One that does not join
    /// others is ignored beside them.
    package mutating func landed(
        _ pointer: PointerNumber, at location: Vector, time: SampleTime, now: Step,
        _ setting: ContactSetting = ContactSetting(), joins: Bool = true,
        into outputs: inout [Recognized]
    ) throws(Refusal) {
        let count = self.count
        if isDown(pointer) {
            drop(pointer, into: &outputs)
        } else if count == Self.contactsMax {
            throw .tooMany
        }
        guard primary == nil else {
            var contact = SecondaryContact(
                pointer: pointer, location: location, lastSample: now)
            if joins, recognizers.contains(.grasp) {
                contact.reserve = Reserve(
                    landed: location, base: location, tracker: tracked(location, at: time),
                    carried: setting.place.map { CarriedPlace(landing: $0, at: location) })
            }
            others.append(contact)
            if joins { join(pointer, at: location, into: &outputs) }
            return
        }
        let samples = tracked(location, at: time)
        let progress: Progress
        if recognizers.contains(.tapOnTouchDown) {
            progress = .spent(setting.stopsMotion ? nil : .tap)
            if !setting.stopsMotion { outputs.append(.tap(.point(location))) }
        } else if setting.catches, recognizers.contains(.pan) {
            progress = .catching(PanRecognizer.begun(landed: location), nil)
            var pan = Pan(phase: .began, location: location)
            pan.isCatch = true
            outputs.append(.pan(pan))
        } else {
            progress = .open(Candidates(recognizers, landed: location, at: now, setting), nil)
        }
        primary = PrimaryContact(
            pointer: pointer, landed: location, location: location, lastSample: now,
            tracker: samples, progress: progress,
            carried: setting.place.map { CarriedPlace(landing: $0, at: location) })
        if isTouching { outputs.append(.touch(.up)) }
        // A contact that only stops a motion presses nothing.
        isTouching = !(recognizers.contains(.press) && setting.stopsMotion)
        if isTouching { outputs.append(.touch(.down(location))) }
    }

    private func tracked(_ location: Vector, at time: SampleTime) -> VelocityTracker {
        var samples = VelocityTracker(kind: tracker)
        samples.add(location, at: time)
        return samples
    }

    /// A contact moved, or was sampled again at its place.
    package mutating func moved(
        _ pointer: PointerNumber, to location: Vector, time: SampleTime, now: Step,
        _ setting: ContactSetting = ContactSetting(), into outputs: inout [Recognized]
    ) throws(Refusal) {
        guard isDown(pointer) else { throw .notDown }
        let hasMoved = follow(pointer, to: location, time: time, now: now, setting, into: &outputs)
        if primary?.pointer == pointer {
            let measured = primary?.carried?.measured ?? location
            primary?.tracker.add(measured, at: time, tremble: setting.tremble)
        } else {
            track(pointer, at: time, setting)
        }
        if hasMoved { outputs.append(.touch(.moved(location))) }
    }

    /// A contact lifted. If the place differs from its last one, it first moved there.
    package mutating func lifted(
        _ pointer: PointerNumber, at location: Vector, time: SampleTime, now: Step,
        _ setting: ContactSetting = ContactSetting(), into outputs: inout [Recognized]
    ) throws(Refusal) {
        guard isDown(pointer) else { throw .notDown }
        if self.location(of: pointer) != location {
            let hasMoved = follow(
                pointer, to: location, time: time, now: now, setting, into: &outputs)
            lift(pointer, time: time, setting, into: &outputs)
            if hasMoved { outputs.append(.touch(.moved(location))) }
        } else {
            lift(pointer, time: time, setting, into: &outputs)
        }
        tellLoss(into: &outputs)
    }

    /// A contact was lost.
    package mutating func cancelled(
        _ pointer: PointerNumber, into outputs: inout [Recognized]
    ) throws(Refusal) {
        guard isDown(pointer) else { throw .notDown }
        drop(pointer, into: &outputs)
        tellLoss(into: &outputs)
    }

    /// Performs what is due by `now`.
    package mutating func fire(at now: Step, into outputs: inout [Recognized]) {
        while let pointer = firstSilent(at: now) { drop(pointer, into: &outputs) }
        if let primary, case .open(var candidates, _) = primary.progress,
            case .longpress(let press) = candidates.waited(at: primary.measured, until: now)
        {
            self.primary?.progress = .pressing(press)
            outputs.append(.pressed(.began, at: primary.location))
        }
        tellLoss(into: &outputs)
    }

    /// A contact without samples for too long.
    private func firstSilent(at now: Step) -> PointerNumber? {
        if let primary, primary.lastSample + Silence.stepsMax <= now { return primary.pointer }
        return others.first { $0.lastSample + Silence.stepsMax <= now }?.pointer
    }

    /// Another source uses the component: ignore all contacts until they lift.
    package mutating func mute(into outputs: inout [Recognized]) {
        silencePrimary()
        ignoreOthers()
        tellLoss(into: &outputs)
    }

    /// The component refused the gesture of the last event. The arena drops the contact, and what
    /// followed from the gesture is not told.
    ///
    /// `isTouching` is its value before the event: a refused event changes nothing, and the end of
    /// the touch is told as soon as time passes.
    package mutating func fail(_ pointer: PointerNumber, isTouching: Bool) {
        if primary?.pointer == pointer { primary = nil } else { silencePrimary() }
        others.removeAll { $0.pointer == pointer }
        ignoreOthers()
        self.isTouching = isTouching
    }
}
