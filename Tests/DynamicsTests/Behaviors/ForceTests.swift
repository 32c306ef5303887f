import Dynamics
import Geometry
import Testing

@Suite struct GravityTests {
    private func speeds(_ animator: Animator, _ items: [ItemID]) -> [Vector] {
        var after = animator
        after.step()
        return items.map { after.motion(of: $0).velocity - animator.motion(of: $0).velocity }
    }

    private func isNear(_ speeds: [Vector], _ accelerations: [Vector]) -> Bool {
        zip(speeds, accelerations).allSatisfy { ($0 * 120 - $1).length < 1e-6 }
    }

    @Test func itPullsItsOwnItems() {
        var animator = Animator()
        let items = (0..<2).map { animator.add(unitItem(Double($0) * 300)) }
        _ = animator.add(Gravity(items: [items[0]], angle: 0, magnitude: 0.5))
        #expect(isNear(speeds(animator, items), [Vector(500, 0), .zero]))
    }

    @Test func itFallsAsTheWorldsGravityDoes() {
        var one = Animator()
        var other = Animator()
        one.gravity = Vector(0, 1)
        let item = one.add(Item(center: Vector(0, 50), size: Size(100, 100)))
        #expect(other.add(Item(center: Vector(0, 50), size: Size(100, 100))) == item)
        _ = other.add(Gravity(items: [item]))
        for _ in 0..<240 {
            one.step()
            other.step()
            let away = one.motion(of: item).center - other.motion(of: item).center
            #expect(away.length < 1e-9)
        }
    }

    @Test func theLastWriterWinsAndRemovingAnySetsItToZero() {
        var animator = Animator()
        let items = (0..<3).map { animator.add(unitItem(Double($0) * 300)) }
        let first = animator.add(Gravity(items: [items[0]], vector: Vector(0, 1)))
        let second = animator.add(Gravity(items: [items[1]], vector: Vector(2, 0)))
        let right = Vector(2_000, 0)
        #expect(isNear(speeds(animator, items), [right, right, .zero]))
        var changed = animator.gravity(of: first)
        #expect(changed.vector == Vector(0, 1))
        changed.magnitude = 3
        animator.change(first, to: changed)
        let down = Vector(0, 3_000)
        #expect(isNear(speeds(animator, items), [down, down, .zero]))
        animator.remove(second)
        #expect(isNear(speeds(animator, items), [.zero, .zero, .zero]))
        animator.change(first, to: changed)
        #expect(isNear(speeds(animator, items), [down, .zero, .zero]))
    }

    @Test func changingTheItemsReleasesTheOldOnes() {
        var animator = Animator()
        let items = (0..<2).map { animator.add(unitItem(Double($0) * 300)) }
        let gravity = animator.add(Gravity(items: [items[0]]))
        steps(10, &animator)
        animator.change(gravity, to: Gravity(items: [items[1]]))
        #expect(animator.motion(of: items[0]).velocity == .zero)
        #expect(isNear(speeds(animator, items), [.zero, Vector(0, 1_000)]))
        animator.remove(gravity)
        #expect(animator.isResting)
    }

    @Test func anItemThatHangsStillSleepsUntilGravityChanges() {
        var animator = Animator()
        let item = animator.add(Item(center: .zero, size: Size(100, 100)))
        _ = animator.add(Pin(item: item, offset: Vector(0, -40), anchor: Vector(0, -40)))
        let gravity = animator.add(Gravity(items: [item]))
        steps(120, &animator)
        #expect(animator.isResting)
        animator.change(gravity, to: Gravity(items: [item], vector: Vector(1, 0)))
        steps(30, &animator)
        #expect(abs(animator.motion(of: item).rotation) > 0.1)
    }
}

@Suite struct PushChangeTests {
    @Test func vectorAngleAndMagnitudeKeepInStep() {
        var force = PolarVector(Vector(3, 4))
        #expect(force.magnitude == 5)
        #expect(abs(force.angle - 0.927_295_218_001_612) < 1e-12)
        force.angle = .pi / 2
        #expect((force.vector - Vector(0, 5)).length < 1e-12)
        force.magnitude = 0
        #expect(force.vector == .zero && force.angle == .pi / 2)
        force.magnitude = -2
        #expect((force.vector - Vector(0, -2)).length < 1e-12)
        #expect(force.angle == .pi / 2 && force.magnitude == -2)
        force.vector = .zero
        #expect(force.magnitude == 0 && force.angle == .pi / 2)
        force.vector = Vector(-7, 0)
        #expect(force.magnitude == 7 && abs(force.angle - .pi) < 1e-12)
    }

    @Test func aPushBesideTheCenterTurns() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(
            Push(
                items: [item], mode: .instantaneous, angle: .pi / 2, magnitude: 2,
                offset: Vector(30, 0)))
        animator.step()
        let motion = animator.motion(of: item)
        #expect((motion.velocity - Vector(0, 200)).length < 1e-9)
        // 0.3 m × 2 N·s on 1 kg with 1/6 kg·m².
        #expect(abs(motion.angularVelocity - 3.6) < 1e-9)
    }

    /// If the offset rotated with the item, the torque would fall.
    @Test func theOffsetOfAContinuousPushDoesNotTurn() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(
            Push(items: [item], mode: .continuous, vector: Vector(0, 1), offset: Vector(50, 0)))
        steps(120, &animator)
        let motion = animator.motion(of: item)
        #expect(abs(motion.angularVelocity - 3) < 1e-9)
        #expect(motion.rotation > 1 && abs(motion.velocity.y - 100) < 1e-9)
    }

    @Test func anInstantaneousPushIsInactiveOnceFiredAndFiresAgainWhenAsked() {
        var animator = Animator()
        let item = animator.add(unitItem())
        let push = animator.add(Push(items: [item], mode: .instantaneous, vector: Vector(1, 0)))
        #expect(animator.push(of: push).isActive)
        steps(2, &animator)
        var again = animator.push(of: push)
        #expect(!again.isActive)
        again.vector = Vector(0, 1)
        animator.change(push, to: again)
        steps(2, &animator)
        #expect(animator.motion(of: item).velocity == Vector(100, 0))
        again.isActive = true
        animator.change(push, to: again)
        steps(2, &animator)
        #expect(animator.motion(of: item).velocity == Vector(100, 100))
    }

    @Test func aContinuousPushMayPause() {
        var animator = Animator()
        let item = animator.add(unitItem())
        var push = Push(
            items: [item], mode: .continuous, vector: Vector(1, 0), offset: Vector(0, 10))
        let id = animator.add(push)
        steps(12, &animator)
        let moving = animator.motion(of: item)
        #expect(abs(moving.velocity.x - 10) < 1e-9 && moving.angularVelocity < 0)
        push.isActive = false
        animator.change(id, to: push)
        steps(12, &animator)
        #expect(animator.motion(of: item).velocity == moving.velocity)
        #expect(animator.motion(of: item).angularVelocity == moving.angularVelocity)
    }

    @Test func aPushNeverTurnsAnItemThatMayNotRotate() {
        for mode in [Push.Mode.continuous, .instantaneous] {
            var animator = Animator()
            var item = unitItem()
            item.allowsRotation = false
            let id = animator.add(item)
            _ = animator.add(
                Push(items: [id], mode: mode, vector: Vector(0, 9), offset: Vector(50, 0)))
            steps(60, &animator)
            #expect(animator.motion(of: id).rotation == 0)
        }
    }
}

@Suite struct FieldRestTests {
    /// Steps until a resisted item in a field sleeps, and its place.
    private func rest(_ field: Field, from place: Vector, charge: Double = 0) -> Vector? {
        var animator = Animator()
        var item = Item(center: place, size: Size(100, 100))
        item.resistance = 5
        item.charge = charge
        let id = animator.add(item)
        var field = field
        field.items = [id]
        _ = animator.add(field)
        for _ in 0..<12_000 where !animator.isResting { animator.step() }
        return animator.isResting ? animator.motion(of: id).center : nil
    }

    @Test func aSpringFieldBringsToRestAndThenCostsNothing() throws {
        let center = try #require(rest(Field(.spring, items: []), from: Vector(300, 100)))
        #expect(center.length < 1)
    }

    @Test func anItemThatNothingMovesSleeps() {
        var near = Field(.linearGravity, items: [], direction: Vector(0, 1))
        near.region = .circle(center: .zero, radius: 10)
        #expect(rest(near, from: Vector(300, 0)) == Vector(300, 0))
        for kind in [Field.Kind.drag, .magnetic, .turbulence, .electric] {
            #expect(rest(Field(kind, items: []), from: Vector(300, 0)) == Vector(300, 0))
        }
    }

    /// The item is slower than the still speed, although 1 pt/s is far away.
    @Test func anItemThatAFieldMovesStaysAwake() {
        var slow = Field(.linearGravity, items: [])
        slow.direction = Vector(0.02, 0)
        #expect(rest(slow, from: .zero) == nil)
        #expect(rest(Field(.velocity, items: [], direction: Vector(0.005, 0)), from: .zero) == nil)
        var changing = Field(.noise, items: [])
        changing.animationSpeed = 1
        #expect(rest(changing, from: .zero) == nil)
    }

    @Test func anItemHeldAgainstAFieldSleeps() {
        for direction in [Vector(3, 0), Vector(0, 0.5)] {
            var animator = Animator()
            let item = animator.add(Item(center: .zero, size: Size(100, 100)))
            _ = animator.add(Pin(item: item, offset: .zero, anchor: .zero))
            _ = animator.add(Field(.linearGravity, items: [item], direction: direction))
            _ = animator.add(Field(.velocity, items: [item], direction: direction))
            steps(240, &animator)
            #expect(animator.isResting)
        }
    }

    @Test func changingAFieldWakesAndRemovingItReleases() {
        var animator = Animator()
        let item = animator.add(Item(center: .zero, size: Size(100, 100)))
        let id = animator.add(Field(.spring, items: [item]))
        steps(240, &animator)
        #expect(animator.isResting)
        var field = animator.field(of: id)
        field.position = Vector(500, 0)
        animator.change(id, to: field)
        steps(30, &animator)
        #expect(animator.motion(of: item).velocity.x > 50)
        animator.remove(id)
        #expect(animator.isResting && animator.motion(of: item).velocity == .zero)
        #expect(animator.fieldCount == 0)
    }

    @Test func aWorldWhoseFieldsRestChangesNothing() {
        var animator = Animator()
        let item = animator.add(Item(center: Vector(40, 0), size: Size(100, 100)))
        _ = animator.add(Field(.spring, items: [item]))
        _ = animator.add(Field(.drag, items: [item]))
        for _ in 0..<24_000 where !animator.isResting { animator.step() }
        let rest = animator
        steps(100, &animator)
        #expect(animator.isResting && animator == rest)
    }
}

@Suite struct FieldExtremesTests {
    private func extremeField(_ item: ItemID, _ random: inout SplitMix64) -> Field {
        let kinds = Field.Kind.allCases
        var field = Field(
            kinds[random.whole(in: 0...kinds.count - 1)], items: [item],
            position: random.extremeVector(), direction: random.extremeVector())
        field.strength = [1, -1e9, 1e9, 1e300, 0, -3][random.whole(in: 0...5)]
        field.falloff = [-16, -10, -1, 0, 0.3, 2, 10, 16][random.whole(in: 0...7)]
        field.minimumRadius = [0, 1e-300, 1, 1e300][random.whole(in: 0...3)]
        field.smoothness = random.unit()
        field.animationSpeed = [0, 1, 120][random.whole(in: 0...2)]
        if random.whole(in: 0...3) == 0 {
            field.region = .inverse(.circle(center: random.extremeVector(), radius: 1e300))
        }
        return field
    }

    /// Enormous forces, distances of 0 and contradicting fields: motion stays bounded.
    @Test(arguments: 0..<96 as Range<UInt64>)
    func nothingLeavesTheNumbers(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var animator = Animator()
        let sides = [1e-300, 40, 1e300]
        var item = Item(
            center: random.extremeVector(),
            size: Size(sides[random.whole(in: 0...2)], sides[random.whole(in: 0...2)]))
        item.density = [1e-6, 1, 1e6][random.whole(in: 0...2)]
        item.charge = [0, 1e300, -1][random.whole(in: 0...2)]
        let id = animator.add(item)
        var fields: [BehaviorID] = []
        for step in 0..<300 {
            if step % 10 == 0 {
                if fields.count > 4 { animator.remove(fields.removeFirst()) }
                fields.append(animator.add(extremeField(id, &random)))
                let center = animator.motion(of: id).center
                var here = Field(.radialGravity, items: [id], position: center)
                here.strength = 1e9
                animator.change(fields[0], to: here)
                _ = animator.add(
                    Push(
                        items: [id], mode: step % 20 == 0 ? .instantaneous : .continuous,
                        vector: random.extremeVector(), offset: random.extremeVector()))
            }
            let before = animator.motion(of: id)
            animator.step()
            let motion = animator.motion(of: id)
            let isFinite =
                motion.velocity.isFinite && motion.rotation.isFinite
                && motion.angularVelocity.isFinite
            // A step moves by at most 200 pt and the rounding error at that distance.
            let moved = (motion.center - before.center).length
            #expect(isFinite && moved < 200.001, "seed \(seed), step \(step): \(motion)")
            if !isFinite { return }
        }
    }

    @Test func wrongFiguresAreNotValid() {
        let changes: [(inout Field) -> Void] = [
            { $0.strength = .nan }, { $0.position.x = .infinity }, { $0.falloff = 17 },
            { $0.falloff = .nan }, { $0.minimumRadius = -1 }, { $0.minimumRadius = .nan },
            { $0.direction.y = .nan }, { $0.smoothness = 1.1 }, { $0.smoothness = .nan },
            { $0.animationSpeed = -1 }, { $0.animationSpeed = .infinity },
            { $0.region = .circle(center: .zero, radius: .nan) },
        ]
        for (number, change) in changes.enumerated() {
            var field = Field(.noise, items: [])
            #expect(field.isValid)
            change(&field)
            #expect(!field.isValid, "\(number)")
        }
    }

    @Test func atTheFieldsPlaceThereIsNoDirectionAndNoForce() {
        for kind in [Field.Kind.radialGravity, .spring, .electric, .vortex] {
            var animator = Animator()
            var item = unitItem()
            item.charge = 1
            let id = animator.add(item)
            _ = animator.add(Field(kind, items: [id]))
            steps(60, &animator)
            #expect(animator.motion(of: id).center == .zero)
        }
    }
}
