import Dynamics
import Geometry
import Testing

/// An item's expected place after some steps.
struct Waypoint {
    var step: Int
    var center: Vector
    var rotation: Double?
}

/// Steps through the waypoints. Returns the greatest deviations in pt and rad.
func deviation(
    of item: ItemID, in animator: Animator, from waypoints: [Waypoint]
) -> (points: Double, radians: Double) {
    var animator = animator
    var step = 0
    var worst = (points: 0.0, radians: 0.0)
    for waypoint in waypoints {
        while step < waypoint.step {
            animator.step()
            step += 1
        }
        let motion = animator.motion(of: item)
        worst.points = max(worst.points, (motion.center - waypoint.center).length)
        if let rotation = waypoint.rotation {
            worst.radians = max(worst.radians, abs(motion.rotation - rotation))
        }
    }
    return worst
}

func undamped(_ center: Vector, _ size: Size) -> Item {
    var item = Item(center: center, size: size)
    item.resistance = 0
    item.angularResistance = 0
    return item
}

/// Measured on Apple's frameworks, in their single precision.
@Suite struct MeasuredMotions {
    @Test func aFallIsResisted() {
        var animator = Animator()
        animator.gravity = Vector(0, 1)
        let item = animator.add(Item(center: Vector(50, 50), size: Size(100, 100)))
        let heights = [
            1: 50.0693855, 3: 50.4160881, 5: 51.0396423, 7: 51.9395943, 9: 53.1154747,
        ]
        let path = heights.sorted { $0.key < $1.key }.map {
            Waypoint(step: $0.key, center: Vector(50, $0.value), rotation: 0)
        }
        #expect(deviation(of: item, in: animator, from: path).points < 1e-4)
    }

    @Test func aSpringSwings() {
        var animator = Animator()
        let item = animator.add(undamped(Vector(100, 250), Size(40, 40)))
        _ = animator.add(
            Attachment(
                item: item, anchor: Vector(100, 100), length: 100, frequency: 2, damping: 0.3))
        let path = [
            Waypoint(step: 1, center: Vector(100, 249.48938)),
            Waypoint(step: 19, center: Vector(100, 201.092148)),
            Waypoint(step: 59, center: Vector(100, 204.031586)),
            Waypoint(step: 119, center: Vector(100, 200.142715), rotation: 0),
        ]
        #expect(deviation(of: item, in: animator, from: path).points < 1e-4)
    }

    @Test func aRigidPendulumSwings() {
        var animator = Animator()
        animator.gravity = Vector(0, 1)
        let item = animator.add(undamped(Vector(200, 100), Size(40, 40)))
        _ = animator.add(Attachment(item: item, anchor: Vector(100, 100)))
        let path = [
            Waypoint(step: 1, center: Vector(199.999969, 100.069443)),
            Waypoint(step: 59, center: Vector(139.359573, 191.92836)),
            Waypoint(step: 119, center: Vector(2.06188917, 120.202171)),
        ]
        #expect(deviation(of: item, in: animator, from: path).points < 1e-4)
    }

    @Test func aSnapPullsAndTurns() {
        var animator = Animator()
        let item = animator.add(Item(center: Vector(100, 100), size: Size(100, 50)))
        _ = animator.add(Snap(item: item, point: Vector(300, 200), damping: 0.5))
        let path = [
            Waypoint(step: 1, center: Vector(113.265648, 106.623589), rotation: 0.0361267589)
        ]
        let off = deviation(of: item, in: animator, from: path)
        #expect(off.points < 1e-4)
        #expect(off.radians < 1e-6)
    }
}

/// Computed by Box2D 2.3.
@Suite struct ReferenceMotions {
    static let tip = Item(center: Vector(660, 784), size: Size(300, 400), rotation: .pi / 2)
    static let entry = [
        Waypoint(step: 1, center: Vector(659.46813, 760.94451), rotation: 1.52467),
        Waypoint(step: 10, center: Vector(332.97362, 314.873), rotation: 0.35325),
        Waypoint(step: 20, center: Vector(122.88622, 285.37934), rotation: -0.0743),
        Waypoint(step: 60, center: Vector(161.42256, 284.00199), rotation: 0.00285),
        Waypoint(step: 120, center: Vector(159.99379, 284.00004), rotation: -0.00001),
    ]

    /// In these figures the pin was added first, so the snap's springs are solved first.
    @Test func theTipSwingsInByPinThenSnap() {
        var animator = Animator()
        let item = animator.add(Self.tip)
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
        let off = deviation(of: item, in: animator, from: Self.entry)
        #expect(off.points < 2e-4)
        #expect(off.radians < 1e-5)
    }

    /// The other order moves the tip by less than a thousandth of a point.
    @Test func theTipSwingsInBySnapThenPin() {
        var animator = Animator()
        let item = animator.add(Self.tip)
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        let off = deviation(of: item, in: animator, from: Self.entry)
        #expect(off.points > 5e-4 && off.points < 1e-3)
        #expect(off.radians < 1e-5)
    }

    @Test func aTossFliesAndTurns() {
        var animator = Animator()
        let item = animator.add(Item(center: Vector(160, 223), size: Size(254, 172)))
        _ = animator.add(
            Push(items: [item], mode: .instantaneous, vector: Vector(1500 / 35.0, 0)))
        animator.addVelocity(angular: 5, to: item)
        let path = [
            Waypoint(step: 1, center: Vector(168.168, 223), rotation: 0.0416),
            Waypoint(step: 48, center: Vector(544.492, 223), rotation: 1.9597),
        ]
        let off = deviation(of: item, in: animator, from: path)
        #expect(off.points < 1e-3)
        #expect(off.radians < 1e-4)
    }
}
