package import Geometry

/// Accelerates items by their position and velocity, while it exists.
///
/// Forces are in newtons, from metres (100 pt), kilograms and metres per second: 1 N accelerates
/// 100×100 pt of density 1 by 100 pt/s². They act at an item's center and rotate nothing. The
/// formulas are UIKit's; UIKit's noise is not published, so the noise is ours.
package struct Field: Hashable, Sendable, Codable {
    package enum Kind: Hashable, Sendable, CaseIterable, Codable {
        /// S·m·direction: the same acceleration for every mass.
        case linearGravity
        /// −S·m along the vector from the position: attracts. Falloff 2 by default.
        case radialGravity
        /// −S along the vector from the position. With falloff −1, the default, proportional to the
        /// distance.
        case spring
        /// S·charge along the vector from the position: repels charges of its sign.
        case electric
        /// S·(v.y, −v.x): turns the velocity and keeps the speed.
        case magnetic
        /// S/m perpendicular to the vector from the position: carries items around it.
        case vortex
        /// −S·u·
        ///
        /// u
        ///
        /// , where u is the velocity relative to the wind `direction`.
        case drag
        /// Sets the velocity to `direction`, whatever the strength.
        case velocity
        /// S times smooth noise between −1 and 1 on each axis.
        case noise
        /// S·m·|v|² times smooth noise.
        case turbulence

        /// UIKit's falloff of this kind.
        package var falloff: Double {
            switch self {
            case .radialGravity: 2
            case .electric, .magnetic: 1
            case .spring: -1
            case .linearGravity, .vortex, .drag, .velocity, .noise, .turbulence: 0
            }
        }
    }

    package var items: [ItemID]
    package var kind: Kind
    /// In points. Regions and distances count from here.
    package var position: Vector
    /// S in the formulas; a negative value reverses.
    package var strength = 1.0
    /// The force falls with the distance (m) to this power. In `falloffs`.
    package var falloff: Double
    /// Within this distance (pt) the force stays constant. At least the default, 2⁻¹⁵ m.
    package var minimumRadius = Field.leastRadius
    /// For linear gravity a factor; for drag and velocity fields metres per second.
    package var direction: Vector
    /// The field acts on items whose center is in this region.
    package var region = Region.infinite
    /// For noise and turbulence, from 0 (rough) to 1.
    package var smoothness = 1.0
    /// For noise and turbulence: lattice cells per second (Hz); 0 does not change.
    package var animationSpeed = 0.0
    /// For noise and turbulence: selects the noise.
    package var seed: UInt64 = 0

    /// 2⁻¹⁵ m in points.
    package static var leastRadius: Double { Tuning.metre * 0x1p-15 }
    /// Steeper falloffs leave the range of Double.
    package static var falloffs: ClosedRange<Double> { -16...16 }
    /// At rates (Hz) above the step's, successive values have nothing in common.
    package static var animationSpeeds: ClosedRange<Double> { 0...120 }

    package init(
        _ kind: Kind, items: [ItemID], position: Vector = .zero, direction: Vector = .zero
    ) {
        self.kind = kind
        self.items = items
        self.position = position
        self.direction = direction
        falloff = kind.falloff
    }

    /// Whether an animator accepts the field's figures.
    package var isValid: Bool {
        position.isFinite && strength.isFinite && Field.falloffs.contains(falloff)
            && minimumRadius.isFinite && minimumRadius >= 0 && direction.isFinite
            && region.isValid && Noise.smoothnesses.contains(smoothness)
            && Field.animationSpeeds.contains(animationSpeed)
    }
}
