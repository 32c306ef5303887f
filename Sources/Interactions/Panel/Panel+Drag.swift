package import Geometry
package import Gestures
import Motion

/// How a finger drags the panel.
///
/// A vertical panel hears of a contact as scrollers do, so that it can share a drag with one that
/// lies in it; a horizontal one by pans. A finger that lands on a panel on its way stops it.
extension Panel {
    /// A finger's hold on the panel.
    struct Grip: Hashable, Sendable, Codable {
        /// The place, without the rubber band, where the finger's way is 0.
        var origin: Double
        /// The rubber band's, in points.
        var extent: Double
        /// The finger's place along the axis where its way is 0; 0 for a contact's vertical drag,
        /// which comes as a way.
        var start: Double
        var tracker: VelocityTracker
        var lastSample: Step

        /// The step at which the silence is too long.
        var deadline: Step { lastSample + Silence.stepsMax }
    }

    package var recognizers: Recognizers {
        var all: Recognizers = parameters.backdropAlpha > 0 ? .tap : []
        guard parameters.drag != .none else { return all }
        all.formUnion(parameters.axis == .vertical ? [.scroll, .mostlyAlong] : .panAcross)
        return all
    }

    // MARK: Events

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        switch touch {
        case .down(let place):
            landing = place
            guard isInMotion(at: place), case .settling = state else { break }
            cancelSettling(into: &effects)
            state = .caught
            effects.needsPublish = true
        case .moved: break
        case .up:
            landing = nil
            if case .caught = state { release(at: 0, into: &effects) }
        }
    }

    /// A tap on the backdrop sends it to its first anchor.
    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let point = try target.tappedPoint
        guard isBackdropTouchable, !box.contains(point), case .resting = state else { return }
        go(to: 0, isAnimated: true, into: &effects)
    }

    package mutating func dragContent(
        _ drag: ContentDrag, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let sample = DragSample(
            way: drag.translation, velocity: nil, tremble: drag.tremble, time: time)
        try follow(drag.phase, sample, start: 0, at: now, into: &effects)
    }

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        guard parameters.drag != .none else {
            throw Rejection(.badValue, "the panel's drag is \"none\"")
        }
        let place = along(pan.location)
        var start = start(of: pan)
        if pan.phase == .began {
            guard takesLanding(at: landing ?? pan.location) else {
                throw Rejection(.badValue, "the panel is dragged by its handle alone")
            }
        } else if case .dragging(let grip) = state {
            start = grip.start
        }
        let sample = DragSample(
            way: place - start, velocity: pan.velocity.map { along($0) }, tremble: pan.tremble,
            time: time)
        try follow(pan.phase, sample, start: start, at: now, into: &effects)
    }

    /// One sample of a drag.
    private struct DragSample {
        /// Points along the axis since the drag began.
        var way: Double
        /// In points per second; nil: it is measured.
        var velocity: Double?
        var tremble: Double
        var time: SampleTime
    }

    private mutating func follow(
        _ phase: Phase, _ sample: DragSample, start: Double, at now: Step,
        into effects: inout Effects
    ) throws(Rejection) {
        let before = position
        switch (phase, state) {
        case (.began, _):
            cancelSettling(into: &effects)
            var grip = gripped(start: start, at: now)
            move(&grip, sample, isNew: true, at: now)
            state = .dragging(grip)
            effects.needsPublish = true
        case (.changed, .dragging(var grip)):
            // Frees the state's reference to the samples: appending would copy them all.
            state = .caught
            move(&grip, sample, at: now)
            state = .dragging(grip)
            if position != before { effects.needsPublish = true }
        case (.ended, .dragging(let grip)):
            move(to: shown(by: grip, at: sample.way))
            let measured = grip.tracker.velocity(
                endingAt: Vector(0, position), time: sample.time, tremble: sample.tremble)
            release(at: sample.velocity ?? measured.y, into: &effects)
        case (.cancelled, .dragging(let grip)):
            move(to: shown(by: grip, at: sample.way))
            release(at: 0, into: &effects)
        case (.changed, .resting), (.changed, .caught), (.changed, .settling), (.ended, .resting),
            (.ended, .caught), (.ended, .settling), (.cancelled, .resting), (.cancelled, .caught),
            (.cancelled, .settling):
            throw .notOpen(phase)
        }
    }

    // MARK: Sharing a drag

    package var sharesDrags: Bool {
        parameters.axis == .vertical && parameters.drag == .anywhere
    }

    /// Until it is at its last anchor it moves before the content that lies in it.
    package var claimsDrags: Bool {
        sharesDrags
            && (position - parameters.position(of: parameters.last)).magnitude > Self.nearPoints
    }

    package func canScroll(by way: Double) -> Bool {
        guard parameters.axis == .vertical, parameters.drag != .none else { return false }
        let ends = parameters.ends
        // The content's offset grows where the panel goes up.
        return way > 0
            ? position > ends.lowerBound + Self.nearPoints
            : position < ends.upperBound - Self.nearPoints
    }

    /// It comes to its end at the last anchor alone: beyond the first one nothing lies.
    package func endOfDrag(before way: Double) -> Double? {
        guard case .dragging(let grip) = state, parameters.anchors.count > 1 else { return nil }
        let (first, last) = (
            parameters.position(of: 0), parameters.position(of: parameters.last)
        )
        let pulled = grip.origin + way
        return (last < first ? pulled < last : pulled > last) ? last - grip.origin : nil
    }

    /// Points within which it is at a place.
    static let nearPoints = 0.5
    /// Points per second below which its motion at a place is not seen: a point in 0.1 s.
    static let slowPointsPerSecond = 10.0

    // MARK: Decisions

    /// Lets go of it at a velocity in points per second.
    mutating func release(at velocity: Double, into effects: inout Effects) {
        let rest = position + ScrollPhysics.normal.way(at: velocity)
        state = .caught
        settle(to: nearestAnchor(to: rest), velocity, into: &effects)
    }

    private func along(_ place: Vector) -> Double {
        parameters.axis == .vertical ? place.y : place.x
    }

    /// The place from which the finger's way counts. A raw contact's slop does not count.
    private func start(of pan: Pan) -> Double {
        let place = along(pan.location)
        guard let landing else { return place }
        let (landed, slop) = (along(landing), PanRecognizer.slopPoints)
        guard (place - landed).magnitude >= slop else { return place }
        return landed + (place < landed ? -slop : slop)
    }

    /// A grip that shows the present place at a way of 0. Beyond an end it inverts the rubber band.
    private func gripped(start: Double, at now: Step) -> Grip {
        let edge = parameters.ends.clamped(position)
        let beyond = position - edge
        let extent = max(parameters.frameLength, beyond.magnitude / Self.bandShareMax)
        return Grip(
            origin: edge + ScrollPhysics.pull(showing: beyond, extent: extent), extent: extent,
            start: start, tracker: VelocityTracker(kind: tracker), lastSample: now)
    }

    /// The share of its extent up to which a rubber band is inverted, as for scrollers.
    private static let bandShareMax = 0.8

    private mutating func move(
        _ grip: inout Grip, _ sample: DragSample, isNew: Bool = false, at now: Step
    ) {
        // Without a way the place stays to the last bit.
        if sample.way != 0 || !isNew { move(to: shown(by: grip, at: sample.way)) }
        grip.tracker.add(Vector(0, position), at: sample.time, tremble: sample.tremble)
        grip.lastSample = now
    }

    private func shown(by grip: Grip, at way: Double) -> Double {
        let pulled = grip.origin + way
        let edge = parameters.ends.clamped(pulled)
        guard parameters.overshoot else { return edge }
        return edge + ScrollPhysics.rubberBand(pulled - edge, extent: grip.extent)
    }
}
