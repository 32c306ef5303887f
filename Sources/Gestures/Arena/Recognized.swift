import Geometry

/// The arena's output: gestures and touches, in the order in which the component hears of them.
package enum Recognized: Hashable, Sendable {
    /// About the primary contact, besides whatever is recognized.
    case touch(Touch)
    case pan(Pan)
    case contentDrag(ContentDrag)
    case grasp(Grasp)
    /// The target is where the contact landed, as for a tap.
    case swipe(Swipe)
    case tap(Target)
    case longpress(LongPress)
    case pinch(Pinch)
    case rotation(Rotation)

    /// A sample of a long press.
    static func pressed(_ phase: Phase, at location: Vector) -> Recognized {
        .longpress(LongPress(phase: phase, location: location, isOfContact: true))
    }

    /// Whether a recognizer has begun with it, or goes on.
    package var isOfGesture: Bool {
        if case .touch = self { return false }
        return !isCancellation
    }

    /// Whether it cancels a gesture. A component that has left the gesture ignores it.
    package var isCancellation: Bool {
        switch self {
        case .touch, .swipe, .tap: false
        case .pan(let pan): pan.phase == .cancelled
        case .contentDrag(let drag): drag.phase == .cancelled
        case .grasp(let grasp): grasp.phase == .cancelled
        case .longpress(let press): press.phase == .cancelled
        case .pinch(let pinch): pinch.phase == .cancelled
        case .rotation(let rotation): rotation.phase == .cancelled
        }
    }
}
