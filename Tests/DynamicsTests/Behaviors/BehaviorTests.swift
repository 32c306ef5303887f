import Dynamics
import Geometry
import Testing

/// An item of 1 kg: 100×100 pt of density 1.
func unitItem(_ x: Double = 0, _ y: Double = 0) -> Item {
    undamped(Vector(x, y), Size(100, 100))
}

func steps(_ count: Int, _ animator: inout Animator) {
    for _ in 0..<count { animator.step() }
}

@Suite struct PushTests {
    @Test func anInstantaneousPushFiresOnce() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(Push(items: [item], mode: .instantaneous, vector: Vector(1, -2)))
        #expect(animator.motion(of: item).velocity == .zero)
        for _ in 0..<3 {
            animator.step()
            #expect(animator.motion(of: item).velocity == Vector(100, -200))
        }
    }

    @Test func aPushThatIsTakenBackNeverFires() {
        var animator = Animator()
        let item = animator.add(unitItem())
        let push = animator.add(
            Push(items: [item], mode: .instantaneous, vector: Vector(1, 0)))
        animator.remove(push)
        steps(10, &animator)
        #expect(animator.motion(of: item).center == .zero)
        #expect(animator.isResting)
    }

    @Test func aContinuousPushAccelerates() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(Push(items: [item], mode: .continuous, vector: Vector(3, 0)))
        steps(60, &animator)
        #expect(abs(animator.motion(of: item).velocity.x - 150) < 1e-9)
    }

    @Test func massDividesAPush() {
        var animator = Animator()
        var heavy = unitItem()
        heavy.density = 4
        let light = animator.add(unitItem())
        let item = animator.add(heavy)
        _ = animator.add(
            Push(items: [light, item], mode: .instantaneous, vector: Vector(8, 0)))
        animator.step()
        #expect(animator.motion(of: light).velocity.x == 800)
        #expect(animator.motion(of: item).velocity.x == 200)
    }

    @Test func removingAStrongPushLeavesTheOtherExact() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(Push(items: [item], mode: .continuous, vector: Vector(0.1, 0)))
        let strong = animator.add(
            Push(items: [item], mode: .continuous, vector: Vector(1e6, 0)))
        animator.remove(strong)
        animator.step()
        #expect(animator.motion(of: item).velocity.x == 10 * Step.seconds)
    }
}

@Suite struct AttachmentTests {
    @Test func endsLessThanAPointApartAreAPin() {
        for (distance, isPin) in [(0.0, true), (0.99, true), (1.01, false)] {
            var animator = Animator()
            let item = animator.add(unitItem())
            let rod = animator.add(Attachment(item: item, anchor: Vector(distance, 0)))
            animator.moveAnchor(of: rod, to: Vector(30, 0))
            steps(240, &animator)
            // A rod stays at its length from the anchor, a pin closes.
            let left = (animator.motion(of: item).center - Vector(30, 0)).length
            #expect(isPin ? left < 0.5 : left > 0.5 && left < 1.6, "\(distance): \(left)")
        }
    }

    @Test func aGivenLengthIsNeverAPin() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(Attachment(item: item, anchor: Vector(0.5, 0), length: 50))
        steps(120, &animator)
        let left = (animator.motion(of: item).center - Vector(0.5, 0)).length
        #expect(abs(left - 50) < 0.5)
    }

    @Test func movingTheAnchorKeepsTheLengthAndWakes() {
        var animator = Animator()
        let item = animator.add(Item(center: Vector(80, 0), size: Size(100, 100)))
        let spring = animator.add(
            Attachment(item: item, anchor: .zero, frequency: 3, damping: 1))
        steps(120, &animator)
        #expect(animator.isResting)
        animator.moveAnchor(of: spring, to: Vector(0, 300))
        #expect(!animator.isResting)
        steps(1_200, &animator)
        #expect(animator.isResting)
        let length = (animator.motion(of: item).center - Vector(0, 300)).length
        #expect(abs(length - 80) < 0.5)
    }

    @Test func theOffsetIsInTheItemsOwnCoordinates() {
        var animator = Animator()
        // A quarter turn brings the local right end down.
        var item = unitItem()
        item.rotation = .pi / 2
        let id = animator.add(item)
        _ = animator.add(Pin(item: id, offset: Vector(50, 0), anchor: Vector(0, 50)))
        steps(10, &animator)
        #expect(animator.motion(of: id).center.length < 1e-9)
    }

    @Test func rodAndPinCompromiseAndThePinHoldsAgain() {
        var animator = Animator()
        let item = animator.add(Item(center: Vector(160, 284), size: Size(300, 400)))
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        let rod = animator.add(Attachment(item: item, anchor: Vector(160, 334)))
        animator.moveAnchor(of: rod, to: Vector(400, 50))
        steps(60, &animator)
        let toFinger = (animator.motion(of: item).center - Vector(400, 50)).length
        #expect(abs(toFinger - 50) > 1)
        animator.remove(rod)
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
        steps(60, &animator)
        #expect(pinGap(animator.motion(of: item)) < 1)
    }

    private func pinGap(_ motion: Motion) -> Double {
        let (sine, cosine) = Angle.sineCosine(motion.rotation)
        let held = motion.center + Vector(0, 500).rotated(sine: sine, cosine: cosine)
        return (held - Vector(160, 784)).length
    }
}

@Suite struct ItemTests {
    @Test func theLastBehaviorTakesTheVelocityWithIt() {
        var animator = Animator()
        let item = animator.add(unitItem())
        let snap = animator.add(Snap(item: item, point: Vector(300, 0)))
        let push = animator.add(Push(items: [item], mode: .continuous, vector: Vector(1, 0)))
        steps(5, &animator)
        animator.remove(snap)
        #expect(animator.motion(of: item).velocity.x > 0)
        animator.remove(push)
        #expect(animator.motion(of: item).velocity == .zero)
        #expect(animator.isResting)
    }

    @Test func anAnchoredItemNeverMoves() {
        var animator = Animator()
        animator.gravity = Vector(0, 1)
        var item = unitItem()
        item.anchored = true
        let id = animator.add(item)
        _ = animator.add(Snap(item: id, point: Vector(300, 0)))
        _ = animator.add(Push(items: [id], mode: .instantaneous, vector: Vector(1, 0)))
        animator.addVelocity(linear: Vector(1, 1), angular: 1, to: id)
        steps(10, &animator)
        #expect(animator.motion(of: id).center == .zero)
        #expect(animator.isResting)
    }

    @Test func anItemThatMayNotTurnKeepsItsRotation() {
        var animator = Animator()
        var item = unitItem()
        item.rotation = 0.3
        item.allowsRotation = false
        let id = animator.add(item)
        _ = animator.add(Snap(item: id, point: Vector(300, 0)))
        _ = animator.add(Pin(item: id, offset: Vector(40, 40), anchor: Vector(60, 60)))
        animator.addVelocity(angular: 9, to: id)
        steps(100, &animator)
        #expect(animator.motion(of: id).rotation == 0.3)
    }

    @Test func rotationGoesOnOverWholeTurns() {
        var animator = Animator()
        let id = animator.add(unitItem())
        animator.addVelocity(angular: 20, to: id)
        steps(120, &animator)
        #expect(abs(animator.motion(of: id).rotation - 20) < 1e-9)
    }

    @Test func aStepMovesAtMost200PointsAndAQuarterTurn() {
        var animator = Animator()
        let id = animator.add(unitItem())
        animator.addVelocity(linear: Vector(3e6, 4e6), angular: -1e6, to: id)
        animator.step()
        let motion = animator.motion(of: id)
        #expect(abs(motion.center.length - 200) < 1e-9)
        #expect(abs(motion.rotation + .pi / 2) < 1e-12)
        #expect(abs(motion.velocity.length - 24_000) < 1e-6)
    }

    @Test func changingGravityWakesAndZeroDoesNot() {
        var animator = Animator()
        let id = animator.add(unitItem())
        animator.gravity = .zero
        #expect(animator.isResting)
        animator.gravity = Vector(0, 1)
        #expect(!animator.isResting)
        animator.step()
        #expect(animator.motion(of: id).velocity.y > 0)
    }
}
