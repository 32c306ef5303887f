import Dynamics
import Geometry
import Testing

/// Steps until everything sleeps. Fails if that takes more steps.
func rest(_ animator: inout Animator, within steps: Int = 1_200) {
    var count = 0
    while !animator.isResting && count < steps {
        animator.step()
        count += 1
    }
    #expect(animator.isResting, "does not come to rest in \(steps) steps")
}

/// A world with gravity in a box of 400×600.
struct Room {
    var animator = Animator()
    var items: [ItemID] = []

    static var walls: Boundary { Boundary(id: "walls", rectangle: Rect(0, 0, 400, 600)) }

    init(gravity: Double = 1) { animator.gravity = Vector(0, gravity) }

    @discardableResult
    mutating func add(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double,
        _ change: (inout Item) -> Void = { _ in }
    ) -> ItemID {
        var item = Item(center: Vector(x, y), size: Size(width, height))
        change(&item)
        items.append(animator.add(item))
        return items[items.count - 1]
    }

    @discardableResult
    mutating func collide(
        _ mode: Collision.Mode = .everything, _ boundaries: [Boundary] = [Room.walls]
    ) -> BehaviorID {
        animator.add(Collision(items: items, mode: mode, boundaries: boundaries))
    }

    func center(_ index: Int) -> Vector { animator.motion(of: items[index]).center }
}

@Suite struct CollisionTests {
    /// Measured on Apple's frameworks: 248.2 ± 0.5.
    @Test func aDropRestsOnItsFloor() {
        var room = Room()
        room.add(200, 100, 100, 100) { $0.elasticity = 0 }
        room.collide(
            .everything, [Boundary(id: "floor", path: [Vector(0, 300), Vector(400, 300)])])
        rest(&room.animator)
        #expect(abs(room.center(0).y - 248.2) < 0.5)
        #expect(abs(room.center(0).x - 200) < 0.01)
        #expect(abs(room.animator.motion(of: room.items[0]).rotation) < 1e-3)
    }

    @Test(
        arguments: [
            (Collision.Mode.items, [false, true]), (.boundaries, [true, false]),
            (.everything, [true, true]),
        ])
    func aModeSaysWhatIsTouched(mode: Collision.Mode, touches: [Bool]) {
        var room = Room()
        room.add(200, 300, 60, 60)
        room.add(200, 200, 60, 60)
        room.collide(mode)
        room.animator.addVelocity(linear: Vector(0, 200), to: room.items[1])
        var met = [false, false]
        for _ in 0..<120 {
            room.animator.step()
            for event in room.animator.contacts {
                switch event.parties {
                case .boundary: met[0] = true
                case .items: met[1] = true
                }
            }
        }
        #expect(met == touches)
    }

    @Test func itemsMeetOnlyWhatTheirOwnCollisionHas() {
        var room = Room()
        let (a, b) = (room.add(100, 300, 60, 60), room.add(100, 200, 60, 60))
        _ = room.animator.add(Collision(items: [a], boundaries: [Room.walls]))
        let floor = Boundary(id: "floor", path: [Vector(0, 500), Vector(400, 500)])
        _ = room.animator.add(Collision(items: [b], boundaries: [floor]))
        rest(&room.animator)
        #expect(abs(room.center(0).y - 568.5) < 0.6)
        #expect(abs(room.center(1).y - 468.5) < 0.6)
    }

    @Test func boundsHaveInsets() {
        var room = Room()
        room.add(200, 300, 60, 60)
        room.collide(.boundaries, [Boundary(id: "bounds", rectangle: Rect(10, 20, 380, 480))])
        rest(&room.animator)
        #expect(abs(room.center(0).y - 468.5) < 0.6)
    }

    // MARK: Material

    @Test(arguments: [(0.2, 0.0), (0.8, 0.0), (0.0, 0.9), (0.3, 1.0)])
    func theMoreElasticOneCounts(item: Double, other: Double) {
        var room = Room(gravity: 0)
        room.add(100, 300, 60, 60) {
            $0.elasticity = item
            $0.resistance = 0
        }
        room.add(300, 300, 60, 60) {
            $0.elasticity = other
            $0.anchored = true
        }
        room.animator.addVelocity(linear: Vector(800, 0), to: room.items[0])
        room.collide(.items)
        for _ in 0..<60 { room.animator.step() }
        let speed = room.animator.motion(of: room.items[0]).velocity.x
        #expect(abs(speed + 800 * max(item, other)) < 1)
    }

    @Test func theSlowDoNotBounce() {
        for (speed, bounces) in [(90.0, false), (110, true)] {
            var room = Room(gravity: 0)
            room.add(300, 300, 60, 60) {
                $0.elasticity = 1
                $0.resistance = 0
            }
            room.animator.addVelocity(linear: Vector(speed, 0), to: room.items[0])
            room.collide()
            for _ in 0..<120 { room.animator.step() }
            #expect((room.animator.motion(of: room.items[0]).velocity.x < -1) == bounces)
        }
    }

    /// On a slope of tan⁻¹ 0.3 an item stays if its friction √(a · 0.2) is greater than that.
    @Test(arguments: [(0.2, true), (0.3, true), (0.6, false), (0.9, false)])
    func frictionIsTheGeometricMean(friction: Double, slides: Bool) {
        var room = Room()
        let slope = [Vector(-2_000, -400), Vector(2_000, 800)]
        let (sine, cosine) = (0.287_347_885_565_634_5, 0.957_826_285_221_151_3)
        room.add(200 + 32 * sine, 260 - 32 * cosine, 60, 60) {
            $0.rotation = 0.291_456_794_477_867_1
            $0.friction = friction
        }
        room.collide(.boundaries, [Boundary(id: "slope", path: slope)])
        for _ in 0..<240 { room.animator.step() }
        #expect((room.center(0).x > 230) == slides)
    }

    // MARK: Paths

    /// A box that reaches a corner of the path with its leading corner could catch there.
    @Test(arguments: [20.0, 47, 90])
    func aSlidingBoxDoesNotCatchAtTheJointsOfAPath(piece: Double) {
        var ends: [Vector] = []
        let pieces = stride(from: -200.0, through: 2_000, by: piece).map { Vector($0, 500) }
        for path in [pieces, [Vector(-200, 500), Vector(2_000, 500)]] {
            var room = Room()
            room.add(0, 470, 60, 60) { $0.elasticity = 0 }
            room.animator.addVelocity(linear: Vector(700, 0), to: room.items[0])
            room.collide(.everything, [Boundary(id: "path", path: path)])
            rest(&room.animator)
            ends.append(room.center(0))
        }
        #expect((ends[0] - ends[1]).length < 0.5)
        #expect(ends[0].x > 800)
    }

    @Test func aCircleRollsOverTheJointsOfAPath() {
        var room = Room()
        room.add(0, 478, 40, 40) {
            $0.shape = .circle
            $0.angularResistance = 0
            $0.resistance = 0
        }
        room.animator.addVelocity(linear: Vector(300, 0), angular: 15, to: room.items[0])
        let path = stride(from: -100.0, through: 2_000, by: 30).map { Vector($0, 500) }
        room.collide(.everything, [Boundary(id: "path", path: path)])
        var heights: [Double] = []
        for step in 0..<360 {
            room.animator.step()
            if step > 60 { heights.append(room.center(0).y) }
        }
        #expect((heights.max() ?? 0) - (heights.min() ?? 0) < 0.1)
        #expect(room.animator.motion(of: room.items[0]).velocity.x > 250)
    }

    /// Degenerate paths are no boundaries and no errors.
    @Test(arguments: [[], [Vector(3, 3)], [Vector(3, 3), Vector(3, 3), Vector(3.1, 3)]])
    func aPathOfNoLengthStopsNothing(path: [Vector]) {
        var room = Room()
        room.add(0, 0, 60, 60)
        room.collide(.everything, [Boundary(id: "path", path: path)])
        for _ in 0..<120 { room.animator.step() }
        #expect(room.center(0).y > 400)
    }
}
