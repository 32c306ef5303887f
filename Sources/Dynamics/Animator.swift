package import Geometry

/// A small world of items and the behaviors that move them, a value: a copy is another world.
///
/// It knows no clock: each `step()` is 1/120 s. The same calls in the same order give the same
/// bits everywhere. Ids belong to the animator that gave them; a foreign or stale one traps.
package struct Animator: Hashable, Sendable, Codable {
    var bodies: [Body] = []
    /// By body, and for each body newest first: the order in which the solver visits them.
    var joints: [Joint] = []
    /// Oldest first.
    var links: [Link] = []
    var pushes: [PushRecord] = []
    /// One or none, so that a world without forces keeps no more than an empty array.
    var forceStore: [Forces] = []
    /// One or none: in most worlds everything is of the standard material.
    var makeupStore: [Makeup] = []
    /// One or none: in most worlds nothing touches.
    var collisionStore: [Collisions] = []
    var groups: [Group] = []
    var itemsGiven: UInt32 = 0
    var behaviorsGiven: UInt32 = 0
    var awakeCount: Int32 = 0
    var hasPushPending = false

    package init() {}

    /// Acts on every item, in UIKit's unit: 1 is 1000 pt/s². A change wakes those it acts on.
    ///
    /// Where there is a ``Gravity``, it acts on the items of gravities only.
    package var gravity = Vector.zero {
        didSet {
            gravity = gravity.reachable
            guard gravity != oldValue else { return }
            wakeFalling()
        }
    }

    /// Whether every item sleeps, or there is none. Then `step()` changes nothing.
    package var isResting: Bool { awakeCount == 0 }

    /// Takes an item in. It stands still until something moves it.
    package mutating func add(_ item: Item) -> ItemID {
        var body = Body(item, number: itemsGiven)
        body.firstJoint = Int32(joints.count)
        // A world has few of anything: twice the room that it needs would be most of its size.
        bodies.reserveCapacity(bodies.count + 1)
        bodies.append(body)
        itemsGiven += 1
        note(Material(item), of: body.number)
        if item.charge != 0 { charge(bodies.count - 1, item.charge) }
        if worldGravity != .zero { wake(bodies.count - 1) }
        return ItemID(number: body.number)
    }

    /// The place of an item's body.
    func index(of item: ItemID) -> Int {
        // As long as no item was removed the numbers are the places.
        let guess = Int(item.number)
        if guess < bodies.count, bodies[guess].number == item.number { return guess }
        var (low, high) = (0, min(guess, bodies.count))
        while low < high {
            let middle = (low + high) / 2
            if bodies[middle].number < item.number { low = middle + 1 } else { high = middle }
        }
        if low < bodies.count, bodies[low].number == item.number { return low }
        guard let (group, _) = group(of: item) else { preconditionFailure("no item \(item)") }
        return index(of: ItemID(number: group.number))
    }

    /// Whether an item may move in the next step.
    package func isAwake(_ item: ItemID) -> Bool { bodies[index(of: item)].isAwake }

    /// Whether an item, or the group that it is in, never moves.
    package func isAnchored(_ item: ItemID) -> Bool { bodies[index(of: item)].anchored }

    /// Whether the animator still has an item.
    package func has(_ item: ItemID) -> Bool {
        bodies.contains { $0.number == item.number } || group(of: item) != nil
    }

    /// Where an item is and how it moves. An item at rest has velocities of exactly 0.
    package func motion(of item: ItemID) -> Motion {
        let body = bodies[index(of: item)]
        var motion = Motion(
            center: body.center, rotation: body.rotation, velocity: body.velocity,
            angularVelocity: body.angularVelocity)
        guard !groups.isEmpty else { return motion }
        motion.center = body.point(at: held(item, .zero))
        motion.rotation += turn(item)
        let lever = motion.center - body.center
        motion.velocity += Vector(-lever.y, lever.x) * body.angularVelocity
        return motion
    }

    /// Adds to an item's velocities (pt/s, rad/s) and wakes it.
    package mutating func addVelocity(
        linear: Vector = .zero, angular: Double = 0, to item: ItemID
    ) {
        let index = index(of: item)
        precondition(!angular.isNaN, "an angular velocity that is not a number")
        guard !bodies[index].anchored else { return }
        bodies[index].velocity = (bodies[index].velocity + linear).reachable
        if bodies[index].inverseGyration > 0 {
            let spin = bodies[index].angularVelocity + angular
            bodies[index].angularVelocity = spin.clamped(to: -Tuning.reach...Tuning.reach)
        }
        wake(index)
    }

    /// Advances by exactly 1/120 s.
    package mutating func step() {
        if !collisionStore.isEmpty { collisionStore[0].events = [] }
        guard awakeCount > 0 else { return }
        if hasPushPending { firePushes() }
        guard links.isEmpty && collisionStore.isEmpty else { return stepIslands() }
        stepAlone()
    }

    /// Steps every body as an island of its own.
    mutating func stepAlone() {
        if !forceStore.isEmpty { applyForces() }
        awakeCount -= Animator.solve(
            &bodies, &joints, gravity: worldGravity * Tuning.gravityUnit)
    }

    /// Steps the bodies that are awake. Returns how many fell asleep.
    private static func solve(
        _ bodies: inout [Body], _ joints: inout [Joint], gravity: Vector
    ) -> Int32 {
        var joints = joints.mutableSpan
        var bodies = bodies.mutableSpan
        var asleep: Int32 = 0
        for index in bodies.indices where bodies[index].isAwake {
            bodies[index].step(joints: &joints, gravity: gravity)
            if !bodies[index].isAwake { asleep += 1 }
        }
        return asleep
    }

    /// Wakes a body that sleeps. One that is awake keeps the count of its still steps.
    mutating func wake(_ index: Int) {
        guard !bodies[index].isAwake, !bodies[index].anchored else { return }
        bodies[index].isAwake = true
        bodies[index].stillSteps = 0
        awakeCount += 1
    }

    /// Puts a body to rest.
    mutating func putToSleep(_ index: Int) {
        bodies[index].stop()
        guard bodies[index].isAwake else { return }
        bodies[index].isAwake = false
        awakeCount -= 1
    }
}
