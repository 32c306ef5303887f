package import Geometry

/// Pushes items at their centers or beside them, once or as long as it lasts.
package struct Push: PolarForce, Hashable, Sendable, Codable {
    /// Named as on the wire.
    package enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// Changes the velocity once, in the next step.
        case instantaneous
        /// Accelerates in every step.
        case continuous
    }

    package var items: [ItemID]
    /// It stays what it was when the push was added.
    package let mode: Mode
    /// In UIKit's unit: 1 on 100×100 pt of density 1 is 100 pt/s, or 100 pt/s² if continuous.
    package var force: PolarVector
    /// Where it pushes, from the item's center in points; it does not turn with the item.
    package var offset: Vector
    /// An instantaneous push becomes inactive by firing; made active again it fires again.
    package var isActive = true

    package init(items: [ItemID], mode: Mode, vector: Vector, offset: Vector = .zero) {
        self.items = items
        self.mode = mode
        force = PolarVector(vector)
        self.offset = offset.reachable
    }

    /// `angle` in radians, clockwise on screen; a negative magnitude reverses.
    package init(
        items: [ItemID], mode: Mode, angle: Double, magnitude: Double, offset: Vector = .zero
    ) {
        self.items = items
        self.mode = mode
        force = PolarVector(angle: angle, magnitude: magnitude)
        self.offset = offset.reachable
    }

    /// What it does to a body: pt/s and rad/s, each second if it is continuous.
    func effect(on body: Body) -> (linear: Vector, angular: Double) {
        let linear = vector * Tuning.pushUnit * body.inverseMass
        // The moment of inertia is the mass times the squared radius of gyration.
        let lever = offset.reachable * body.inverseGyration
        return (linear, lever.cross(linear) * body.inverseGyration)
    }
}
