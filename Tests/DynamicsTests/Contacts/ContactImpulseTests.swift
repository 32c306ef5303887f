import Dynamics
import Geometry
import Testing

/// A contact that begins tells how hard it is: mass times the change of velocity.
@Suite struct ContactImpulseTests {
    /// The impulse of the next contact that begins, and how much slower its step made an item, the
    /// step's gravity aside.
    private func meet(_ room: inout Room, item: Int = 0) throws -> (impulse: Double, change: Vector)
    {
        let gravity = room.animator.gravity * (1_000 * Step.seconds)
        for _ in 0..<600 {
            let before = room.animator.motion(of: room.items[item]).velocity
            room.animator.step()
            guard let event = room.animator.contacts.first else { continue }
            #expect(event.phase == .began)
            let after = room.animator.motion(of: room.items[item]).velocity
            return (try #require(event.impulse), before + gravity - after)
        }
        Issue.record("nothing met")
        return (0, .zero)
    }

    private static let floor = Boundary(id: "floor", path: [Vector(-900, 500), Vector(900, 500)])
    private static let tiles = Boundary(
        id: "floor", path: stride(from: -900, through: 900, by: 20).map { Vector($0, 500) })

    /// A square of 100 pt has mass 1.
    @Test(arguments: [floor, tiles], [(100.0, 1.0), (60, 0.36), (40, 0.16)])
    func aDropIsAsHardAsItIsFast(floor: Boundary, box: (side: Double, mass: Double)) throws {
        var impulses: [Double] = []
        for height in [20.0, 80, 320] {
            for elasticity in [0.0, 0.8] {
                var room = Room()
                room.add(200, 500 - box.side / 2 - height, box.side, box.side) {
                    ($0.elasticity, $0.resistance) = (elasticity, 0)
                }
                room.collide(.everything, [floor])
                let (impulse, change) = try meet(&room)
                #expect(abs(impulse - box.mass * change.y) < 0.03 * impulse, "\(height)")
                // v = √2gh, with 1,000 pt/s², and 1.2 v back from the floor if it bounces.
                let speed = (2_000 * height).squareRoot() * (1 + max(0.2, elasticity))
                #expect(abs(impulse - box.mass * speed) < 0.15 * box.mass * speed, "\(height)")
                impulses.append(impulse)
            }
        }
        #expect(impulses[0] < impulses[2] && impulses[2] < impulses[4])
    }

    /// One that would pass the floor within a step is stopped in its midst.
    @Test func anImpactWithinAStepIsToldWhole() throws {
        var room = Room(gravity: 0)
        room.add(200, 200, 100, 100) { ($0.elasticity, $0.resistance) = (0, 0) }
        room.collide(.everything, [Self.floor])
        room.animator.addVelocity(linear: Vector(0, 12_000), to: room.items[0])
        let (impulse, change) = try meet(&room)
        #expect(abs(impulse - change.y) < 0.03 * impulse && change.y > 12_000)
    }

    @Test func aGrazeIsSoft() throws {
        var room = Room(gravity: 0)
        room.add(-400, 447, 100, 100) { $0.resistance = 0 }
        room.collide(.everything, [Self.floor])
        room.animator.addVelocity(linear: Vector(1_500, 10), to: room.items[0])
        let (impulse, _) = try meet(&room)
        #expect(impulse > 0 && impulse <= 20)
    }

    @Test func itemsMeetWithWhatTheyExchange() throws {
        var room = Room(gravity: 0)
        room.add(100, 300, 100, 100) { ($0.elasticity, $0.resistance) = (0, 0) }
        room.add(250, 300, 60, 60) { ($0.elasticity, $0.resistance) = (0, 0) }
        room.collide(.items)
        room.animator.addVelocity(linear: Vector(500, 0), to: room.items[0])
        let (impulse, change) = try meet(&room)
        // Both go on as one: 1 · 0.36 / 1.36 · 500.
        #expect(abs(impulse - change.x) < 0.03 * impulse)
        #expect(abs(impulse - 132.4) < 4)
    }

    @Test func aTouchWithoutApproachHasNoImpulse() throws {
        var room = Room(gravity: 0)
        room.add(200, 449, 100, 100)
        room.collide(.everything, [Self.floor])
        room.animator.step()
        #expect(room.animator.contacts.map(\.impulse) == [0])
    }

    @Test func anEndHasNone() throws {
        var room = Room()
        room.add(200, 300, 60, 60) { $0.elasticity = 1 }
        room.collide(.everything, [Self.floor])
        _ = try meet(&room)
        for _ in 0..<60 {
            room.animator.step()
            guard let event = room.animator.contacts.first else { continue }
            #expect(event.phase == .ended && event.impulse == nil)
            return
        }
        Issue.record("it never left")
    }
}
