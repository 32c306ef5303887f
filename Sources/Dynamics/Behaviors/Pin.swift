package import Geometry

/// Fixes a point of an item to a point of the world. The item may rotate about it.
package struct Pin: Hashable, Sendable {
    package var item: ItemID
    /// The fixed point of the item, from its center in its own coordinates (points).
    package var offset: Vector
    /// The point of the world, in points.
    package var anchor: Vector

    package init(item: ItemID, offset: Vector, anchor: Vector) {
        self.item = item
        self.offset = offset
        self.anchor = anchor
    }

    /// `held` is the fixed point in the body's coordinates.
    func joint(of behavior: BehaviorID, at held: Vector) -> GroundJoint {
        GroundJoint(pinning: held, to: anchor.reachable, behavior: behavior)
    }
}
