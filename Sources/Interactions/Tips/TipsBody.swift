import Dynamics
import Geometry
import Motion

/// A tip as a body on its pin, held in its place by a snap or pulled by a rod.
struct TipsBody: Hashable, Sendable, Codable {
    private var animator = Animator()
    private let item: ItemID
    private var snap: BehaviorID?
    /// The pin's way to the place that another frame gives it; nil: it is there.
    private var pinWay: PinWay?
    /// How the finger that holds it turns it; nil: none holds it.
    private var swing: TipsSwing?
    /// Beside the standard resistance, per second; nil: none.
    private var resistance: Double?

    /// Per second: the velocity is halved in each step. With much more, the tip would creep home,
    /// fall asleep on its way and jump.
    static let resistanceMax = 120.0

    private struct PinWay: Hashable, Sendable, Codable {
        var x: Animation
        var y: Animation

        func point(at step: Step) -> Vector { Vector(x.value(at: step), y.value(at: step)) }
    }

    /// The pin joins the tip's point under its center to `pivot`.
    init(_ pose: ViewPose, _ parameters: TipsParameters, pivot: Vector) {
        item = animator.add(
            Item(center: pose.center, size: parameters.size, rotation: pose.rotation))
        let arm = Vector(0, parameters.pivotOffset)
        _ = animator.add(Pin(item: item, offset: arm, anchor: pivot))
    }

    /// Another body in its place and with its velocity, without what held it. Its pin goes from
    /// where it is to `pivot` in `duration`.
    init(
        _ former: TipsBody, _ parameters: TipsParameters, pivot: Vector, at now: Step,
        duration: Double
    ) {
        let (pose, motion) = (former.pose, former.animator.motion(of: former.item))
        let (sine, cosine) = Angle.sineCosine(pose.rotation)
        let begin =
            pose.center
            + Vector(0, parameters.pivotOffset).rotated(sine: sine, cosine: cosine)
        self.init(pose, parameters, pivot: begin)
        animator.addVelocity(linear: motion.velocity, angular: motion.angularVelocity, to: item)
        resist(former.resistance ?? 0)
        func way(_ from: Double, _ to: Double) -> Animation {
            Animation(from: from, to: to, begin: now, duration: duration)
        }
        pinWay = PinWay(x: way(begin.x, pivot.x), y: way(begin.y, pivot.y))
    }

    var pose: ViewPose { ViewPose(animator.motion(of: item)) }
    var isPinMoving: Bool { pinWay != nil }
    var isResting: Bool { animator.isResting && !isPinMoving }

    // MARK: What holds it

    /// Adds a snap in the place of a rod.
    mutating func snap(to point: Vector, damping: Double, insteadOf rod: BehaviorID? = nil) {
        if let rod { animator.remove(rod) }
        swing = nil
        snap = animator.add(Snap(item: item, point: point, damping: damping))
    }

    /// Removes the snap and hangs the tip's center on a finger, on a rod as long as they are apart.
    mutating func hang(on finger: Vector, insteadOf rod: BehaviorID? = nil) -> BehaviorID {
        unhook(rod)
        swing = TipsSwing()
        return animator.add(Attachment(item: item, anchor: finger))
    }

    /// Removes the snap or the rod and holds the tip's center at a point, without a rod.
    mutating func hold(at point: Vector, insteadOf rod: BehaviorID?) -> BehaviorID {
        unhook(rod)
        return animator.add(Attachment(item: item, end: .anchor(point), type: .pin()))
    }

    private mutating func unhook(_ rod: BehaviorID?) {
        if let rod { animator.remove(rod) }
        if let snap { animator.remove(snap) }
        snap = nil
        swing = nil
    }

    /// Moves the finger's end of a rod.
    mutating func pull(_ rod: BehaviorID, to point: Vector) {
        animator.moveAnchor(of: rod, to: point)
    }

    // MARK: How it moves

    /// The finger that holds it has moved.
    mutating func mark(at now: Step) {
        let rotation = pose.rotation
        swing?.mark(rotation, at: now)
    }

    /// How fast the finger turns it about its pin, in radians per second.
    func turning(at now: Step) -> Double {
        guard let swing else { return 0 }
        return swing.velocity(showing: pose.rotation, at: now)
            ?? animator.motion(of: item).angularVelocity
    }

    /// Lets it go on as fast as the finger turns it.
    mutating func swingOn(at now: Step, pivot: Vector) {
        guard let swing, let turn = swing.velocity(showing: pose.rotation, at: now) else { return }
        let motion = animator.motion(of: item)
        let arm = motion.center - pin(at: now, pivot: pivot)
        // A slower tip stands: what a rod leaves of a still finger's tip is no motion.
        guard (turn * arm.length).magnitude >= ScrollPhysics.coastVelocityMin else { return }
        animator.addVelocity(
            linear: Vector(-arm.y, arm.x) * turn - motion.velocity,
            angular: turn - motion.angularVelocity, to: item)
    }

    /// Sets what its velocity meets beside the standard resistance, per second.
    mutating func resist(_ resistance: Double) {
        let bounded = min(resistance, Self.resistanceMax)
        guard bounded != self.resistance ?? 0 else { return }
        self.resistance = bounded > 0 ? bounded : nil
        let standard = ItemProperties.standardResistance
        animator.change(item, ItemProperties(resistance: standard + bounded))
    }

    // MARK: Time

    /// Where the pin is at a step; `pivot` is its place.
    func pin(at now: Step, pivot: Vector) -> Vector { pinWay?.point(at: now) ?? pivot }

    /// Returns whether it rests then.
    mutating func step(to now: Step) -> Bool {
        if let way = pinWay {
            animator.moveAnchor(of: .first, to: way.point(at: now))
            if now >= way.x.end { pinWay = nil }
        }
        animator.step()
        return isResting
    }
}

extension TipsBody {
    /// Whether a decoded body is a tip on its pin and on `hold`, and nothing else.
    func isSound(_ hold: Hold) -> Bool {
        guard animator.consists(of: [item]), animator.isAlone(item),
            let others = animator.behaviors(beside: [.first]), others.count == 1,
            animator.isSound, animator.anchors(.first, item), animator.anchors(others[0], item)
        else { return false }
        if let resistance, !(0...Self.resistanceMax).contains(resistance) { return false }
        if swing?.isSound == false { return false }
        if let pinWay, !(pinWay.x.isSound && pinWay.y.isSound) { return false }
        switch hold {
        case .snap: return snap == others[0]
        case .rod(let rod): return snap == nil && rod == others[0]
        }
    }

    /// Holds a tip beside its pin, which is its first behavior.
    enum Hold {
        case snap
        case rod(BehaviorID)
    }
}
