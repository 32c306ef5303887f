import Dynamics
import Geometry
import TestSupport
import Testing

/// Random worlds of joined items, with unreasonable parameters.
private struct WildWorld {
    var animator = Animator()
    var items: [ItemID] = []
    var behaviors: [BehaviorID] = []
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        for _ in 0..<random.whole(in: 2...5) { addItem() }
    }

    private mutating func addItem() {
        let sides = [0.01, 1, 40, 100, 300, 1e7]
        var item = Item(
            center: random.extremeVector(),
            size: Size(sides[random.whole(in: 0...5)], sides[random.whole(in: 0...5)]),
            rotation: random.real(in: -4...4))
        item.density = [1e-6, 1, 1, 1e6][random.whole(in: 0...3)]
        item.allowsRotation = random.whole(in: 0...4) > 0
        item.anchored = random.whole(in: 0...5) == 0
        item.shape = random.unit() < 0.5 ? .box : .circle
        items.append(animator.add(item))
    }

    private mutating func pick() -> ItemID { items[random.whole(in: 0...items.count - 1)] }

    private mutating func type() -> ItemAttachment.Kind {
        let wide = random.real(in: 0...100)
        switch random.whole(in: 0...8) {
        case 0: return .distance()
        case 1: return .distance(length: 0)
        case 2: return .distance(length: [0, 50, 1e12][random.whole(in: 0...2)], frequency: 1e6)
        case 3: return .distance(frequency: random.real(in: 0.1...9), damping: random.unit())
        case 4: return .fixed()
        case 5: return .fixed(frequency: random.real(in: 0.1...1e3), damping: 1e300)
        case 6: return .pin(frictionTorque: 1e12 * random.unit(), range: -wide...wide)
        case 7: return .sliding(axis: random.vector(within: 1), range: -wide...0)
        default: return .limit(length: random.unit() < 0.5 ? nil : 0)
        }
    }

    /// Ends are often equal, coincident or far outside the item.
    private mutating func attachment() -> ItemAttachment {
        let item = pick()
        let offset = random.unit() < 0.5 ? .zero : random.extremeVector()
        var end = ItemAttachment.End.anchor(
            random.unit() < 0.5 ? animator.motion(of: item).center : random.extremeVector())
        let other = pick()
        if other != item, random.unit() < 0.8 {
            end = .item(other, offset: random.unit() < 0.5 ? .zero : random.extremeVector())
        }
        return ItemAttachment(item: item, offset: offset, end: end, type: type())
    }

    mutating func disturb() {
        switch random.whole(in: 0...9) {
        case 0...3: behaviors.append(animator.add(attachment()))
        case 4:
            let point = random.extremeVector()
            behaviors.append(animator.add(Snap(item: pick(), point: point, damping: 0)))
        case 5:
            animator.addVelocity(
                linear: random.vector(within: 1e6), angular: random.real(in: -1e6...1e6),
                to: pick())
        case 6: animator.gravity = random.unit() < 0.5 ? .zero : random.extremeVector()
        case 7:
            animator.place(
                pick(), center: random.extremeVector(), rotation: random.real(in: -1e9...1e9))
        case 8:
            guard items.count > 2 else { return addItem() }
            let item = items.remove(at: random.whole(in: 0...items.count - 1))
            let gone = animator.behaviors(tying: item)
            behaviors.removeAll { gone.contains($0) }
            animator.remove(item)
        default:
            guard !behaviors.isEmpty else { return }
            animator.remove(behaviors.remove(at: random.whole(in: 0...behaviors.count - 1)))
        }
    }
}

@Suite struct LinkPropertyTests {
    @Test(arguments: 0..<192 as Range<UInt64>)
    func wildWorldsStayFinite(seed: UInt64) {
        var world = WildWorld(seed: seed)
        for step in 0..<400 {
            if step % 5 == 0 { world.disturb() }
            world.animator.step()
            for item in world.items {
                let motion = world.animator.motion(of: item)
                let isBounded =
                    motion.center.isFinite && motion.rotation.isFinite
                    && motion.velocity.length <= 24_001
                    && abs(motion.angularVelocity) <= 1e9
                #expect(isBounded, "seed \(seed), step \(step): \(motion)")
                if !isBounded { return }
            }
        }
    }

    /// Rings of attachments whose lengths contradict each other.
    @Test(arguments: 3...8, [0, 2.0])
    func ringsThatContradictThemselvesComeToRest(count: Int, frequency: Double) {
        var animator = Animator()
        let items = (0..<count).map {
            animator.add(Item(center: Vector(90 * Double($0), 0), size: Size(50, 50)))
        }
        for index in 0..<count {
            let length = index == 0 ? 500.0 : 40.0
            _ = animator.add(
                ItemAttachment(
                    item: items[index], end: .item(items[(index + 1) % count]),
                    type: .distance(length: length, frequency: frequency, damping: 0.5)))
        }
        _ = animator.add(Snap(item: items[0], point: .zero, damping: 1))
        steps(3_600, &animator)
        for item in items {
            let motion = animator.motion(of: item)
            #expect(motion.center.length < 1_000, "\(motion)")
            #expect(motion.velocity.length < 500, "\(motion)")
        }
    }

    /// A chain keeps swinging and its joints hold, however it is thrown.
    @Test(arguments: 0..<16 as Range<UInt64>)
    func chainsHoldAtAMillionPointsPerSecond(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var animator = Animator()
        var last: ItemID?
        var items: [ItemID] = []
        for index in 0..<5 {
            let item = animator.add(
                Item(center: Vector(100, 40 + 60 * Double(index)), size: Size(20, 60)))
            let end: ItemAttachment.End =
                last.map { .item($0, offset: Vector(0, 30)) } ?? .anchor(Vector(100, 10))
            _ = animator.add(
                ItemAttachment(item: item, offset: Vector(0, -30), end: end, type: .pin()))
            last = item
            items.append(item)
        }
        animator.gravity = Vector(0, 1)
        for item in items {
            animator.addVelocity(
                linear: random.vector(within: 1e6), angular: random.real(in: -1e6...1e6),
                to: item)
        }
        steps(7_200, &animator)
        for (index, item) in items.enumerated() {
            let way = animator.motion(of: item).center - Vector(100, 10)
            #expect(way.length < 60 * Double(index + 1) + 30, "seed \(seed)")
        }
    }

    @Test func aLinkedWorldKeepsItsBits() throws {
        var world = WildWorld(seed: 4)
        var tame = Couple()
        _ = tame.tie(.fixed(frequency: 3, damping: 0.1))
        _ = tame.tie(.sliding(axis: Vector(1, 0.3), range: -20...300))
        let id = tame.animator.add(Item(center: Vector(90, 120), size: Size(40, 70)))
        _ = tame.animator.add(
            ItemAttachment(
                item: id, offset: Vector(0, -35), end: .item(tame.left, offset: Vector(40, 40)),
                type: .pin(frictionTorque: 0.02, range: -2...2)))
        _ = tame.animator.add(Snap(item: tame.right, point: Vector(200, 40), damping: 0.1))
        tame.animator.gravity = Vector(0, 0.3)
        var hash = StableHash()
        var path = ""
        for step in 1...2_000 {
            if step % 20 == 0 { world.disturb() }
            if step % 300 == 0 {
                tame.animator.addVelocity(linear: Vector(300, -200), angular: 3, to: id)
            }
            world.animator.step()
            tame.animator.step()
            let motions =
                world.items.map { world.animator.motion(of: $0) }
                + [tame.left, tame.right, id].map { tame.animator.motion(of: $0) }
            for motion in motions {
                for number in [motion.center.x, motion.center.y, motion.rotation] {
                    for byte in 0..<8 as Range<UInt64> {
                        hash.combine(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * byte)))
                    }
                }
            }
            if step % 200 == 0 { path += "\(step) \(String(hash.value, radix: 16))\n" }
        }
        try expectGolden(path, named: "linked.txt")
    }
}
