import Dynamics
import Geometry
import Testing

/// One field and one item of 100×100 pt, without resistance.
private struct Scene {
    var animator = Animator()
    let item: ItemID
    let field: BehaviorID

    init(
        _ kind: Field.Kind, from place: Vector = Vector(200, 0), velocity: Vector = .zero,
        density: Double = 1, charge: Double = 0, change: (inout Field) -> Void = { _ in }
    ) {
        var item = unitItem(place.x, place.y)
        item.density = density
        item.charge = charge
        self.item = animator.add(item)
        animator.addVelocity(linear: velocity, to: self.item)
        var field = Field(kind, items: [self.item])
        change(&field)
        self.field = animator.add(field)
    }

    var motion: Motion { animator.motion(of: item) }

    /// The velocity that a step adds, in pt/s².
    var acceleration: Vector {
        var after = animator
        after.step()
        return (after.motion(of: item).velocity - motion.velocity) * 120
    }
}

private func isNear(_ a: Vector, _ b: Vector, _ error: Double = 1e-9) -> Bool {
    (a - b).length <= error * max(1, b.length)
}

/// The item is 2 m to the right of the field. Accelerations in pt/s², computed by hand.
@Suite struct FieldFormulaTests {
    @Test func linearGravityIsTheSameForEveryMass() {
        for density in [0.5, 1, 4] {
            let scene = Scene(.linearGravity, density: density) {
                $0.direction = Vector(0.5, -2)
                $0.strength = 3
            }
            #expect(isNear(scene.acceleration, Vector(150, -600)))
        }
    }

    @Test func radialGravityFallsWithTheSquare() {
        // 1 / 2² m/s² to the left, for every mass.
        #expect(isNear(Scene(.radialGravity, density: 3).acceleration, Vector(-25, 0)))
        let below = Scene(.radialGravity, from: Vector(0, 50)) { $0.strength = -2 }
        #expect(isNear(below.acceleration, Vector(0, 800)))
    }

    @Test func aSpringPullsAsItIsFarAndByTheMass() {
        #expect(isNear(Scene(.spring).acceleration, Vector(-200, 0)))
        #expect(isNear(Scene(.spring, density: 4).acceleration, Vector(-50, 0)))
        let aside = Scene(.spring, from: Vector(30, -40)) { $0.position = Vector(0, -80) }
        #expect(isNear(aside.acceleration, Vector(-30, -40)))
    }

    @Test func electricityActsOnCharges() {
        #expect(Scene(.electric).acceleration == .zero)
        #expect(isNear(Scene(.electric, charge: 3).acceleration, Vector(150, 0)))
        #expect(isNear(Scene(.electric, density: 2, charge: -3).acceleration, Vector(-75, 0)))
    }

    @Test func magnetismActsAcrossTheVelocity() {
        // 1 N per m/s at 2 m: 0.5 N. The midpoint rule is off by the square of a step.
        let scene = Scene(.magnetic, velocity: Vector(100, 0))
        #expect(isNear(scene.acceleration, Vector(0, -50), 0.01))
        #expect(Scene(.magnetic).acceleration == .zero)
    }

    @Test func aVortexCarriesAcrossTheWay() {
        #expect(isNear(Scene(.vortex).acceleration, Vector(0, 100)))
        // The force falls with the mass, and so does its acceleration.
        #expect(isNear(Scene(.vortex, density: 2).acceleration, Vector(0, 25)))
    }

    @Test func dragGrowsWithTheSquareOfTheWind() {
        let scene = Scene(.drag, velocity: Vector(300, 0))
        #expect(isNear(scene.acceleration, Vector(-900, 0)))
        let wind = Scene(.drag, density: 2) { $0.direction = Vector(0, -4) }
        #expect(isNear(wind.acceleration, Vector(0, -800)))
    }

    @Test func aVelocityFieldSetsTheVelocity() {
        var scene = Scene(.velocity, velocity: Vector(300, 7)) {
            $0.direction = Vector(0.5, -2)
            $0.strength = 9
        }
        scene.animator.step()
        #expect(scene.motion.velocity == Vector(50, -200))
    }

    @Test func noiseIsAForceAndTurbulenceGrowsWithTheSpeed() {
        let place = Vector(2, 0)
        let noise = Noise(seed: 5, smoothness: 0.5).vector(at: place, time: 0)
        #expect(noise.length > 0.05)
        let rough = { (field: inout Field) in
            field.seed = 5
            field.smoothness = 0.5
        }
        let heavy = Scene(.noise, density: 4, change: rough)
        #expect(isNear(heavy.acceleration, noise * 25))
        #expect(Scene(.turbulence, change: rough).acceleration == .zero)
        let moving = Scene(.turbulence, velocity: Vector(0, 300), density: 4, change: rough)
        #expect(isNear(moving.acceleration, noise * 900))
    }

    /// Every kind follows its falloff, and stays constant within the minimum radius.
    @Test(
        arguments: [
            (.linearGravity, 0.5, 0, 100 / 2.0.squareRoot()), (.radialGravity, 1, 0, -50),
            (.spring, 0, 0, -100), (.spring, 3, 0, -12.5), (.radialGravity, 2, 400, -6.25),
            (.spring, -1, 300, -300), (.linearGravity, -2, 0, 400),
            (.linearGravity, -0.5, 0, 100 * 2.0.squareRoot()),
        ] as [(Field.Kind, Double, Double, Double)])
    func fallOff(kind: Field.Kind, falloff: Double, radius: Double, expected: Double) {
        let scene = Scene(kind) {
            $0.direction = Vector(1, 0)
            $0.falloff = falloff
            $0.minimumRadius = radius
        }
        #expect(isNear(scene.acceleration, Vector(expected, 0)))
    }

    @Test func theDefaultsAreUIKits() {
        let falloffs = Field.Kind.allCases.map(\.falloff)
        #expect(falloffs == [0, 2, -1, 1, 1, 0, 0, 0, 0, 0])
        let field = Field(.spring, items: [])
        #expect(field.strength == 1 && field.region == .infinite && field.animationSpeed == 0)
        #expect(field.minimumRadius == 100.0 / 32_768)
    }
}

@Suite struct FieldMotionTests {
    /// 1 N/m on 1 kg: the phase advances by one radian a second.
    @Test func aSpringFieldSwings() {
        var scene = Scene(.spring)
        let turn = Int((2 * Double.pi * 120).rounded())
        var energies: ClosedRange<Double>?
        for step in 1...10 * turn {
            scene.animator.step()
            let motion = scene.motion
            let energy = motion.velocity.lengthSquared + motion.center.lengthSquared
            energies =
                min(
                    energies?.lowerBound ?? energy, energy)...max(
                    energies?.upperBound ?? energy, energy)
            if step == turn / 2 { #expect((motion.center - Vector(-200, 0)).length < 1) }
        }
        #expect((scene.motion.center - Vector(200, 0)).length < 2)
        #expect(abs(scene.motion.center.y) < 1e-12)
        let (low, high) = (energies?.lowerBound ?? 0, energies?.upperBound ?? .infinity)
        #expect(low > 0.99 * 40_000 && high < 1.01 * 40_000, "\(low)...\(high)")
    }

    @Test(arguments: [0.1, 1, 20, 1e6])
    func aMagneticFieldKeepsTheSpeed(strength: Double) {
        var scene = Scene(.magnetic, velocity: Vector(300, -100)) {
            $0.strength = strength
            $0.falloff = 0
        }
        let speed = scene.motion.velocity.length
        for _ in 0..<1_200 { scene.animator.step() }
        #expect(abs(scene.motion.velocity.length - speed) < 1e-6 * speed)
        #expect((scene.motion.velocity - Vector(300, -100)).length > 1)
    }

    /// 1 N per m/s on 1 kg: one circle of radius 100 pt in 2π s, at 100 pt/s.
    @Test func aMagneticFieldLeadsInACircle() {
        var scene = Scene(.magnetic, from: .zero, velocity: Vector(100, 0)) { $0.falloff = 0 }
        for _ in 0..<377 { scene.animator.step() }
        #expect((scene.motion.center - Vector(0, -200)).length < 1.5)
        for _ in 0..<377 { scene.animator.step() }
        #expect(scene.motion.center.length < 2)
    }

    @Test func aVortexGainsAngularMomentumAndTurnsTheOtherWayWhenReversed() {
        for strength in [1.0, -1] {
            var scene = Scene(.vortex) { $0.strength = strength }
            for _ in 0..<240 { scene.animator.step() }
            let momentum = scene.motion.center.cross(scene.motion.velocity)
            // The torque is the distance times 100 pt/s², and the distance grows.
            #expect(momentum * strength > 2 * 200 * 100)
        }
    }

    @Test(arguments: [1, 100, 1e9])
    func dragStopsAndNeverThrowsBack(strength: Double) {
        var scene = Scene(.drag, velocity: Vector(2_000, 0)) { $0.strength = strength }
        var speed = 2_000.0
        for _ in 0..<1_200 {
            scene.animator.step()
            let now = scene.motion.velocity.x
            #expect(now >= 0 && now <= speed)
            speed = now
        }
        // 1/v grows by the strength per metre and second: 20 m/s are below 0.1 m/s after 10 s.
        #expect(speed < 10)
    }

    @Test func aFieldTurnsNothing() {
        var scene = Scene(.vortex)
        for _ in 0..<240 { scene.animator.step() }
        #expect(scene.motion.rotation == 0)
    }

    /// Mirroring item and field mirrors the forces, to the bit.
    @Test(arguments: [Field.Kind.radialGravity, .spring, .electric, .drag])
    func mirroredScenesMoveMirrored(kind: Field.Kind) {
        let charge = { (field: inout Field) in field.strength = -3 }
        var one = Scene(
            kind, from: Vector(120, 70), velocity: Vector(-50, 90), charge: 2, change: charge)
        var other = Scene(
            kind, from: Vector(120, -70), velocity: Vector(-50, -90), charge: 2, change: charge)
        for _ in 0..<240 {
            one.animator.step()
            other.animator.step()
            let (a, b) = (one.motion.center, other.motion.center)
            #expect(a == Vector(b.x, -b.y))
        }
    }

    @Test func fieldsAddUpAndAreEvaluatedAtOneVelocity() {
        var scene = Scene(.linearGravity, velocity: Vector(100, 0)) { $0.direction = Vector(0, 1) }
        _ = scene.animator.add(Field(.drag, items: [scene.item]))
        #expect(isNear(scene.acceleration, Vector(-100, 100)))
        // Later fields see the velocity that a velocity field set.
        _ = scene.animator.add(Field(.velocity, items: [scene.item], direction: Vector(3, 0)))
        _ = scene.animator.add(Field(.drag, items: [scene.item]))
        scene.animator.step()
        let expected = Vector(300 - 1_000 / 120.0, 100 / 120.0)
        #expect(isNear(scene.motion.velocity, expected))
    }
}
