package import Geometry

/// Pushes items at their centers, once or as long as it lasts.
package struct Push: Hashable, Sendable {
    package enum Mode: Hashable, Sendable {
        /// Changes the velocity once, in the next step.
        case instantaneous
        /// Accelerates in every step.
        case continuous
    }

    package var items: [ItemID]
    package var mode: Mode
    /// In UIKit's unit: 1 on 100×100 pt of density 1 is 100 pt/s, or 100 pt/s² if continuous.
    package var vector: Vector

    package init(items: [ItemID], mode: Mode, vector: Vector) {
        self.items = items
        self.mode = mode
        self.vector = vector
    }
}
