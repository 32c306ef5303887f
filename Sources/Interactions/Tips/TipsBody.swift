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

    /// Removes the snap and hangs the tip's center on a finger, on a rod as long as they are apart.
    mutating func hang(on finger: Vector) -> BehaviorID {
        if let snap { animator.remove(snap) }
        snap = nil
        return animator.add(Attachment(item: item, anchor: finger))
    }

    var pose: ViewPose { ViewPose(animator.motion(of: item)) }
}

extension TipsBody {
    /// Whether a decoded body is a tip on its pin and on `hold`, and nothing else.
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

    /// Holds a tip beside its pin, which is its first behavior.
    enum Hold {
        case snap
        case rod(BehaviorID)
        /// A rod whose finger has gone.
        case anyRod
    }
}
