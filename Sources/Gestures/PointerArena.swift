package import Geometry

/// The raw contacts that are down on one component, and which of its recognizers wins them.
///
/// One contact counts: the one that landed when none did. The first recognizer that begins wins it;
/// from then on its rivals have failed and all other contacts are mute: they stay down and mean
/// nothing until they lift. A contact that landed while another counted never counts later.
///
/// What an event means is appended to `outputs`: gestures first, then touches. Only the first of an
/// event's outputs that is no cancellation can be refused, because the others follow from it; then
/// `fail` is due. (A pinch and a turn that go on together are the exception: two gestures.)
package struct PointerArena: Hashable, Sendable, Codable {
    /// Contacts that one component follows: ten fingers, and some palms.
    package static let contactsMax = 16

    /// Why a sample is of no contact that could be.
    package enum Refusal: Error, Hashable, Sendable {
        /// It continues a contact that is not down.
        case notDown
        /// One more contact than are followed; which finger it is cannot matter any more.
        case tooMany
    }

    /// What the contact that counts has come to.
    enum Course: Hashable, Sendable, Codable {
        /// Nothing was recognised; the pair where there is a second finger. Can become: all others.
        case open(Rivals, FingerPair?)
        /// Can become: none.
        case panning(PanRecognizer)
        /// Drags the content vertically. Can become: none.
        case scrolling(PanRecognizer)
        /// Can become: none.
        case pressing(LongPressRecognizer)
        /// Pinches, turns, or both. Can become: `spent`.
        case pairing(FingerPair)
        /// Was a tap or a swipe, or nil one of two fingers; nothing more comes of it.
        /// Can become: none.
        case spent(GestureKind?)
    }

    /// The contact that counts.
    struct Lead: Hashable, Sendable, Codable {
        let pointer: Int
        let landed: Vector
        var location: Vector
        var lastSample: Step
        /// Of all samples since it landed.
        var tracker: VelocityTracker
        var course: Course
    }

    /// A contact that is mute, or the second finger of a pair.
    struct Other: Hashable, Sendable, Codable {
        let pointer: Int
        var location: Vector
        var lastSample: Step
    }

    let recognizers: Recognizers
    let tracker: VelocityTracker.Kind
    var lead: Lead?
    var others: [Other] = []
    /// Whether the component was told of a touch that is down.
    package internal(set) var isTouching = false

    package init(_ recognizers: Recognizers, tracker: VelocityTracker.Kind) {
        self.recognizers = recognizers
        self.tracker = tracker
    }

    // MARK: What there is

    /// Whether no contact is down and nothing is left to tell.
    package var isEmpty: Bool { lead == nil && others.isEmpty && !isTouching }

    /// The number of the contact that counts.
    package var counting: Int? { lead?.pointer }

    /// What was recognised and lasts; a tap or a swipe until its contact lifts.
    package var recognizer: GestureKind? {
        switch lead?.course {
        case nil, .open: nil
        case .panning: .pan
        case .scrolling: .scroll
        case .pressing: .longpress
        case .pairing(let pair): pair.winner
        case .spent(let kind): kind
        }
    }

    /// The continuous gesture that goes on.
    package var openGesture: GestureKind? {
        switch lead?.course {
        case nil, .open, .spent: nil
        case .panning, .scrolling, .pressing, .pairing: recognizer
        }
    }

    /// When time alone decides something: silence, or a long press.
    package var nextTimer: Step {
        var next = Step.never
        if let lead {
            next = lead.lastSample + Silence.stepsMax
            if case .open(let rivals, _) = lead.course { next = min(next, rivals.deadline) }
        } else if isTouching {
            // Its contact was given up; the component hears of it as soon as time passes.
            return .zero
        }
        for other in others { next = min(next, other.lastSample + Silence.stepsMax) }
        return next
    }

    private func isDown(_ pointer: Int) -> Bool {
        lead?.pointer == pointer || others.contains { $0.pointer == pointer }
    }

    // MARK: Events

    /// A contact landed. If it was down already, the first one was lost.
    package mutating func landed(
        _ pointer: Int, at location: Vector, time: SampleTime, now: Step,
        into outputs: inout [Recognized]
    ) throws(Refusal) {
        let count = others.count + (lead == nil ? 0 : 1)
        if isDown(pointer) {
            drop(pointer, into: &outputs)
        } else if count == Self.contactsMax {
            throw .tooMany
        }
        guard lead == nil else {
            others.append(Other(pointer: pointer, location: location, lastSample: now))
            pairUp(pointer, at: location)
            return
        }
        var samples = VelocityTracker(kind: tracker)
        samples.add(location, at: time)
        let course: Course
        if recognizers.contains(.tapOnTouchDown) {
            course = .spent(.tap)
            outputs.append(.tap(.point(location)))
        } else {
            course = .open(Rivals(recognizers, landed: location, at: now), nil)
        }
        lead = Lead(
            pointer: pointer, landed: location, location: location, lastSample: now,
            tracker: samples, course: course)
        if isTouching { outputs.append(.touch(.up)) }
        isTouching = true
        outputs.append(.touch(.down(location)))
    }

    /// A contact moved, or was sampled again where it is.
    package mutating func moved(
        _ pointer: Int, to location: Vector, time: SampleTime, now: Step,
        into outputs: inout [Recognized]
    ) throws(Refusal) {
        guard isDown(pointer) else { throw .notDown }
        let hasMoved = follow(pointer, to: location, time: time, now: now, into: &outputs)
        if lead?.pointer == pointer { lead?.tracker.add(location, at: time) }
        if hasMoved { outputs.append(.touch(.moved(location))) }
    }

    /// A contact lifted; at a new place it moved there first.
    package mutating func lifted(
        _ pointer: Int, at location: Vector, time: SampleTime, now: Step,
        into outputs: inout [Recognized]
    ) throws(Refusal) {
        guard isDown(pointer) else { throw .notDown }
        if self.location(of: pointer) != location {
            let hasMoved = follow(pointer, to: location, time: time, now: now, into: &outputs)
            lift(pointer, time: time, into: &outputs)
            if hasMoved { outputs.append(.touch(.moved(location))) }
        } else {
            lift(pointer, time: time, into: &outputs)
        }
        tellLoss(into: &outputs)
    }

    /// A contact was lost.
    package mutating func cancelled(
        _ pointer: Int, into outputs: inout [Recognized]
    ) throws(Refusal) {
        guard isDown(pointer) else { throw .notDown }
        drop(pointer, into: &outputs)
        tellLoss(into: &outputs)
    }

    /// Does what is due by `now`.
    package mutating func fire(at now: Step, into outputs: inout [Recognized]) {
        while let pointer = firstSilent(at: now) { drop(pointer, into: &outputs) }
        if let lead, case .open(var rivals, _) = lead.course,
            case .longpress(let press) = rivals.waited(at: lead.location, until: now)
        {
            self.lead?.course = .pressing(press)
            outputs.append(.longpress(LongPress(phase: .began, location: lead.location)))
        }
        tellLoss(into: &outputs)
    }

    /// A contact of which nothing was heard for too long.
    private func firstSilent(at now: Step) -> Int? {
        if let lead, lead.lastSample + Silence.stepsMax <= now { return lead.pointer }
        return others.first { $0.lastSample + Silence.stepsMax <= now }?.pointer
    }

    /// Another source took the component over: whatever is down is mute until it lifts.
    package mutating func mute(into outputs: inout [Recognized]) {
        silenceLead()
        tellLoss(into: &outputs)
    }

    /// The component refused what was recognised in the last event of a contact, which is not
    /// followed any more; neither is what it led to told. `isTouching` as it was before the event.
    ///
    /// That the touch is over is told as soon as time passes: a refused event changes nothing.
    package mutating func fail(_ pointer: Int, isTouching: Bool) {
        if lead?.pointer == pointer { lead = nil } else { silenceLead() }
        others.removeAll { $0.pointer == pointer }
        self.isTouching = isTouching
    }
}
