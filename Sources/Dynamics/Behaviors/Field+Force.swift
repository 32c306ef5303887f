import Geometry

/// A body as a field's formula sees it: in metres and kilograms, relative to the field.
struct FieldSample {
    var place: Vector
    var velocity: Vector
    var mass: Double
    var charge: Double
}

extension Field {
    /// Whether the field changes its force over resting items, so that they never count as still.
    var isRestless: Bool { kind == .noise && animationSpeed > 0 && strength != 0 }

    /// The force in newtons; nil for a velocity field, which sets `direction`. `time` in seconds.
    func force(on body: FieldSample, at time: Double) -> Vector? {
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

    /// The strength after falloff.
    private func pull(_ body: FieldSample) -> Double {
        let strength = strength.clamped(to: -Tuning.reach...Tuning.reach)
        if falloff == 0 { return strength }
        let radius = max(minimumRadius, Field.leastRadius).clamped(to: 0...Tuning.reach)
        let distance = max(body.place.length, radius / Tuning.metre)
        // The common exponents are plain quotients, exact to the last bit.
        if falloff == 2 { return strength / (distance * distance) }
        if falloff == 1 { return strength / distance }
        if falloff == -1 { return strength * distance }
        return strength * Exponential.power(distance, -falloff)
    }

    /// The unit vector from the position; shorter within 2⁻¹⁵ m, so that it is continuous at 0.
    private func away(_ body: FieldSample) -> Vector {
        body.place / max(body.place.length, 0x1p-15)
    }

    /// From the midpoint's velocity: a force by the old velocity would gain speed.
    private func magneticForce(on body: FieldSample) -> Vector {
        let v = body.velocity
        let t = 0.5 * Tuning.step * pull(body) / body.mass
        let turned = Vector(v.y, -v.x)
        return (turned - v * t) * (2 * t / (1 + t * t) * body.mass / Tuning.step)
    }

    /// At most the force that stops it within the step: more would reverse the velocity.
    private func dragForce(on body: FieldSample) -> Vector {
        let wind = body.velocity - direction.reachable
        return wind * -min(pull(body) * wind.length, body.mass / Tuning.step)
    }

    private func noise(_ body: FieldSample, _ time: Double) -> Vector {
        Noise(seed: seed, smoothness: smoothness)
            .vector(at: body.place, time: time * animationSpeed)
    }
}
