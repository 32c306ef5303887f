package import Geometry

/// Pulls an item to a point and rotates it upright, by four springs at two opposite corners.
package struct Snap: Hashable, Sendable {
    package var item: ItemID
    /// Where the item's center comes to rest, in points.
    package var point: Vector
    /// The damping ratio: 0 oscillates without end, 1 does not oscillate.
    package var damping: Double

    /// The springs' frequency in hertz.
    private static var frequency: Double { 4 }
    /// The springs' rest length in points.
    private static var arm: Double { 50 }

    package init(item: ItemID, point: Vector, damping: Double = 0.5) {
        self.item = item
        self.point = point
        self.damping = damping
    }

    /// The four springs, newest first.
    ///
    /// Each corner has a spring on both axes: with one axis the rotation would be free. `middle` is
    /// the item's center in the body's coordinates.
    func groundJoints(of behavior: BehaviorID, on body: Body, middle: Vector) -> [GroundJoint] {
        let corner = Vector(body.size.width / 2, body.size.height / 2)
        let (down, right) = (Vector(0, Snap.arm), Vector(Snap.arm, 0))
        return [(corner, down), (corner, right), (-corner, -down), (-corner, -right)].map {
            (corner, arm) in
            GroundJoint(
                holding: middle + corner, at: Snap.arm, from: point.reachable, arm: corner + arm,
                frequency: Snap.frequency, damping: damping, behavior: behavior)
        }
    }
}
