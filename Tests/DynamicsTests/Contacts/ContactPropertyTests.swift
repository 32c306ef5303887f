import Dynamics
import Geometry
import Testing

/// Random worlds of colliding items, with unreasonable parameters.
private struct CrowdedWorld {
    var animator = Animator()
    var items: [ItemID] = []
    var collisions: [BehaviorID] = []
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        for _ in 0..<random.whole(in: 2...6) { addItem() }
        animator.gravity = Vector(0, 1)
        collisions.append(animator.add(collision()))
    }

    private mutating func item() -> Item {
        let sides = [0.01, 1, 40, 100, 300, 1e7]
        var item = Item(
            center: random.extremeVector(),
            size: Size(sides[random.whole(in: 0...5)], sides[random.whole(in: 0...5)]),
            rotation: random.real(in: -4...4))
        item.density = [1e-6, 1, 1, 1e6][random.whole(in: 0...3)]
        item.friction = [0, 0.2, 1e6][random.whole(in: 0...2)]
        item.elasticity = [0, 0.2, 1][random.whole(in: 0...2)]
        item.allowsRotation = random.whole(in: 0...4) > 0
        item.anchored = random.whole(in: 0...5) == 0
        item.shape = random.unit() < 0.5 ? .box : .circle
        return item
    }

    private mutating func addItem() {
        if random.unit() < 0.3 {
            let members = (0..<random.whole(in: 1...3)).map { _ in item() }
            items.append(animator.addGroup(of: members).group)
        } else {
            items.append(animator.add(item()))
        }
    }

    private mutating func collision() -> Collision {
        var boundaries = [Boundary(id: "walls", rectangle: Rect(-300, -300, 600, 600))]
        for _ in 0..<random.whole(in: 0...3) {
            let path = (0..<random.whole(in: 0...6)).map { _ in random.extremeVector() }
            boundaries.append(Boundary(id: "path", path: path))
        }
        let modes: [Collision.Mode] = [.items, .boundaries, .everything, .everything]
        return Collision(
            items: items, mode: modes[random.whole(in: 0...3)], boundaries: boundaries)
    }

    private mutating func pick() -> ItemID { items[random.whole(in: 0...items.count - 1)] }

    mutating func disturb() {
        switch random.whole(in: 0...9) {
        case 0...2:
            animator.addVelocity(
                linear: random.vector(within: 1e6), angular: random.real(in: -1e6...1e6),
                to: pick())
        case 3: animator.gravity = random.unit() < 0.5 ? .zero : random.extremeVector()
        case 4:
            animator.place(
                pick(), center: random.extremeVector(), rotation: random.real(in: -1e9...1e9))
        case 5:
            guard items.count > 2 else { return addItem() }
            animator.remove(items.remove(at: random.whole(in: 0...items.count - 1)))
        case 6: collisions.append(animator.add(collision()))
        case 7:
            guard collisions.count > 1 else { return }
            animator.remove(
                collisions.remove(at: random.whole(in: 0...collisions.count - 1)))
        case 8:
            let changed = collision()
            animator.change(
                collisions[random.whole(in: 0...collisions.count - 1)], to: changed)
        default:
            let (item, other) = (pick(), pick())
            guard item != other else { return animator.change(item, .init(density: 1e3)) }
            let end = ItemAttachment.End.item(other, offset: random.vector(within: 50))
            _ = animator.add(ItemAttachment(item: item, end: end, type: .distance(length: 0)))
        }
    }
}

@Suite struct ContactPropertyTests {
    @Test(arguments: 0..<48 as Range<UInt64>)
    func crowdedWorldsStayFinite(seed: UInt64) {
        var world = CrowdedWorld(seed: seed)
        for step in 0..<200 {
            if step % 5 == 0 { world.disturb() }
            world.animator.step()
            for item in world.items {
                let motion = world.animator.motion(of: item)
                // A group's center differs from its center of mass by up to its size.
                let isBounded =
                    motion.center.isFinite && motion.rotation.isFinite
                    && motion.velocity.length <= 1e13 && abs(motion.angularVelocity) <= 1e9
                #expect(isBounded, "seed \(seed), step \(step): \(motion)")
                if !isBounded { return }
            }
        }
    }

    /// A world is a value: changes of a copy do not affect the original.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func aCopyGoesTheSameWayAndAnotherOne(seed: UInt64) {
        var world = CrowdedWorld(seed: seed)
        for _ in 0..<60 { world.animator.step() }
        var copy = world
        let before = world.animator
        for _ in 0..<60 { copy.animator.step() }
        #expect(world.animator == before)
        for _ in 0..<60 { world.animator.step() }
        #expect(world.animator == copy.animator)
        #expect(world.animator.hashValue == copy.animator.hashValue)
    }

    /// Heaps in a closed room come to rest within a minute after random throws.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func heapsComeToRestInside(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var room = Room()
        for index in 0..<random.whole(in: 6...12) {
            room.add(
                60 + 90 * Double(index % 4), 500 - 90 * Double(index / 4),
                random.real(in: 20...80), random.real(in: 20...80)
            ) {
                $0.shape = random.unit() < 0.3 ? .circle : .box
                $0.rotation = random.real(in: -3...3)
            }
        }
        room.collide()
        for item in room.items {
            room.animator.addVelocity(
                linear: random.vector(within: 1e6), angular: random.real(in: -40...40), to: item)
        }
        rest(&room.animator, within: 7_200)
        for index in room.items.indices {
            let center = room.center(index)
            #expect(center.x > 0 && center.x < 400 && center.y > 0 && center.y < 600)
        }
    }
}
