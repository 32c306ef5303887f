package import Geometry

/// Pushes items at their centers or off center, once or continuously.
package struct Push: PolarForce, Hashable, Sendable, Codable {
    /// Named as on the wire.
    package enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// Changes the velocity once, in the next step.
        case instantaneous
        /// Accelerates in each step.
        case continuous
    }

    package var items: [ItemID]
    /// Fixed when the push is added.
    package let mode: Mode
    /// In UIKit's unit: 1 gives 100×100 pt of density 1 a velocity of 100 pt/s, or 100 pt/s² if
    /// continuous.
    package var force: PolarVector
    /// The point of application from the item's center (pt). It does not rotate with the item.
    package var offset: Vector
    /// An instantaneous push becomes inactive when it fires; activated again it fires again.
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

    /// The velocity change of a body: pt/s and rad/s; per second if continuous.
    func effect(on body: Body) -> (linear: Vector, angular: Double) {
        let linear = vector * Tuning.pushUnit * body.inverseMass
        // The moment of inertia is the mass times the squared radius of gyration.
        let lever = offset.reachable * body.inverseGyration
        return (linear, lever.cross(linear) * body.inverseGyration)
    }
}
