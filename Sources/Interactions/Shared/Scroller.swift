import Geometry
package import Gestures
import Motion

/// The vertical offset of a scroll view: contacts drag it, and it flings and bounces by itself.
///
/// This folder holds parts that several kinds use: `Scroller`, `WheelSeries`, `Drag` (a finger with
/// its velocity and its silence), `ViewPose` (a place and an angle), `ViewCuts` and `RowCuts` (how
/// often views were placed anew). A kind feeds them its samples and steps and reads them back; they
/// decide nothing about the kind. Goldens of every kind hold them. `offset` is the offset that is
/// shown.
package struct Scroller: Hashable, Sendable, Codable {
    enum State: Hashable, Sendable, Codable {
        /// Nothing moves it. Can become: `held`, `dragged`, `turned`, `pulled`.
        case resting
        /// A contact is on it that has not moved yet. Can become: all others.
        case held
        /// A contact drags it. Can become: `resting`, `held`, `coasting`.
        case dragged(Grip)
        /// A wheel without phases moves it within its bounds. Can become: `resting`, `dragged`,
        /// `pulled`.
        case turned(WheelSeries)
        /// A wheel drags it, through the rubber band. Can become: `resting`, `dragged`, `coasting`.
        case pulled(WheelSeries, Grip)
        /// It flings or bounces, at so many points per second. Can become: all others.
        case coasting(velocity: Double)
    }

    /// A contact's or a wheel's hold on the content.
    struct Grip: Hashable, Sendable, Codable {
        /// The offset without the rubber band where the contact's translation is 0.
        var origin: Double
        /// The rubber band's, in points.
        var extent: Double
        var tracker: VelocityTracker
    }

    /// Where the content may rest. `adapt` alone sets it, and `extent`.
    var bounds: ClosedRange<Double>
    /// The viewport's height, which the rubber band never reaches.
    var extent: Double
    /// The content's offset as shown, in points. The files of this type alone set it.
    package internal(set) var offset: Double
    var state = State.resting
    /// True: something else than a client's scroll moved it last.
    var isOwn: Bool?

    package init(bounds: ClosedRange<Double>, extent: Double, offset: Double = 0) {
        precondition(extent > 0, "a viewport of \(extent) pt")
        self.bounds = bounds
        self.extent = extent
        self.offset = offset
    }

    /// Whether the next step moves it.
    package var isCoasting: Bool {
        if case .coasting = state { return true }
        return false
    }

    /// Whether nothing moves or holds it.
    package var isResting: Bool {
        if case .resting = state { return true }
        return false
    }

    /// Whether a contact drags it.
    package var isDragged: Bool {
        if case .dragged = state { return true }
        return false
    }

    /// Whether a way in that direction moves the content, and does not only stretch the rubber
    /// band. Content beyond an edge follows either way: the contact caught it there.
    package func canFollow(_ way: Double) -> Bool {
        let near = ScrollPhysics.edgeDistanceMax
        if offset < bounds.lowerBound - near || offset > bounds.upperBound + near { return true }
        return way > 0 ? offset < bounds.upperBound - near : offset > bounds.lowerBound + near
    }

    /// The translation of its drag at which the content comes to an edge, where `translation` leads
    /// beyond; nil: it does not.
    package func endOfDrag(before translation: Double) -> Double? {
        guard case .dragged(let grip) = state else { return nil }
        let pulled = grip.origin - translation
        let edge = bounds.clamped(pulled)
        // A drag that began beyond the edge comes from there.
        guard pulled != edge, bounds.contains(grip.origin) else { return nil }
        return grip.origin - edge
    }

    // MARK: Contacts

    /// A contact landed: stops the content where it is until the contact lifts.
    package mutating func catchIt() { state = .held }

    /// A contact landed, moved or lifted. A wheel goes on until the contact drags.
    mutating func touch(_ touch: Touch) {
        switch touch {
        case .down: if wheelSeries == nil { catchIt() }
        case .moved: break
        case .up: lift()
        }
    }

    /// The contact lifted. A contact that dragged was released before.
    package mutating func lift() {
        switch state {
        case .held: release(at: 0)
        case .resting, .dragged, .turned, .pulled, .coasting: break
        }
    }

    /// A contact drags it. Returns whether the offset changed.
    ///
    /// Ignores samples of a drag that has ended meanwhile: `set` ends one.
    package mutating func drag(_ drag: ContentDrag, time: SampleTime) -> Bool {
        let before = offset
        switch (drag.phase, state) {
        case (.began, _):
            isOwn = true
            var grip = gripped()
            follow(&grip, drag, time: time)
            state = .dragged(grip)
        case (.changed, .dragged(var grip)):
            // Frees the state's reference to the samples: appending would copy them all.
            state = .resting
            follow(&grip, drag, time: time)
            state = .dragged(grip)
        case (.ended, .dragged(let grip)):
            offset = shown(by: grip, at: drag.translation)
            let velocity = grip.tracker.velocity(
                endingAt: Vector(0, offset), time: time, tremble: drag.tremble)
            release(at: velocity.y)
        case (.cancelled, .dragged(let grip)):
            offset = shown(by: grip, at: drag.translation)
            release(at: 0)
        case (.changed, .resting), (.changed, .held), (.changed, .coasting),
            (.changed, .turned), (.changed, .pulled),
            (.ended, .resting), (.ended, .held), (.ended, .coasting),
            (.ended, .turned), (.ended, .pulled),
            (.cancelled, .resting), (.cancelled, .held), (.cancelled, .coasting),
            (.cancelled, .turned), (.cancelled, .pulled):
            break
        }
        return offset != before
    }

    // MARK: Others

    /// Puts the content at an offset, at rest. Ends a drag, a fling or a wheel's series.
    package mutating func set(_ offset: Double) {
        self.offset = offset
        state = .resting
        isOwn = nil
    }

    /// Lets go of the content at a velocity in points per second: it flings, bounces or rests.
    ///
    /// Below 250 pt/s it does not fling.
    package mutating func release(at velocity: Double) {
        let isFling = velocity.magnitude >= ScrollPhysics.flingVelocityMin
        state =
            isFling || !bounds.contains(offset)
            ? .coasting(velocity: isFling ? velocity : 0) : .resting
    }

    /// Moves on by 1/120 s. Returns whether the offset changed.
    package mutating func step() -> Bool {
        guard case .coasting(let velocity) = state else { return false }
        let before = offset
        var coast = ScrollPhysics.Coast(offset: offset, velocity: velocity)
        let isMoving = ScrollPhysics.normal.advance(&coast, within: bounds)
        offset = coast.offset
        state = isMoving ? .coasting(velocity: coast.velocity) : .resting
        return offset != before
    }

    /// The offset at which it comes to rest if the contact lets go now.
    package var settledOffset: Double {
        var settled = self
        switch state {
        case .held, .dragged, .turned, .pulled: settled.release(at: 0)
        case .resting, .coasting: break
        }
        for _ in 0..<Self.settlingStepsMax {
            guard settled.isCoasting else { break }
            _ = settled.step()
        }
        return bounds.clamped(settled.offset)
    }

    /// Ten seconds: the fastest fling ends earlier.
    private static let settlingStepsMax = 1_200

    // MARK: Decisions

    /// A grip that shows the present offset at translation 0. Beyond an edge it inverts the rubber
    /// band.
    func gripped() -> Grip {
        let edge = bounds.clamped(offset)
        let beyond = offset - edge
        // No pull shows an offset a whole extent beyond the edge: a longer band does.
        let extent = max(extent, beyond.magnitude / Self.bandShareMax)
        let pull = ScrollPhysics.pull(showing: beyond, extent: extent)
        return Grip(origin: edge + pull, extent: extent, tracker: .scrolling)
    }

    /// The share of its extent up to which a band is inverted. 0.8 is a pull of 7.3 extents: no
    /// contact pulls so far, but a fling or a client's offset may lie there.
    private static let bandShareMax = 0.8

    private mutating func follow(_ grip: inout Grip, _ drag: ContentDrag, time: SampleTime) {
        // Without a movement the offset stays to the last bit.
        if drag.phase != .began || drag.translation != 0 {
            offset = shown(by: grip, at: drag.translation)
        }
        grip.tracker.add(Vector(0, offset), at: time, tremble: drag.tremble)
    }

    func shown(by grip: Grip, at translation: Double) -> Double {
        let pulled = grip.origin - translation
        let edge = bounds.clamped(pulled)
        return edge + ScrollPhysics.rubberBand(pulled - edge, extent: grip.extent)
    }
}

extension Scroller {
    /// Whether a decoded scroller is sound and has the bounds of `other`.
    func isSound(like other: Scroller) -> Bool {
        let far = 1e12
        guard bounds == other.bounds, extent == other.extent, offset.magnitude <= far else {
            return false
        }
        switch state {
        case .resting, .held, .turned: return true
        case .dragged(let grip), .pulled(_, let grip):
            return grip.origin.magnitude <= far && grip.extent >= extent && grip.extent <= far
                && grip.tracker.isSound(like: .scrolling)
        case .coasting(let velocity): return velocity.magnitude <= far
        }
    }
}
