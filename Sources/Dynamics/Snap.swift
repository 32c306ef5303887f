package import Geometry

/// Draws an item to a point and turns it upright, as by four springs at two opposite corners.
package struct Snap: Hashable, Sendable {
    package var item: ItemID
    /// Where the item's center comes to rest, in points.
    package var point: Vector
    /// The damping ratio: 0 swings for long, 1 does not swing.
    package var damping: Double

    /// The springs' frequency in hertz.
    private static var frequency: Double { 4 }
    /// The springs' length at rest, in points.
    private static var arm: Double { 50 }

    package init(item: ItemID, point: Vector, damping: Double = 0.5) {
        self.item = item
        self.point = point
        self.damping = damping
    }

    /// The four springs, newest first.
    ///
    /// Each corner is held on both axes: one corner alone would leave the rotation free.
    func joints(of behavior: BehaviorID, on body: Body) -> [Joint] {
        (0..<4).map { place in
            let corner = Snap.corner(place, of: body.size)
            return Joint(
                holding: corner, at: Snap.arm, from: Snap.ground(place, corner, at: point),
                frequency: Snap.frequency, damping: damping, behavior: behavior)
        }
    }

    /// The fixed end of the spring at `place` of a snap to `point`.
    static func ground(_ place: Int, _ corner: Vector, at point: Vector) -> Vector {
        let arm =
            switch place {
            case 0: Vector(0, arm)
            case 1: Vector(arm, 0)
            case 2: Vector(0, -arm)
            default: Vector(-arm, 0)
            }
        return point.reachable + corner + arm
    }

    private static func corner(_ place: Int, of size: Size) -> Vector {
        let half = Vector(size.width / 2, size.height / 2)
        return place < 2 ? half : -half
    }
}
