import Dynamics
import Geometry
import Testing

/// The Testing module has an `Attachment` too.
typealias ItemAttachment = Dynamics.Attachment

/// Two items, 200 pt apart, without damping.
struct Couple {
    var animator = Animator()
    let left: ItemID
    let right: ItemID

    init() {
        left = animator.add(unitItem(0, 0))
        right = animator.add(unitItem(200, 0))
    }

    mutating func tie(_ type: ItemAttachment.Kind, offset: Vector = .zero, to other: Vector = .zero)
        -> BehaviorID
    {
        animator.add(
            ItemAttachment(item: right, offset: offset, end: .item(left, offset: other), type: type)
        )
    }

    var apart: Double {
        (animator.motion(of: right).center - animator.motion(of: left).center).length
    }

    var turned: Double {
        animator.motion(of: right).rotation - animator.motion(of: left).rotation
    }
}

@Suite struct LinkTests {
    @Test func aSpringHandsHalfTheMomentumOver() {
        var couple = Couple()
        _ = couple.tie(.distance(frequency: 2, damping: 0.4))
        couple.animator.addVelocity(linear: Vector(-120, 0), to: couple.right)
        steps(600, &couple.animator)
        for item in [couple.left, couple.right] {
            #expect(abs(couple.animator.motion(of: item).velocity.x + 60) < 1e-3)
        }
        #expect(abs(couple.apart - 200) < 0.01)
    }

    @Test func ropesAreSlackUntilTheyAreTaut() {
        var couple = Couple()
        _ = couple.tie(.limit(length: 250))
        couple.animator.addVelocity(linear: Vector(60, 0), to: couple.right)
        steps(99, &couple.animator)
        #expect(couple.animator.motion(of: couple.left).center == .zero)
        steps(30, &couple.animator)
        #expect(abs(couple.apart - 250) < 0.6)
        #expect(couple.animator.motion(of: couple.left).velocity.x > 29)
    }

    @Test func aWeldTurnsBothAsOne() {
        var couple = Couple()
        _ = couple.tie(.fixed(), offset: Vector(-100, 0), to: Vector(100, 0))
        couple.animator.addVelocity(linear: Vector(0, 300), to: couple.right)
        steps(240, &couple.animator)
        #expect(abs(couple.animator.motion(of: couple.left).rotation) > 1)
        #expect(abs(couple.turned) < 1e-3)
        #expect(abs(couple.apart - 200) < 0.1)
    }

    @Test func aPinKeepsItsRangeFromWhereTheItemsStood() {
        var animator = Animator()
        var item = unitItem()
        item.rotation = 0.7
        let id = animator.add(item)
        _ = animator.add(
            ItemAttachment(item: id, end: .anchor(.zero), type: .pin(range: -0.2...0.5)))
        animator.addVelocity(angular: 5, to: id)
        steps(60, &animator)
        #expect(abs(animator.motion(of: id).rotation - 1.2) < 0.05)
        animator.addVelocity(angular: -5, to: id)
        steps(60, &animator)
        #expect(abs(animator.motion(of: id).rotation - 0.5) < 0.05)
    }

    /// 1 kg at 0.5 m weighs 5 N·m.
    @Test(arguments: [(4.9, true), (5.1, false)])
    func frictionHoldsWhatWeighsLess(torque: Double, falls: Bool) {
        var animator = Animator()
        let id = animator.add(unitItem(50, 0))
        _ = animator.add(
            ItemAttachment(
                item: id, offset: Vector(-50, 0), end: .anchor(.zero),
                type: .pin(frictionTorque: torque)))
        animator.gravity = Vector(0, 1)
        steps(120, &animator)
        #expect((abs(animator.motion(of: id).rotation) > 0.01) == falls)
        #expect(animator.isResting != falls)
    }

    @Test func aSlidingItemStaysOnItsAxisAndInItsRange() {
        var animator = Animator()
        let id = animator.add(unitItem(10, 10))
        _ = animator.add(
            ItemAttachment(
                item: id, end: .anchor(Vector(10, 10)),
                type: .sliding(axis: Vector(3, 4), range: -20...80)))
        animator.gravity = Vector(0, 1)
        steps(240, &animator)
        let motion = animator.motion(of: id)
        #expect((motion.center - Vector(10 + 48, 10 + 64)).length < 1.1)
        #expect(motion.rotation == 0)
        #expect(animator.isResting)
    }

    /// The axis rotates with the item to which it belongs.
    @Test func theAxisIsTheOtherItems() {
        var couple = Couple()
        _ = couple.tie(.sliding(axis: Vector(1, 0)))
        couple.animator.addVelocity(linear: Vector(50, 0), angular: 1, to: couple.right)
        couple.animator.addVelocity(angular: 1, to: couple.left)
        steps(120, &couple.animator)
        let (left, right) = (
            couple.animator.motion(of: couple.left), couple.animator.motion(of: couple.right)
        )
        let (sine, cosine) = Angle.sineCosine(left.rotation)
        let span = (right.center - left.center).rotated(sine: -sine, cosine: cosine)
        #expect(abs(left.rotation) > 0.1)
        #expect(abs(span.y) < 0.5)
        #expect(span.x > 210)
    }

    /// An anchored item acts as the ground.
    @Test(arguments: [
        ItemAttachment.Kind.distance(), .distance(length: 120, frequency: 3, damping: 0.2),
        .fixed(frequency: 2, damping: 0.1), .pin(frictionTorque: 0.1, range: -1...1),
        .sliding(axis: Vector(1, 2), range: -50...50), .limit(length: 150),
    ])
    func anAnchoredItemIsGround(type: ItemAttachment.Kind) {
        func run(_ end: (inout Animator) -> ItemAttachment.End) -> Motion {
            var animator = Animator()
            let id = animator.add(Item(center: Vector(130, 40), size: Size(80, 50)))
            let end = end(&animator)
            _ = animator.add(ItemAttachment(item: id, offset: Vector(20, 10), end: end, type: type))
            animator.gravity = Vector(0.2, 0.4)
            animator.addVelocity(linear: Vector(100, -50), angular: 2, to: id)
            steps(100, &animator)
            return animator.motion(of: id)
        }
        let ground = run { _ in .anchor(.zero) }
        let item = run { animator in
            var anchored = unitItem()
            anchored.anchored = true
            return .item(animator.add(anchored))
        }
        #expect((ground.center - item.center).length < 1e-3)
        #expect(abs(ground.rotation - item.rotation) < 1e-4)
        #expect((ground.center - Vector(130, 40)).length > 5)
    }

    @Test func theGroundEndMovesAndAnItemsDoesNot() {
        var animator = Animator()
        let id = animator.add(unitItem())
        let rope = animator.add(
            ItemAttachment(item: id, end: .anchor(Vector(0, -50)), type: .limit(length: 50)))
        animator.moveAnchor(of: rope, to: Vector(300, 0))
        steps(240, &animator)
        #expect(abs((animator.motion(of: id).center - Vector(300, 0)).length) < 50.6)
    }
}

@Suite struct IslandTests {
    /// Both count the same still steps and fall asleep in the same step.
    @Test func linkedItemsSleepAndWakeTogether() {
        var couple = Couple()
        _ = couple.tie(.distance(frequency: 2, damping: 1))
        #expect(couple.animator.isAwake(couple.left))
        steps(59, &couple.animator)
        couple.animator.addVelocity(linear: Vector(0, 2), to: couple.right)
        steps(30, &couple.animator)
        #expect(couple.animator.isAwake(couple.left))
        couple.animator.rest()
        #expect(couple.animator.isResting)
        couple.animator.addVelocity(linear: Vector(50, 0), to: couple.right)
        #expect(!couple.animator.isAwake(couple.left))
        steps(1, &couple.animator)
        #expect(couple.animator.isAwake(couple.left))
        #expect(couple.animator.motion(of: couple.left).velocity.x > 0)
    }

    /// Movement on one side of an anchored item leaves the other side asleep.
    @Test func anchoredItemsPassNothingOn() {
        var couple = Couple()
        var post = unitItem(100, 0)
        post.anchored = true
        let middle = couple.animator.add(post)
        for item in [couple.left, couple.right] {
            _ = couple.animator.add(
                ItemAttachment(
                    item: item, end: .item(middle),
                    type: .distance(frequency: 2, damping: 1)))
        }
        steps(120, &couple.animator)
        #expect(couple.animator.isResting)
        couple.animator.addVelocity(linear: Vector(50, 0), to: couple.right)
        steps(10, &couple.animator)
        #expect(!couple.animator.isAwake(couple.left))
        #expect(couple.animator.motion(of: middle).center == Vector(100, 0))
        couple.animator.place(middle, center: Vector(100, 100), rotation: 0)
        #expect(couple.animator.isAwake(couple.left))
    }

    /// A third item moves by the same bits with and without a joined pair in the world.
    @Test func anUnlinkedItemMovesAsIfAlone() {
        var couple = Couple()
        _ = couple.tie(.distance(frequency: 2, damping: 0.1))
        couple.animator.addVelocity(linear: Vector(50, 70), angular: 3, to: couple.right)
        var alone = Animator()
        let add = { (animator: inout Animator) in
            let item = animator.add(Item(center: Vector(30, 20), size: Size(70, 50)))
            _ = animator.add(Snap(item: item, point: Vector(200, 100)))
            _ = animator.add(Pin(item: item, offset: Vector(0, 90), anchor: Vector(40, 80)))
            return item
        }
        let (one, other) = (add(&couple.animator), add(&alone))
        for _ in 0..<200 {
            couple.animator.step()
            alone.step()
            #expect(couple.animator.motion(of: one) == alone.motion(of: other))
        }
    }

    /// Joints conserve momentum: nothing begins to move or rotate by itself.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func linksKeepTheMomentum(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var animator = Animator()
        var items: [ItemID] = []
        var masses: [Double] = []
        for _ in 0..<4 {
            let size = Size(random.real(in: 30...200), random.real(in: 30...200))
            masses.append(size.width * size.height / 10_000)
            items.append(animator.add(undamped(random.vector(within: 300), size)))
        }
        let types: [ItemAttachment.Kind] = [
            .distance(frequency: 3, damping: 0.3), .distance(), .pin(frictionTorque: 1),
            .fixed(frequency: 3, damping: 0.2), .sliding(axis: Vector(1, 1)), .limit(),
        ]
        for index in 1..<4 {
            _ = animator.add(
                ItemAttachment(
                    item: items[index], offset: random.vector(within: 30),
                    end: .item(items[index - 1], offset: random.vector(within: 30)),
                    type: types[random.whole(in: 0...5)]))
        }
        for item in items {
            animator.addVelocity(linear: random.vector(within: 200), to: item)
        }
        func momentum() -> Vector {
            zip(items, masses).reduce(.zero) { $0 + animator.motion(of: $1.0).velocity * $1.1 }
        }
        let before = momentum()
        for _ in 0..<240 {
            animator.step()
            #expect((momentum() - before).length < 1e-6, "seed \(seed)")
        }
    }
}
