package import Geometry

/// Moves its items by where they are and how they move, as long as it lasts.
///
/// Forces are in newtons, from metres (100 pt), kilograms and metres per second: 1 N accelerates
/// 100×100 pt of density 1 by 100 pt/s². They act at an item's center and turn nothing.
/// The formulas are those of UIKit's fields; UIKit's noise is not published, so ours is our own.
package struct Field: Hashable, Sendable, Codable {
    package enum Kind: Hashable, Sendable, CaseIterable, Codable {
        /// S·m·direction: an acceleration that is the same for every mass.
        case linearGravity
        /// −S·m along the way from the position: attracts, at any distance by falloff 2.
        case radialGravity
        /// −S along the way from the position; with falloff −1 as strongly as it is far.
        case spring
        /// S·charge along the way from the position: repels what has its sign.
        case electric
        /// S·(v.y, −v.x): turns the velocity and keeps the speed.
        case magnetic
        /// S/m across the way from the position: carries around it.
        case vortex
        /// −S·u·|u|, where u is the velocity relative to `direction`, which is the wind's.
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
    /// In points; regions and distances count from here.
    package var position: Vector
    /// S above; negative reverses.
    package var strength = 1.0
    /// The force falls with the distance's power: metres to the minus this, in `falloffs`.
    package var falloff: Double
    /// Nearer than this (pt) the force falls no more. At least the default, 2⁻¹⁵ m.
    package var minimumRadius = Field.leastRadius
    /// Of linear gravity (a factor), drag and velocity fields (metres per second).
    package var direction: Vector
    /// Where its items must be, by their centers, to be moved.
    package var region = Region.infinite
    /// Of noise and turbulence, from 0 (rough) to 1.
    package var smoothness = 1.0
    /// Of noise and turbulence: how many times a second (Hz) it is another one; 0 stands still.
    package var animationSpeed = 0.0
    /// Of noise and turbulence: another seed is another noise.
    package var seed: UInt64 = 0

    /// 2⁻¹⁵ m in points.
    package static var leastRadius: Double { Tuning.metre * 0x1p-15 }
    /// Steeper ones leave the range of Double.
    package static var falloffs: ClosedRange<Double> { -16...16 }
    /// Faster (Hz) than the step's rate there is nothing left to be smooth.
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

    /// Whether its figures are such that an animator takes it.
    package var isValid: Bool {
        position.isFinite && strength.isFinite && Field.falloffs.contains(falloff)
            && minimumRadius.isFinite && minimumRadius >= 0 && direction.isFinite
            && region.isValid && Noise.smoothnesses.contains(smoothness)
            && Field.animationSpeeds.contains(animationSpeed)
    }
}

/// A body as fields see it: in metres and kilograms, and the place counted from the field.
struct Particle {
    var place: Vector
    var velocity: Vector
    var mass: Double
    var charge: Double
}

extension Field {
    /// Pushes, whether a body moves or not, by a force that changes while it rests.
    var isRestless: Bool { kind == .noise && animationSpeed > 0 && strength != 0 }

    /// The force in newtons; nil for the velocity that `direction` sets. `time` in seconds.
    func force(on body: Particle, at time: Double) -> Vector? {
        switch kind {
        case .linearGravity:
            return direction * (pull(body) * body.mass)
        case .radialGravity:
            return away(body) * (-pull(body) * body.mass)
        case .spring:
            return away(body) * -pull(body)
        case .electric:
            return away(body) * (pull(body) * body.charge)
        case .magnetic:
            return magneticForce(on: body)
        case .vortex:
            let away = away(body)
            return Vector(-away.y, away.x) * (pull(body) / body.mass)
        case .drag:
            return dragForce(on: body)
        case .velocity:
            return nil
        case .noise:
            return noise(body, time) * pull(body)
        case .turbulence:
            return noise(body, time) * (pull(body) * body.mass * body.velocity.lengthSquared)
        }
    }

    /// The strength, fallen off.
    private func pull(_ body: Particle) -> Double {
        let strength = strength.clamped(to: -Tuning.reach...Tuning.reach)
        if falloff == 0 { return strength }
        let radius = max(minimumRadius, Field.leastRadius).clamped(to: 0...Tuning.reach)
        let distance = max(body.place.length, radius / Tuning.metre)
        // The usual ones are plain quotients, exact to the last bit.
        if falloff == 2 { return strength / (distance * distance) }
        if falloff == 1 { return strength / distance }
        if falloff == -1 { return strength * distance }
        return strength * Exponential.power(distance, -falloff)
    }

    /// The unit vector from the position; shorter within 2⁻¹⁵ m, so that it passes through 0.
    private func away(_ body: Particle) -> Vector {
        body.place / max(body.place.length, 0x1p-15)
    }

    /// Turned by the midpoint's velocity: the force at the old one would speed it up.
    private func magneticForce(on body: Particle) -> Vector {
        let v = body.velocity
        let t = 0.5 * Tuning.step * pull(body) / body.mass
        let turned = Vector(v.y, -v.x)
        return (turned - v * t) * (2 * t / (1 + t * t) * body.mass / Tuning.step)
    }

    /// At most what stops it within the step: the force at the old velocity might throw it back.
    private func dragForce(on body: Particle) -> Vector {
        let wind = body.velocity - direction.reachable
        return wind * -min(pull(body) * wind.length, body.mass / Tuning.step)
    }

    private func noise(_ body: Particle, _ time: Double) -> Vector {
        Noise(seed: seed, smoothness: smoothness)
            .vector(at: body.place, time: time * animationSpeed)
    }
}

extension Tuning {
    /// Points in a metre.
    static var metre: Double { 100 }
    /// Accelerated less than this (pt/s²), an item under a field counts as still: 1 pt in 4.5 s.
    static var stillAcceleration: Double { 0.1 }
    /// Slower than this (pt/s), an item that a field pushes is held by something else.
    static var heldSpeed: Double { 0.1 }
}
