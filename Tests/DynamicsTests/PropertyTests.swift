import Dynamics
import Geometry
import TestSupport
import Testing

extension SplitMix64 {
    mutating func real(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    mutating func vector(within reach: Double) -> Vector {
        Vector(real(in: -reach...reach), real(in: -reach...reach))
    }

    /// Mostly ordinary values, sometimes 0, sometimes enormous ones.
    mutating func extremeVector() -> Vector {
        switch whole(in: 0...5) {
        case 0: .zero
        case 1: vector(within: 1e6)
        case 2: vector(within: 1e12)
        case 3: vector(within: 1e-300)
        default: vector(within: 400)
        }
    }
}

@Suite struct PropertyTests {
    /// Everything that a session can ask for, in random order.
    private func disturb(
        _ animator: inout Animator, _ item: ItemID, _ behaviors: inout [BehaviorID],
        _ random: inout SplitMix64
    ) {
        let place = animator.motion(of: item).center
        let anchor = random.whole(in: 0...3) == 0 ? place : random.extremeVector()
        switch random.whole(in: 0...8) {
        case 0:
            let length: Double? = random.whole(in: 0...2) == 0 ? 0 : nil
            behaviors.append(
                animator.add(
                    Attachment(
                        item: item, offset: random.extremeVector(), anchor: anchor,
                        length: length)))
        case 1:
            behaviors.append(
                animator.add(
                    Attachment(
                        item: item, offset: random.vector(within: 50), anchor: anchor,
                        length: random.whole(in: 0...1) == 0 ? 0 : 1e12,
                        frequency: [1e-6, 2, 1e6][random.whole(in: 0...2)],
                        damping: [0, 0.5, 1e300][random.whole(in: 0...2)])))
        case 2:
            let pin = Pin(item: item, offset: random.extremeVector(), anchor: anchor)
            behaviors.append(animator.add(pin))
        case 3:
            behaviors.append(animator.add(Snap(item: item, point: anchor, damping: 0)))
        case 4:
            behaviors.append(
                animator.add(
                    Push(
                        items: [item], mode: random.unit() < 0.5 ? .instantaneous : .continuous,
                        vector: random.extremeVector())))
        case 5:
            animator.addVelocity(
                linear: random.extremeVector(), angular: random.extremeVector().x, to: item)
        case 6:
            animator.gravity = random.extremeVector()
        default:
            guard !behaviors.isEmpty else { return }
            let place = random.whole(in: 0...behaviors.count - 1)
            animator.remove(behaviors.remove(at: place))
        }
    }

    @Test(arguments: 0..<96 as Range<UInt64>)
    func extremesStayFinite(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var animator = Animator()
        let sides = [1e-300, 0.01, 1, 40, 300, 1e7, 1e300]
        let side = { (random: inout SplitMix64) in sides[random.whole(in: 0...6)] }
        var item = Item(
            center: random.extremeVector(), size: Size(side(&random), side(&random)),
            rotation: random.extremeVector().x)
        item.resistance = [0, 0.1, 1e300][random.whole(in: 0...2)]
        let id = animator.add(item)
        var behaviors: [BehaviorID] = []
        for step in 0..<300 {
            if step % 7 == 0 { disturb(&animator, id, &behaviors, &random) }
            animator.step()
            let motion = animator.motion(of: id)
            let isFinite =
                motion.center.isFinite && motion.velocity.isFinite && motion.rotation.isFinite
                && motion.angularVelocity.isFinite
            #expect(isFinite, "seed \(seed), step \(step): \(motion)")
            if !isFinite { return }
        }
    }

    @Test func anAnchorThatJumpsAMillionPointsIsReached() {
        for frequency in [0, 4.0] {
            var animator = Animator()
            let item = animator.add(Item(center: .zero, size: Size(300, 400)))
            let spring = animator.add(
                Attachment(item: item, anchor: .zero, frequency: frequency, damping: 1))
            animator.moveAnchor(of: spring, to: Vector(1e6, -1e6))
            for _ in 0..<36_000 { animator.step() }
            #expect((animator.motion(of: item).center - Vector(1e6, -1e6)).length < 1)
            #expect(animator.isResting)
        }
    }

    /// From every place on its circle and after every push, the tip comes to rest at its place.
    @Test(arguments: 0..<96 as Range<UInt64>)
    func aSwingingTipFallsAsleep(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rotation = random.real(in: -2...2)
        let (sine, cosine) = Angle.sineCosine(rotation)
        var animator = Animator()
        let item = animator.add(
            Item(
                center: Vector(160 + 500 * sine, 784 - 500 * cosine), size: Size(300, 400),
                rotation: rotation))
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        _ = animator.add(
            Snap(item: item, point: Vector(160, 284), damping: random.real(in: 0.1...1)))
        if seed % 3 == 0 {
            animator.addVelocity(linear: random.vector(within: 2_000), to: item)
        }
        var count = 0
        while !animator.isResting && count < 2_400 {
            animator.step()
            count += 1
        }
        #expect(animator.isResting, "seed \(seed)")
        let motion = animator.motion(of: item)
        #expect((motion.center - Vector(160, 284)).length < 0.5, "seed \(seed): \(motion)")
        #expect(motion.velocity == .zero && motion.angularVelocity == 0)
    }

    /// Wherever a finger drags it, the tip comes to rest after the release.
    @Test(arguments: 0..<32 as Range<UInt64>)
    func aDraggedTipFallsAsleepOnceReleased(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var animator = Animator()
        let item = animator.add(Item(center: Vector(160, 284), size: Size(300, 400)))
        _ = animator.add(Pin(item: item, offset: Vector(0, 500), anchor: Vector(160, 784)))
        var finger = Vector(160, 284) + random.vector(within: 150)
        let rod = animator.add(Attachment(item: item, anchor: finger))
        for _ in 0..<120 {
            finger += random.vector(within: 40)
            animator.moveAnchor(of: rod, to: finger)
            animator.step()
        }
        animator.remove(rod)
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
        var count = 0
        while !animator.isResting && count < 1_200 {
            animator.step()
            count += 1
        }
        #expect(animator.isResting, "seed \(seed)")
        #expect((animator.motion(of: item).center - Vector(160, 284)).length < 0.5)
    }

    @Test func restChangesNothing() {
        var animator = Animator()
        let item = animator.add(Item(center: Vector(200, 284), size: Size(300, 400)))
        _ = animator.add(Snap(item: item, point: Vector(160, 284)))
        while !animator.isResting { animator.step() }
        let rest = animator
        for _ in 0..<100 { animator.step() }
        #expect(animator == rest)
    }

    @Test func aCopyIsAnotherWorld() {
        var animator = Animator()
        let item = animator.add(unitItem())
        _ = animator.add(Snap(item: item, point: Vector(300, 0)))
        let copy = animator
        animator.step()
        #expect(copy.motion(of: item).center == .zero)
        #expect(animator.motion(of: item).center.x > 0)
    }

    /// Items that share a world but no behavior move as they would alone, to the bit.
    @Test(arguments: 0..<16 as Range<UInt64>)
    func neighborsDoNotDisturb(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var shared = Animator()
        var alone: [Animator] = []
        var items: [ItemID] = []
        for _ in 0..<3 {
            let item = Item(
                center: random.vector(within: 300), size: Size(random.real(in: 20...300), 80),
                rotation: random.real(in: -2...2))
            var one = Animator()
            #expect(one.add(item) == ItemID.first)
            items.append(shared.add(item))
            alone.append(one)
        }
        // Joints of several items are added alternately.
        for _ in 0..<3 {
            for index in 0..<3 {
                let anchor = random.vector(within: 300)
                let snap = random.unit() < 0.5
                let add = { (animator: inout Animator, item: ItemID) in
                    _ =
                        snap
                        ? animator.add(Snap(item: item, point: anchor))
                        : animator.add(
                            Attachment(item: item, anchor: anchor, frequency: 2, damping: 0.4))
                }
                add(&shared, items[index])
                add(&alone[index], .first)
            }
        }
        for _ in 0..<200 {
            shared.step()
            for index in 0..<3 {
                alone[index].step()
                #expect(shared.motion(of: items[index]) == alone[index].motion(of: .first))
            }
        }
    }
}

extension ItemID {
    /// The first id of a new animator.
    static let first: ItemID = {
        var animator = Animator()
        return animator.add(unitItem())
    }()
}
