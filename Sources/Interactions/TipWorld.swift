import Dynamics
import Geometry

/// A tip as a body on its pin, held in its place by a snap or pulled by a rod.
struct TipWorld: Hashable, Sendable, Codable {
    var animator = Animator()
    private let item: ItemID
    private var snap: BehaviorID?

    /// The pin joins the tip's point under its center to the one under the viewport's middle.
    init(_ pose: Pose, _ parameters: TipsParameters, middle: Vector) {
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

    var pose: Pose {
        let motion = animator.motion(of: item)
        return Pose(center: motion.center, rotation: motion.rotation)
    }
}

extension TipWorld {
    /// Whether a decoded one has what hangs in it; `rod` is what a finger holds.
    func isSound(rod: BehaviorID?) -> Bool {
        animator.isSound && animator.isAlone(item)
            && snap.map { animator.anchors($0, item) } != false
            && rod.map { animator.anchors($0, item) } != false
    }
}
