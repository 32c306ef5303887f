package import Geometry

/// Pulls items. All gravities of an animator share one vector, the one written last.
package struct Gravity: PolarForce, Hashable, Sendable, Codable {
    package var items: [ItemID]
    /// In UIKit's unit: 1 is 1000 pt/s².
    package var force: PolarVector

    package init(items: [ItemID], vector: Vector = Vector(0, 1)) {
        self.items = items
        force = PolarVector(vector)
    }

    /// `angle` in radians, clockwise on screen; a negative magnitude reverses.
    package init(items: [ItemID], angle: Double, magnitude: Double) {
        self.items = items
        force = PolarVector(angle: angle, magnitude: magnitude)
    }
}
