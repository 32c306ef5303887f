import Dynamics
import Geometry
import TestSupport
import Testing

/// A world with every kind of ground joint and push, for 2,000 steps.
@Suite struct DigestTests {
    /// The bits are the same in debug and release builds and on every machine.
    @Test func theMixedWorldKeepsItsBits() throws {
        var world = MixedWorld()
        var hash = StableHash()
        var path = ""
        for step in 1...2_000 {
            world.advance(to: step)
            for item in world.items {
                let motion = world.animator.motion(of: item)
                for number in [
                    motion.center.x, motion.center.y, motion.rotation, motion.velocity.x,
                    motion.velocity.y, motion.angularVelocity,
                ] {
                    for byte in 0..<8 as Range<UInt64> {
                        hash.combine(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * byte)))
                    }
                }
            }
            if step % 200 == 0 { path += "\(step) \(String(hash.value, radix: 16))\n" }
        }
        for item in world.items {
            let motion = world.animator.motion(of: item)
            path += "\(bits(motion.center.x)) \(bits(motion.center.y)) \(bits(motion.rotation))\n"
        }
        try expectGolden(path, named: "mixed.txt")
    }
}

private struct MixedWorld {
    var animator = Animator()
    var items: [ItemID] = []
    var dragged: BehaviorID
    var snap: BehaviorID
    var random = SplitMix64(seed: 7)

    init() {
        for index in 0..<5 {
            items.append(
                animator.add(
                    Item(
                        center: Vector(100 + 90 * Double(index), 200),
                        size: Size(60 + 20 * Double(index), 80), rotation: 0.3 * Double(index))))
        }
        _ = animator.add(Pin(item: items[0], offset: Vector(0, 300), anchor: Vector(100, 500)))
        snap = animator.add(Snap(item: items[0], point: Vector(100, 200)))
        _ = animator.add(Pin(item: items[1], offset: Vector(0, 90), anchor: Vector(190, 290)))
        dragged = animator.add(Attachment(item: items[1], anchor: Vector(250, 180)))
        _ = animator.add(
            Attachment(
                item: items[2], offset: Vector(20, -10), anchor: Vector(300, 0), frequency: 1.5,
                damping: 0.05))
        _ = animator.add(Snap(item: items[3], point: Vector(400, 300), damping: 0.2))
        _ = animator.add(
            Attachment(item: items[3], anchor: Vector(350, 90), length: 40, frequency: 2))
        _ = animator.add(
            Pin(item: items[3], offset: Vector(-10, 30), anchor: Vector(370, 230)))
        _ = animator.add(Push(items: [items[4]], mode: .continuous, vector: Vector(-0.4, 0.2)))
    }

    mutating func advance(to step: Int) {
        if step % 2 == 0 {
            let finger = Vector(250 + 200 * random.unit(), 180 - 150 * random.unit())
            animator.moveAnchor(of: dragged, to: finger)
        }
        if step % 150 == 0 {
            animator.addVelocity(
                linear: Vector(900 * random.unit(), -500), angular: 6, to: items[2])
            _ = animator.add(
                Push(items: [items[0], items[3]], mode: .instantaneous, vector: Vector(4, -9)))
        }
        if step == 700 {
            animator.remove(snap)
            animator.gravity = Vector(0, 0.6)
        }
        if step == 1_300 {
            snap = animator.add(Snap(item: items[0], point: Vector(100, 200), damping: 0.9))
            animator.gravity = .zero
        }
        animator.step()
    }
}
