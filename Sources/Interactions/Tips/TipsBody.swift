import Dynamics
import Geometry

/// A tip as a body on its pin, held in its place by a snap or pulled by a rod.
struct TipsBody: Hashable, Sendable, Codable {
    var animator = Animator()
    private let item: ItemID
    private var snap: BehaviorID?

    /// The pin joins the tip's point under its center to the one under the viewport's middle.
    init(_ pose: ViewPose, _ parameters: TipsParameters, middle: Vector) {
        item = animator.add(
            Item(center: pose.center, size: parameters.size, rotation: pose.rotation))
        let arm = Vector(0, parameters.pivotOffset)
        _ = animator.add(Pin(item: item, offset: arm, anchor: middle + arm))
    }

    mutating func snap(to point: Vector, damping: Double) {
        snap = animator.add(Snap(item: item, point: point, damping: damping))
    }

    /// Lets the snap go and hangs the tip's center on a finger, as far away as it is now.
    mutating func hang(on finger: Vector) -> BehaviorID {
        if let snap { animator.remove(snap) }
        snap = nil
        return animator.add(Attachment(item: item, anchor: finger))
    }

    var pose: ViewPose {
        let motion = animator.motion(of: item)
        return ViewPose(center: motion.center, rotation: motion.rotation)
    }
}

extension TipsBody {
    /// Whether a decoded one is a tip on its pin and on what holds it, and nothing else.
    func isSound(_ hold: Hold) -> Bool {
        guard animator.consists(of: [item]), animator.isAlone(item),
            let others = animator.behaviors(beside: [.first]), others.count == 1,
            animator.isSound, animator.anchors(.first, item), animator.anchors(others[0], item)
        else { return false }
        switch hold {
        case .snap: return snap == others[0]
        case .rod(let rod): return snap == nil && rod == others[0]
        case .anyRod: return snap == nil
        }
    }

    /// What a tip hangs on beside its pin, which it was given first.
    enum Hold {
        case snap
        case rod(BehaviorID)
        /// One that nobody holds any more.
        case anyRod
    }
}
