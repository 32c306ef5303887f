package import Geometry

/// Names an item of one animator. Ids are not used again.
package struct ItemID: Hashable, Sendable {
    let number: UInt32
}

/// The outline of an item.
package enum ItemShape: Hashable, Sendable, Codable {
    case box
    /// As wide as the item: its radius is half the width.
    case circle
}

/// What is moved: a box or a circle with its place and the properties of its material.
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
    /// Against what it touches, mixed as √(a·b).
    package var friction = 0.2
    /// 0 (stays) to 1 (bounces), the larger of the two that touch.
    package var elasticity = 0.2
    /// Damping of the linear velocity per second: v *= 1 / (1 + h·c) in each step.
    package var resistance = 0.1
    /// Damping of the angular velocity per second.
    package var angularResistance = 0.1
    package var allowsRotation = true
    /// What electric fields act on; below 0 it is attracted.
    package var charge = 0.0
    /// An anchored item takes part but never moves.
    package var anchored = false

    package init(center: Vector, size: Size, rotation: Double = 0) {
        self.center = center
        self.size = size
        self.rotation = rotation
    }
}

/// Where an item is and how it moves.
package struct Motion: Hashable, Sendable {
    /// In points.
    package var center: Vector
    /// Radians, continuous over whole turns (not wrapped).
    package var rotation: Double
    /// In points per second.
    package var velocity: Vector
    /// In radians per second.
    package var angularVelocity: Double
}
