import Dynamics
import Geometry
import Testing

@Suite struct StackTests {
    @Test(arguments: [0.0, 2, 10])
    func tenBoxesStayOnEachOtherAndSleep(gap: Double) {
        var room = Room()
        for index in 0..<10 {
            room.add(200, 580 - Double(index) * (40 + gap), 60, 40) { $0.elasticity = 0 }
        }
        room.collide()
        rest(&room.animator, within: 600)
        var below = 620.0
        for item in room.items {
            let motion = room.animator.motion(of: item)
            #expect(abs(motion.center.x - 200) < 1)
            #expect(abs(motion.rotation) < 0.01)
            // Each stands on the one below; their skins overlap by at most three slops.
            #expect((0.5...2.1).contains(below - motion.center.y - 40))
            below = motion.center.y
        }
    }

    @Test func aDisturbedNeighborWakes() {
        var room = Room()
        for index in 0..<4 { room.add(200, 578 - 42 * Double(index), 60, 40) }
        room.add(60, 570, 40, 40)
        room.collide()
        rest(&room.animator)
        room.animator.addVelocity(linear: Vector(0, 60), to: room.items[3])
        room.animator.step()
        #expect(room.items.map { room.animator.isAwake($0) } == [true, true, true, true, false])
    }

    @Test func itemsOnARemovedItemFall() {
        var room = Room()
        for index in 0..<3 { room.add(200, 578 - 42 * Double(index), 60, 40) }
        room.collide()
        rest(&room.animator)
        room.animator.remove(room.items.remove(at: 0))
        rest(&room.animator)
        #expect(abs(room.center(0).y - 578.5) < 0.6)
        #expect(abs(room.center(1).y - 537) < 1.2)
    }

    @Test func anItemFallsWhenItsAnchoredSupportMoves() {
        var room = Room()
        let shelf = room.add(200, 300, 100, 40) { $0.anchored = true }
        room.add(200, 250, 60, 40)
        room.collide()
        rest(&room.animator)
        #expect(abs(room.center(1).y - 258.5) < 0.6)
        room.animator.place(shelf, center: Vector(60, 300), rotation: 0)
        rest(&room.animator)
        #expect(abs(room.center(1).y - 578.5) < 0.6)
    }

    @Test func anAnchoredItemPutIntoASleepingOnePushesIt() {
        var room = Room()
        let shelf = room.add(60, 300, 100, 40) { $0.anchored = true }
        room.add(200, 560, 60, 40)
        room.collide()
        rest(&room.animator)
        room.animator.place(shelf, center: Vector(130, 580), rotation: 0)
        #expect(!room.animator.isResting)
        rest(&room.animator)
        #expect(room.center(1).x > 210)
    }

    @Test func aRemovedCollisionLetsFall() {
        var room = Room()
        room.add(200, 560, 60, 40)
        let collision = room.collide()
        rest(&room.animator)
        room.animator.remove(collision)
        for _ in 0..<60 { room.animator.step() }
        #expect(room.center(0).y > 650)
    }

    @Test func aChangedCollisionKeepsWhatStillTouches() {
        var room = Room()
        room.add(200, 560, 60, 40)
        room.add(60, 560, 60, 40)
        let collision = room.collide()
        rest(&room.animator)
        let floor = Boundary(id: "other", path: [Vector(0, 300), Vector(100, 300)])
        room.animator.change(
            collision,
            to: Collision(items: room.items, boundaries: [Room.walls, floor]))
        let told = room.told(120)
        #expect(told.isEmpty)
        #expect(abs(room.center(0).y - 578.5) < 0.6)
        room.animator.change(collision, to: Collision(items: room.items, mode: .items))
        for _ in 0..<60 { room.animator.step() }
        #expect(room.center(0).y > 650)
    }

    @Test func aLargerItemPushesItsNeighborsAway() {
        var room = Room()
        room.add(100, 570, 60, 60)
        room.add(170, 570, 60, 60)
        room.collide()
        rest(&room.animator)
        room.animator.resize(room.items[0], to: Size(100, 60))
        rest(&room.animator)
        #expect(room.center(1).x - room.center(0).x > 79)
    }
}

@Suite struct TunnelTests {
    /// Boxes and circles of all sizes and speeds, spinning, stay inside.
    @Test(arguments: 0..<80 as Range<UInt64>)
    func nothingPassesABoundary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var room = Room(gravity: random.unit() < 0.5 ? 0 : 1)
        for index in 0..<random.whole(in: 1...3) {
            let side = random.real(in: 4...90)
            room.add(
                80 + 120 * Double(index), random.real(in: 100...500), side,
                random.real(in: 4...90)
            ) {
                $0.shape = random.unit() < 0.4 ? .circle : .box
                $0.elasticity = random.real(in: 0...1)
                $0.rotation = random.real(in: -3...3)
                $0.resistance = 0
            }
        }
        room.collide()
        for _ in 0..<10 {
            for item in room.items {
                room.animator.addVelocity(
                    linear: random.vector(within: 30_000), angular: random.real(in: -200...200),
                    to: item)
            }
            for _ in 0..<24 {
                room.animator.step()
                for index in room.items.indices {
                    let center = room.center(index)
                    #expect(
                        center.x > 0 && center.x < 400 && center.y > 0 && center.y < 600,
                        "seed \(seed) at \(center)")
                }
            }
        }
    }

    /// Against a single segment, from both sides, at the greatest speed.
    @Test(arguments: [1.0, -1], [0.0, 0.3, 0.7])
    func aLineHoldsFromBothSides(side: Double, rotation: Double) {
        var room = Room(gravity: 0)
        room.add(200, 300 - side * 150, 5, 5) {
            $0.rotation = rotation
            $0.resistance = 0
        }
        room.animator.addVelocity(linear: Vector(0, side * 24_000), to: room.items[0])
        room.collide(.boundaries, [Boundary(id: "line", path: [Vector(0, 300), Vector(400, 300)])])
        for _ in 0..<20 { room.animator.step() }
        #expect((room.center(0).y - 300) * side < 0)
    }
}
