import Dynamics
package import Geometry
package import Gestures

extension WorldParameters {
    /// Each item, by its id.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        items.first { $0.id == name }?.size
    }

    package var slotNames: [String]? { items.map(\.id) }
}

extension World {
    package static var gestures: Set<GestureKind> { [.pan, .tap, .pinch, .rotation, .token] }

    /// A circle is hit within its circle.
    package func contains(_ place: Vector, in view: String, size: Size) -> Bool {
        let isCircle = bodies.itemIndex(view).map { bodies.placedItems[$0].item.shape == .circle }
        guard isCircle == true else {
            return Rect(0, 0, size.width, size.height).contains(place)
        }
        let middle = Vector(size.width / 2, size.height / 2)
        return (place - middle).length <= size.width / 2
    }

    package func takesLanding(at point: Vector) -> Bool { bodies.item(at: point) != nil }

    /// An item that no finger may drag is not stopped.
    package func isInMotion(at point: Vector) -> Bool {
        guard parameters.drag != .none, let item = bodies.item(at: point) else { return false }
        let body = bodies.body(moving: item)
        return bodies.speed(of: body, at: point) > Self.stillSpeedMax
            && !hold.items.contains { bodies.body(moving: $0) == body }
    }

    package func catches(at point: Vector) -> Bool { isInMotion(at: point) }

    /// Points per second up to which an item stands still for a finger: while it is touched it
    /// moves no farther than a resting finger trembles.
    static let stillSpeedMax =
        VelocityTracker.tremblePoints / VelocityTracker.trembleMilliseconds * 1_000
}
