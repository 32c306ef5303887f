import Dynamics
import Geometry

/// The view as a body while a finger or its momentum moves it.
struct TossBody: Hashable, Sendable, Codable {
    var animator = Animator()
    let item: ItemID

    init(_ pose: ViewPose, _ parameters: TossParameters) {
        var body = Item(
            center: pose.center, size: parameters.frame.size, rotation: pose.rotation)
        body.friction = parameters.friction
        item = animator.add(body)
    }

    var pose: ViewPose { ViewPose(animator.motion(of: item)) }
}
