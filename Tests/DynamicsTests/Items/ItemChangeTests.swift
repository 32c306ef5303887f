import Dynamics
import Geometry
import Testing

@Suite struct BehaviorChangeTests {
    /// A change to the same values changes no bit of the motion.
    @Test(
        arguments: [
            ItemAttachment.Kind.distance(), .distance(frequency: 3, damping: 0.2),
            .fixed(), .pin(frictionTorque: 0.1, range: -1...1),
            .sliding(axis: Vector(1, 2), range: -50...50), .limit(),
        ], [true, false])
    func changingNothingChangesNothing(type: ItemAttachment.Kind, onGround: Bool) {
        func run(again: Bool) -> Motion {
            var couple = Couple()
            let attachment = ItemAttachment(
                item: couple.right, offset: Vector(20, 10),
                end: onGround ? .anchor(Vector(40, 30)) : .item(couple.left, offset: .zero),
                type: type)
            let id = couple.animator.add(attachment)
            _ = couple.animator.add(Snap(item: couple.right, point: Vector(250, 100)))
            couple.animator.addVelocity(angular: 2, to: couple.right)
            // Changes wake items, so change before anything sleeps.
            for _ in 0..<59 {
                couple.animator.step()
                if again { couple.animator.change(id, to: .attachment(attachment)) }
            }
            return couple.animator.motion(of: couple.right)
        }
        #expect(run(again: true) == run(again: false))
    }

    @Test func aLengthThatIsGivenLaterCounts() {
        var couple = Couple()
        let spring = couple.tie(.distance(frequency: 3, damping: 1))
        couple.animator.change(
            spring,
            to: .attachment(
                ItemAttachment(
                    item: couple.right, end: .item(couple.left),
                    type: .distance(length: 120, frequency: 3, damping: 1))))
        steps(600, &couple.animator)
        #expect(abs(couple.apart - 120) < 1)
        #expect(couple.animator.isResting)
    }

    /// A rod without a length becomes a pin if its ends coincide, and stays one.
    @Test func aPinBecomesARodOnlyByALength() {
        var animator = Animator()
        let id = animator.add(unitItem())
        let pin = animator.add(ItemAttachment(item: id, anchor: .zero))
        animator.change(pin, to: .attachment(ItemAttachment(item: id, anchor: Vector(80, 0))))
        steps(120, &animator)
        #expect((animator.motion(of: id).center - Vector(80, 0)).length < 0.5)
        animator.change(
            pin, to: .attachment(ItemAttachment(item: id, anchor: Vector(90, 0), length: 40)))
        steps(120, &animator)
        #expect(abs((animator.motion(of: id).center - Vector(90, 0)).length - 40) < 0.6)
    }

    @Test func aTypeMayChangeAndKeepsItsPlace() {
        var animator = Animator()
        let id = animator.add(unitItem())
        let pin = animator.add(ItemAttachment(item: id, end: .anchor(.zero), type: .pin()))
        _ = animator.add(Snap(item: id, point: Vector(10, 0)))
        animator.change(
            pin,
            to: .attachment(
                ItemAttachment(item: id, end: .anchor(.zero), type: .pin(range: 0...1))))
        animator.addVelocity(angular: -3, to: id)
        steps(240, &animator)
        #expect(abs(animator.motion(of: id).rotation) < 0.05)
        animator.remove(pin)
        steps(240, &animator)
        #expect((animator.motion(of: id).center - Vector(10, 0)).length < 0.5)
    }

    @Test func aSnapMovesAndAPinMoves() {
        var animator = Animator()
        let id = animator.add(unitItem())
        let snap = animator.add(Snap(item: id, point: .zero))
        steps(120, &animator)
        #expect(animator.isResting)
        animator.change(snap, to: .snap(Snap(item: id, point: Vector(90, 0), damping: 1)))
        steps(240, &animator)
        #expect((animator.motion(of: id).center - Vector(90, 0)).length < 0.5)
    }

    @Test func bothItemsOfTheLastBehaviorLoseTheirVelocity() {
        var couple = Couple()
        let spring = couple.tie(.distance(frequency: 1))
        let snap = couple.animator.add(Snap(item: couple.left, point: Vector(0, 90)))
        couple.animator.addVelocity(linear: Vector(80, 0), to: couple.right)
        steps(5, &couple.animator)
        couple.animator.remove(spring)
        #expect(couple.animator.motion(of: couple.right).velocity == .zero)
        #expect(couple.animator.motion(of: couple.left).velocity.y > 0)
        couple.animator.remove(snap)
        #expect(couple.animator.isResting)
    }
}

@Suite struct ItemChangeTests {
    @Test func aRemovedItemLeavesTheOthersAlone() {
        var animator = Animator()
        let items = (0..<4).map { animator.add(unitItem(100 * Double($0), 0)) }
        let snap = animator.add(Snap(item: items[3], point: Vector(300, 80)))
        let tie = animator.add(
            ItemAttachment(item: items[2], end: .item(items[1]), type: .limit()))
        let push = animator.add(
            Push(items: [items[1], items[2]], mode: .continuous, vector: Vector(1, 0)))
        let gravity = animator.add(Gravity(items: [items[0], items[1]]))
        #expect(animator.behaviors(tying: items[1]) == [tie])
        steps(10, &animator)
        animator.remove(items[1])
        #expect(!animator.has(items[1]))
        #expect(animator.push(of: push).items == [items[2]])
        #expect(animator.gravity(of: gravity).items == [items[0]])
        let before = animator.motion(of: items[2])
        steps(300, &animator)
        #expect((animator.motion(of: items[3]).center - Vector(300, 80)).length < 0.5)
        #expect(animator.motion(of: items[2]).velocity.x > before.velocity.x + 100)
        #expect(animator.motion(of: items[0]).velocity.y > 1_000)
        animator.remove(snap)
        animator.remove(items[0])
        let late = animator.add(unitItem(50, 50))
        #expect(late != items[1] && late != items[0])
        #expect(animator.motion(of: late).center == Vector(50, 50))
        animator.remove(push)
        #expect(animator.isResting)
    }

    @Test func placesAreTakenAsTheyAre() {
        var animator = Animator()
        let id = animator.add(unitItem())
        _ = animator.add(Snap(item: id, point: .zero))
        steps(120, &animator)
        animator.place(id, center: Vector(70, -20), rotation: 1)
        #expect(animator.isAwake(id))
        #expect(animator.motion(of: id).center == Vector(70, -20))
        #expect(animator.motion(of: id).rotation == 1)
        steps(240, &animator)
        #expect(animator.motion(of: id).center.length < 0.5)
    }

    @Test func aLargerItemIsHeavierAndItsSnapHoldsItsCorners() {
        var animator = Animator()
        let id = animator.add(undamped(.zero, Size(100, 100)))
        _ = animator.add(Push(items: [id], mode: .continuous, vector: Vector(1, 0)))
        animator.resize(id, to: Size(200, 200))
        animator.step()
        #expect(abs(animator.motion(of: id).velocity.x - 25.0 / 120) < 1e-12)
        var (resized, fresh) = (Animator(), Animator())
        let small = resized.add(Item(center: .zero, size: Size(100, 60)))
        _ = resized.add(Snap(item: small, point: Vector(100, 50)))
        resized.resize(small, to: Size(200, 90))
        let large = fresh.add(Item(center: .zero, size: Size(200, 90)))
        _ = fresh.add(Snap(item: large, point: Vector(100, 50)))
        for _ in 0..<60 {
            resized.step()
            fresh.step()
            let apart = resized.motion(of: small).center - fresh.motion(of: large).center
            #expect(apart.length < 1e-9)
        }
    }

    @Test func restIsWhereverTheItemsAre() {
        var couple = Couple()
        _ = couple.tie(.distance(frequency: 1))
        couple.animator.addVelocity(linear: Vector(80, 0), angular: 1, to: couple.right)
        steps(5, &couple.animator)
        let place = couple.animator.motion(of: couple.right).center
        couple.animator.rest()
        #expect(couple.animator.isResting)
        steps(5, &couple.animator)
        #expect(couple.animator.motion(of: couple.right).center == place)
        #expect(couple.animator.motion(of: couple.right).angularVelocity == 0)
    }

    @Test func aCircleIsLighterAndTurnsMoreEasily() {
        var animator = Animator()
        var item = undamped(.zero, Size(100, 100))
        item.shape = .circle
        let id = animator.add(item)
        _ = animator.add(
            Push(items: [id], mode: .instantaneous, vector: Vector(1, 0), offset: Vector(0, -50)))
        animator.step()
        let motion = animator.motion(of: id)
        // π/4 kg, and π/4 · 0.5²/2 kg·m².
        #expect(abs(motion.velocity.x - 400 / Double.pi) < 1e-9)
        #expect(abs(motion.angularVelocity - 16 / Double.pi) < 1e-9)
    }
}

@Suite struct ItemBehaviorTests {
    /// The velocity that a push of 1 gives: 100 pt/s divided by the density.
    private func density(of item: ItemID, _ animator: Animator) -> Double {
        var animator = animator
        let before = animator.motion(of: item).velocity.x
        let push = Push(items: [item], mode: .instantaneous, vector: Vector(1, 0))
        _ = animator.add(push)
        animator.step()
        return 100 / (animator.motion(of: item).velocity.x - before)
    }

    @Test func theLastWriterOfEachPropertyCounts() {
        var animator = Animator()
        var item = unitItem()
        item.density = 2
        let id = animator.add(item)
        func expect(_ value: Double, at location: SourceLocation = #_sourceLocation) {
            #expect(abs(density(of: id, animator) - value) < 1e-9, sourceLocation: location)
        }
        expect(2)
        let still = ItemProperties(resistance: 0, allowsRotation: false)
        let first = animator.add(
            ItemBehavior(items: [id], properties: ItemProperties(density: 4, resistance: 0)))
        let second = animator.add(
            ItemBehavior(items: [id], properties: ItemProperties(density: 5)))
        _ = animator.add(ItemBehavior(items: [id], properties: still))
        expect(5)
        // Set again, it is the last write, but only for the values that differ.
        animator.change(
            first,
            to: ItemBehavior(items: [id], properties: ItemProperties(density: 8, resistance: 0)))
        expect(8)
        animator.change(
            second, to: ItemBehavior(items: [id], properties: ItemProperties(density: 5)))
        expect(8)
        animator.change(id, ItemProperties(density: 3))
        expect(8)
        animator.remove(first)
        expect(5)
        animator.remove(second)
        expect(3)
        animator.addVelocity(angular: 3, to: id)
        #expect(animator.motion(of: id).angularVelocity == 0)
    }

    @Test func anItemIsAnchoredAsLongAsABehaviorSaysSo() {
        var animator = Animator()
        let id = animator.add(unitItem())
        _ = animator.add(Snap(item: id, point: Vector(100, 0)))
        steps(5, &animator)
        let anchor = animator.add(
            ItemBehavior(items: [id], properties: ItemProperties(anchored: true)))
        let place = animator.motion(of: id).center
        #expect(animator.isResting)
        #expect(animator.motion(of: id).velocity == .zero)
        animator.gravity = Vector(0, 1)
        steps(20, &animator)
        #expect(animator.motion(of: id).center == place)
        animator.gravity = .zero
        animator.remove(anchor)
        steps(240, &animator)
        #expect((animator.motion(of: id).center - Vector(100, 0)).length < 0.5)
    }

    @Test func aChargeIsAPropertyToo() {
        var animator = Animator()
        let id = animator.add(unitItem(100, 0))
        _ = animator.add(Field(.electric, items: [id]))
        steps(10, &animator)
        #expect(animator.motion(of: id).velocity == .zero)
        animator.change(id, ItemProperties(charge: 1))
        steps(10, &animator)
        #expect(animator.motion(of: id).velocity.x > 1)
    }
}
