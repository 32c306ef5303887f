package import Geometry
package import Gestures

extension TossParameters {
    /// `frame` is where the item rests; the component is all of what holds it.
    package static var takesFrame: Bool { false }

    /// `item`.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        name == "item" ? frame.size : nil
    }

    package var slotNames: [String]? { ["item"] }
}

extension Toss {
    package static var gestures: Set<GestureKind> { [.pan, .tap] }
    package var reach: Interactions.Reach { parameters.reach == .all ? .frame : .views }
    package func isTouchable(_ view: String, isOccupied: Bool) -> Bool { view == "item" }

    package func isInMotion(at point: Vector) -> Bool {
        switch state {
        case .resting, .dragging: false
        case .thrown, .returning: pose.contains(point, size: parameters.frame.size)
        }
    }

    package func catches(at point: Vector) -> Bool { isInMotion(at: point) }
}
