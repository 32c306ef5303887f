package import Geometry
package import Gestures
import Notation

extension NavigationParameters {
    package static var clips: Bool { true }

    /// Each screen by its name. Where the scene describes none, every name is a screen.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        Name.isValid(name) && hasScreen(name) ? viewport : nil
    }

    package var slotNames: [String]? { screens.isEmpty ? nil : screenNames }

    /// A screen that slides is on its way there.
    package func slotRests(_ name: String) -> Bool { true }
}

extension Navigation {
    package static var gestures: Set<GestureKind> { [.pan] }

    /// While a transition runs it takes everything.
    package var reach: Reach {
        switch state {
        case .resting: .views
        case .transitioning, .popping: .closed
        }
    }

    /// It leaves all that cannot pop a screen to those that its screens hold.
    package func takesLanding(at point: Vector) -> Bool { canPop(from: point) }

    package func isInMotion(at point: Vector) -> Bool { isMoving }
}
