package import Geometry

/// A small physics world of items and the behaviors that move them, in UIKit Dynamics' terms.
///
/// It is a value: a copy is another world. It knows no clock: each `step()` is 1/120 s. The same
/// calls in the same order give the same bits everywhere. Ids belong to the animator that gave
/// them; a foreign or stale id traps.
///
/// Rooms, in the order of a step: `Behaviors` and `Items` hold what a caller described; `Behaviors`
/// accelerates the bodies; `Step` finds the islands of coupled bodies; `Joints` and `Contacts`
/// solve their velocities; `Impact` stops fast bodies at walls; `Collision` knows shapes and where
/// they touch. `State` checks a decoded animator. The order of every sum and every list decides the
/// last bit: a change of order changes the goldens.
package struct Animator: Hashable, Sendable, Codable {
    var bodies: [Body] = []
    /// Ordered by body; the joints of one body newest first. The solver visits them in this order.
    var groundJoints: [GroundJoint] = []
    /// Oldest first.
    var joints: [Joint] = []
    var pushes: [PushRecord] = []
    /// Empty while no field, gravity, charge or off-center push exists.
    var forcesBox = OptionalBox<Forces>()
    /// Empty while every item has the standard material.
    var materialsBox = OptionalBox<Materials>()
    /// Empty while no collision exists.
    var collisionsBox = OptionalBox<Collisions>()
    var groups: [Group] = []
    var itemsGiven: UInt32 = 0
    var behaviorsGiven: UInt32 = 0
    var awakeCount: Int32 = 0
    var hasPushPending = false

    /// The keys are a file format: exports and stores contain them.
    private enum CodingKeys: String, CodingKey {
        case bodies
        case groundJoints = "joints"
        case joints = "links"
        case pushes
        case forcesBox = "forceStore"
        case materialsBox = "makeupStore"
        case collisionsBox = "collisionStore"
        case groups, itemsGiven, behaviorsGiven, awakeCount, hasPushPending, gravity
    }

    package init() {}

    /// Acts on every item, in UIKit's unit: 1 is 1000 pt/s². Setting another value wakes the items.
    ///
    /// While a ``Gravity`` behavior exists, this vector acts only on the items of such behaviors.
    package var gravity = Vector.zero {
        didSet {
            gravity = gravity.reachable
            guard gravity != oldValue else { return }
            wakeItemsUnderGravity()
        }
    }

    /// Whether every item sleeps, or no item exists. Then `step()` changes nothing.
    package var isResting: Bool { awakeCount == 0 }

    /// Adds an item. It stands still until something moves it.
    package mutating func add(_ item: Item) -> ItemID {
        var body = Body(item, number: itemsGiven)
        body.firstGroundJoint = Int32(groundJoints.count)
        // Exact capacity: the usual doubling would be most of a small world's memory.
        bodies.reserveCapacity(bodies.count + 1)
        bodies.append(body)
        itemsGiven += 1
        recordMaterial(Material(item), of: body.number)
        if item.charge != 0 { charge(bodies.count - 1, item.charge) }
        if worldGravity != .zero { wake(bodies.count - 1) }
        return ItemID(number: body.number)
    }

    /// The index of an item's body; for a member of a group, of the group's body.
    func index(of item: ItemID) -> Int {
        // While no item was removed, numbers are indices.
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

    /// Whether the item was added and not removed.
    package func has(_ item: ItemID) -> Bool {
        bodies.contains { $0.number == item.number } || group(of: item) != nil
    }

    /// The item's position and velocity. An item at rest has velocities of exactly 0.
    package func motion(of item: ItemID) -> Motion {
        let body = bodies[index(of: item)]
        var motion = Motion(
            center: body.center, rotation: body.rotation, velocity: body.velocity,
            angularVelocity: body.angularVelocity)
        guard !groups.isEmpty else { return motion }
        motion.center = body.point(at: bodyPoint(item, .zero))
        motion.rotation += rotationOnBody(item)
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

    /// Advances the world by exactly 1/120 s.
    package mutating func step() {
        if !contacts.isEmpty { collisionsBox.unwrapped.events = [] }
        guard awakeCount > 0 else { return }
        if hasPushPending { firePushes() }
        guard joints.isEmpty && collisionsBox.isEmpty else { return stepIslands() }
        stepAlone()
    }

    /// Steps every body as an island of its own.
    mutating func stepAlone() {
        if !forcesBox.isEmpty { applyForces() }
        awakeCount -= Animator.solve(
            &bodies, &groundJoints, gravity: worldGravity * Tuning.gravityUnit)
    }

    /// Steps the awake bodies. Returns how many fell asleep.
    private static func solve(
        _ bodies: inout [Body], _ groundJoints: inout [GroundJoint], gravity: Vector
    ) -> Int32 {
        var groundJoints = groundJoints.mutableSpan
        var bodies = bodies.mutableSpan
        var asleep: Int32 = 0
        for index in bodies.indices where bodies[index].isAwake {
            bodies[index].step(joints: &groundJoints, gravity: gravity)
            if !bodies[index].isAwake { asleep += 1 }
        }
        return asleep
    }

    /// Wakes a sleeping body. A body that is awake keeps its count of still steps.
    mutating func wake(_ index: Int) {
        guard !bodies[index].isAwake, !bodies[index].anchored else { return }
        bodies[index].isAwake = true
        bodies[index].stillSteps = 0
        awakeCount += 1
    }

    /// Stops a body and puts it to sleep.
    mutating func putToSleep(_ index: Int) {
        bodies[index].stop()
        guard bodies[index].isAwake else { return }
        bodies[index].isAwake = false
        awakeCount -= 1
    }
}
