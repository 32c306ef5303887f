package import Geometry

/// Identifies an item of one animator. An id is never reused.
package struct ItemID: Hashable, Sendable {
    let number: UInt32
}

/// The outline of an item.
package enum ItemShape: Hashable, Sendable, Codable {
    case box
    /// The diameter is the item's width.
    case circle
}

/// A box or a circle that an animator moves, with its position and material.
///
/// This room holds items and the bodies that follow from them. `Animator+Items` places, resizes and
/// removes them, `Animator+Materials` derives mass and damping from `Material` and from what
/// behaviors set (`Materials`), `Group` makes one body of several items. A body's properties must
/// follow from its item: the room `State` compares them. Coding keys and the order of a body's list
/// are a file format.
package struct Item: Hashable, Sendable {
    /// In points.
    package var center: Vector
    /// In points, both sides above 0.
    package var size: Size
    /// Radians, clockwise on screen.
    package var rotation: Double
    package var shape = ItemShape.box
    /// Mass per area: 100×100 pt of density 1 weigh 1 kg.
    package var density = 1.0
    /// Coulomb friction. Two surfaces in contact give √(a·b).
    package var friction = 0.2
    /// Restitution: 0 stays, 1 bounces back. Two surfaces in contact give the larger value.
    package var elasticity = 0.2
    /// Damping of the linear velocity per second: v *= 1 / (1 + h·c) in each step.
    package var resistance = 0.1
    /// Damping of the angular velocity per second.
    package var angularResistance = 0.1
    package var allowsRotation = true
    /// The charge on which electric fields act; a negative one is attracted.
    package var charge = 0.0
    /// An anchored item never moves, but others touch it and are tied to it.
    package var anchored = false

    package init(center: Vector, size: Size, rotation: Double = 0) {
        self.center = center
        self.size = size
        self.rotation = rotation
    }
}
