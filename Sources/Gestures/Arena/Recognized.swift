/// What an arena makes of raw contacts, in the order in which a component shall hear of it.
package enum Recognized: Hashable, Sendable {
    /// Of the contact that counts, beside whatever is recognised.
    case touch(Touch)
    case pan(Pan)
    case contentDrag(ContentDrag)
    /// Aimed at where the contact landed, as a tap is.
    case swipe(Swipe)
    case tap(Target)
    case longpress(LongPress)
    case pinch(Pinch)
    case rotation(Rotation)

    /// Whether it ends a gesture that was lost: a component that has left it needs no telling.
    package var isCancellation: Bool {
        switch self {
        case .touch, .swipe, .tap: false
        case .pan(let pan): pan.phase == .cancelled
        case .contentDrag(let drag): drag.phase == .cancelled
        case .longpress(let press): press.phase == .cancelled
        case .pinch(let pinch): pinch.phase == .cancelled
        case .rotation(let rotation): rotation.phase == .cancelled
        }
    }
}
