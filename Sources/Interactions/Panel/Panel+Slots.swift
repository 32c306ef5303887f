package import Geometry
package import Gestures
import Motion

extension PanelParameters {
    /// `content`, which moves with the panel.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "content" ? size : nil
    }

    package var slotNames: [String]? { ["content"] }
}

extension Panel {
    package static var gestures: Set<GestureKind> { [.pan, .tap] }

    /// The content is hit where a component lies in it; elsewhere the panel itself.
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool {
        view == "backdrop" ? isBackdropTouchable : view != "content"
    }

    /// UIView's rule: what is hardly seen takes no touches, and they reach what lies behind. Long
    /// before its spring comes to its end, a sheet that leaves is out of the way.
    var isBackdropTouchable: Bool { backdropAlpha >= Self.touchableAlphaMin }

    private static let touchableAlphaMin = 0.01

    package func takesLanding(at point: Vector) -> Bool {
        guard parameters.drag == .handle, box.contains(point) else { return true }
        return handle?.contains(point) == true
    }

    /// A spring comes to its end long after its motion is seen: then a contact may be a tap.
    package func isInMotion(at point: Vector) -> Bool {
        guard case .settling(let spring, _) = state, parameters.drag != .none else { return false }
        return (spring.value - spring.target).magnitude > Self.nearPoints
            || spring.velocity.magnitude > Self.slowPointsPerSecond
    }
}
