import Dynamics
package import Geometry
package import Gestures
package import Notation

/// `dynamics`: items that behaviors move, made by a scene and changed by commands.
package struct World: Machine {
    package static let kind = "dynamics"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Items of one world: enough for a screen. `poses` has as many places.
    package static let itemsMax = 64
    /// Behaviors of one world, groups included.
    package static let behaviorsMax = 64
    /// Fields of one world, as UIKit's.
    package static let fieldsMax = 32
    /// Segments of all boundaries of one world: each step tries each against each item.
    package static let segmentsMax = 256
    /// Bytes, as JSON, of the content of an item that a command adds: a label and a few colors. The
    /// store keeps it with the item.
    package static let itemContentBytesMax = 1_024
    /// The scales that a pinch may give an item.
    package static let scales = NumberRange(0.1...10, rule: "from 0.1 to 10")
    /// Seconds after which a world that nothing drives is put to rest.
    package static let restlessSecondsMax = 60.0

    enum State: Hashable, Sendable {
        /// Every item sleeps, or there is none. Can become: `moving`, `dragging`.
        case resting
        /// Items move by themselves until they are put to rest, or for ever where something drives
        /// them. Can become: `resting`, `dragging`.
        case moving(until: Step)
        /// Fingers hold at least one item. Can become: `resting`, `moving`.
        case dragging(WorldHold)
    }

    var parameters: WorldParameters
    let tracker: VelocityTracker.Kind
    var state = State.resting
    var bodies: WorldBodies
    /// The item on which a raw contact landed: a pan of that contact drags it.
    var touched: String?
    /// Contacts that have begun and not ended.
    var touching: [WorldTouch] = []
    /// Whether a command may have ended some of them.
    var areTouchesStale = false
    var cuts = ViewCuts()
    var tokens = WorldTokens()

    package init(
        _ parameters: WorldParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        self.tracker = tracker
        bodies = WorldBodies(parameters)
    }

    /// The world as it is now, without velocities, as parameters of another one.
    package var description: WorldParameters {
        var description = parameters
        description.items = bodies.items
        description.behaviors = bodies.behaviors
        return description
    }

    // MARK: Events

    package mutating func opened(at now: Step, into effects: inout Effects) {
        go(on: WorldHold(), at: now, into: &effects)
    }

    package var recognizers: Recognizers {
        switch parameters.drag {
        case .none: [.tap, .pinch, .rotation]
        case .one: [.pan, .tap, .pinch, .rotation]
        case .each: [.pan, .tap, .pinch, .rotation, .grasp]
        }
    }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let point = try target.tappedPoint
        // A contact taps the item on which it landed, also where that has gone on.
        guard let item = bodies.item(at: point) ?? landed(effects.hand) else { return }
        effects.tellAtOnce(Transition("tap", .began, item: item))
    }

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        guard effects.hand == .shared else { return }
        switch touch {
        case .down(let point): touched = bodies.item(at: point)
        case .moved: break
        case .up: touched = nil
        }
    }

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        guard parameters.drag != .none else { throw Self.unknown(.pan) }
        let hand = effects.hand
        var hold = self.hold
        switch pan.phase {
        case .began:
            let item = try item(under: pan.location, for: hand)
            try claim(item, for: hand, &hold)
            releaseGrip(of: hand, &hold)
            hold.placements.removeAll { $0.hand.isSame(as: hand) }
            if pan.isCatch { bodies.stop(item) }
            hold.grips.append(grip(item, pan, time: time, at: now, hand))
            go(on: hold, at: now, into: &effects)
            effects.needsPublish = true
        case .changed:
            guard let place = hold.grip(of: hand) else { throw .notOpen(.changed) }
            // Frees the state's reference to the samples: appending would copy them all.
            state = .moving(until: .never)
            let hasMoved = hold.grips[place].drag.follow(pan, time: time, at: now)
            if hasMoved {
                bodies.animator.moveAnchor(of: hold.grips[place].attachment, to: pan.location)
            }
            go(on: hold, at: now, into: &effects)
        case .ended:
            guard let place = hold.grip(of: hand) else { throw .notOpen(.ended) }
            let grip = hold.grips[place]
            releaseGrip(of: hand, &hold)
            throwItem(grip.item, grip.drag.velocity(endingWith: pan, time: time))
            go(on: hold, at: now, into: &effects)
            effects.needsPublish = true
        case .cancelled:
            guard hold.grip(of: hand) != nil else { throw .notOpen(.cancelled) }
            releaseGrip(of: hand, &hold)
            go(on: hold, at: now, into: &effects)
            effects.needsPublish = true
        }
    }

    package mutating func pinch(_ pinch: Pinch, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let hand = effects.hand
        var hold = self.hold
        switch pinch.phase {
        case .began:
            let item = try item(under: pinch.location, for: hand)
            guard let index = bodies.itemIndex(item), bodies.group(of: item) == nil else {
                throw Rejection(.badValue, "\"\(item)\" is a member of a group: it has one size")
            }
            try claim(item, for: hand, &hold)
            hold.pinches.removeAll { $0.hand.isSame(as: hand) }
            hold.pinches.append(
                WorldHold.Pair(
                    hand, item: item, base: bodies.placedItems[index].item.scale, lastSample: now))
        case .changed, .ended:
            guard let place = hold.pinch(of: hand) else { throw .notOpen(pinch.phase) }
            state = .moving(until: .never)
            hold.pinches[place].lastSample = now
            let pair = hold.pinches[place]
            scale(pair.item, to: pair.base * pinch.scale)
            if pinch.phase == .ended { hold.pinches.remove(at: place) }
        case .cancelled:
            guard let place = hold.pinch(of: hand) else { throw .notOpen(.cancelled) }
            hold.pinches.remove(at: place)
        }
        go(on: hold, at: now, into: &effects)
        effects.needsPublish = true
    }

    package mutating func rotation(
        _ rotation: Rotation, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        let hand = effects.hand
        var hold = self.hold
        switch rotation.phase {
        case .began:
            let item = try item(under: rotation.location, for: hand)
            try claim(item, for: hand, &hold)
            let base = bodies.animator.motion(of: bodies.body(moving: item)).rotation
            hold.turns.removeAll { $0.hand.isSame(as: hand) }
            hold.turns.append(WorldHold.Pair(hand, item: item, base: base, lastSample: now))
        case .changed, .ended:
            guard let place = hold.turn(of: hand) else { throw .notOpen(rotation.phase) }
            state = .moving(until: .never)
            hold.turns[place].lastSample = now
            let pair = hold.turns[place]
            let center = bodies.animator.motion(of: bodies.body(moving: pair.item)).center
            bodies.place(pair.item, center: center, rotation: pair.base + rotation.angle)
            if rotation.phase == .ended { hold.turns.remove(at: place) }
        case .cancelled:
            guard let place = hold.turn(of: hand) else { throw .notOpen(.cancelled) }
            hold.turns.remove(at: place)
        }
        go(on: hold, at: now, into: &effects)
        effects.needsPublish = true
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        var hold = self.hold
        try change(by: command, hold: &hold, room: effects.room)
        adoptPlaces(&hold)
        matchTokens(&hold, at: now)
        go(on: hold, at: now, into: &effects)
        loseContacts(by: command, into: &effects)
        effects.needsPublish = true
    }

    // MARK: Time

    package var nextTimer: Step? {
        guard !tokens.isEmpty else { return motionTimer }
        return min(motionTimer ?? .never, tokens.deadline)
    }

    /// The step at which the world is put to rest, or a finger's silence is too long.
    private var motionTimer: Step? {
        switch state {
        case .resting: nil
        case .moving(.never): nil
        case .moving(let until): until
        case .dragging(let hold): hold.deadline
        }
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        fireTokens(at: now, into: &effects)
        guard let timer = motionTimer, timer <= now else { return }
        switch state {
        case .resting: break
        case .moving:
            bodies.animator.rest()
            effects.restsForced += 1
            go(on: WorldHold(), at: now, into: &effects)
        case .dragging(var hold):
            for grip in hold.grips where grip.drag.deadline <= now {
                releaseGrip(of: grip.hand, &hold)
            }
            hold.pinches.removeAll { $0.deadline <= now }
            hold.turns.removeAll { $0.deadline <= now }
            hold.placements.removeAll { $0.deadline <= now }
            go(on: hold, at: now, into: &effects)
        }
        effects.needsPublish = true
    }

    package var bulk: Bulk {
        Bulk(items: bodies.placedItems.count, bodies.placedBehaviors.lazy.map(\.behavior))
    }

    package var isMoving: Bool { !bodies.animator.isResting }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        guard case .dragging = state else {
            step(into: &effects)
            if case .moving = state, bodies.animator.isResting {
                state = .resting
                effects.report("rest")
            }
            return true
        }
        let before = poses
        step(into: &effects)
        // A still finger shows nothing new.
        return bodies.placedItems.indices.contains {
            pose(of: bodies.placedItems[$0]) != before[$0]
        }
    }

    private mutating func step(into effects: inout Effects) {
        bodies.animator.step()
        keepPlacements()
        reportContacts(into: &effects)
    }

    // MARK: Decisions

    var hold: WorldHold {
        switch state {
        case .resting, .moving: WorldHold()
        case .dragging(let hold): hold
        }
    }

    /// Updates the state after anything that may move, hold or stop items.
    mutating func go(on hold: WorldHold, at now: Step, into effects: inout Effects) {
        let wasResting = state == .resting
        if !hold.isEmpty {
            state = .dragging(hold)
        } else if bodies.animator.isResting {
            state = .resting
        } else {
            let isDriven = bodies.isDriven
            state = .moving(until: isDriven ? .never : now.after(seconds: Self.restlessSecondsMax))
        }
        let isResting = state == .resting
        if wasResting && !isResting { effects.report("wake") }
        if !wasResting && isResting { effects.report("rest") }
    }

    /// Gives an item the finger's velocity.
    private mutating func throwItem(_ name: String, _ velocity: Vector) {
        let body = bodies.body(moving: name)
        let former = bodies.animator.motion(of: body).velocity
        guard velocity != former else { return }
        bodies.animator.addVelocity(linear: velocity - former, to: body)
    }

    mutating func scale(_ name: String, to scale: Double) {
        guard let index = bodies.itemIndex(name) else { return }
        let item = bodies.placedItems[index].item
        let scale = Self.clampedScale(scale)
        if scale != item.scale { bodies.resize(name, size: item.size, scale: scale) }
    }

    static func clampedScale(_ scale: Double) -> Double { min(max(scale, 0.1), 10) }

    /// The pose of each item; nil beyond their number. Inline, since every step of a drag takes it.
    private var poses: InlineArray<64, ViewPose?> {
        InlineArray { index in
            index < bodies.placedItems.count ? pose(of: bodies.placedItems[index]) : nil
        }
    }

    private func pose(of placed: WorldBodies.PlacedItem) -> ViewPose {
        ViewPose(bodies.animator.motion(of: placed.body))
    }
}

extension Effects {
    /// Reports a transition that begins and ends at once.
    fileprivate mutating func report(_ name: String) {
        transitions.append(Transition(name, .began))
        transitions.append(Transition(name, .ended))
    }
}

// MARK: - What is shown

extension World {
    package var phase: String {
        switch state {
        case .resting: "resting"
        case .moving: "moving"
        case .dragging: "dragging"
        }
    }

    package func model(into sink: inout some StateSink) {
        sink.field("count", bodies.placedItems.count)
        sink.field("dragged", hold.dragged)
        tokens.model(into: &sink)
    }

    package func views(into sink: inout some StateSink) {
        for (z, placed) in bodies.placedItems.enumerated() {
            let motion = bodies.animator.motion(of: placed.body)
            sink.view(
                named: placed.item.id,
                ViewState(
                    center: motion.center, size: placed.item.size, rotation: motion.rotation,
                    scale: placed.item.scale, z: z, cut: cuts[placed.item.id]))
        }
    }
}
