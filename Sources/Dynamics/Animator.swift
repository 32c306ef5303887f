package import Geometry

/// A small world of items and the behaviors that move them, a value: a copy is another world.
///
/// It knows no clock: each `step()` is 1/120 s. The same calls in the same order give the same
/// bits everywhere. Ids belong to the animator that gave them; a foreign or stale one traps.
package struct Animator: Hashable, Sendable {
    var bodies: [Body] = []
    /// By body, and for each body newest first: the order in which the solver visits them.
    var joints: [Joint] = []
    var pushes: [PushRecord] = []
    /// One or none, so that a world without forces keeps no more than an empty array.
    var forceStore: [Forces] = []
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
        var body = Body(item)
        body.firstJoint = Int32(joints.count)
        bodies.append(body)
        if item.charge != 0 { charge(bodies.count - 1, item.charge) }
        let id = ItemID(index: Int32(bodies.count - 1))
        if worldGravity != .zero { wake(bodies.count - 1) }
        return id
    }

    /// Where an item is and how it moves. An item at rest has velocities of exactly 0.
    package func motion(of item: ItemID) -> Motion {
        let body = bodies[Int(item.index)]
        return Motion(
            center: body.center, rotation: body.rotation, velocity: body.velocity,
            angularVelocity: body.angularVelocity)
    }

    /// Adds to an item's velocities (pt/s, rad/s) and wakes it.
    package mutating func addVelocity(
        linear: Vector = .zero, angular: Double = 0, to item: ItemID
    ) {
        let index = Int(item.index)
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
        guard awakeCount > 0 else { return }
        if hasPushPending { firePushes() }
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
}
