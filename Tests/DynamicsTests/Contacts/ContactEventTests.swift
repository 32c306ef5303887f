import Dynamics
import Geometry
import Testing

extension Room {
    /// The events of some steps, as "step verb parties".
    mutating func told(_ steps: Int, from first: Int = 1) -> [String] {
        var told: [String] = []
        for step in first..<first + steps {
            animator.step()
            for event in animator.contacts {
                let verb = event.phase == .began ? "+" : "-"
                switch event.parties {
                case .items(let a, let b): told.append("\(step) \(verb) \(name(a)) \(name(b))")
                case .boundary(let a, let id): told.append("\(step) \(verb) \(name(a)) \(id)")
                }
            }
        }
        return told
    }

    private func name(_ item: ItemID) -> String {
        items.firstIndex(of: item).map { String($0) } ?? "?"
    }
}

@Suite struct ContactEventTests {
    @Test func aPairBeginsAndEndsOnce() {
        var room = Room(gravity: 0)
        room.add(100, 300, 60, 60) { $0.resistance = 0 }
        room.add(200, 300, 60, 60) {
            $0.anchored = true
            $0.elasticity = 1
        }
        room.collide()
        room.animator.addVelocity(linear: Vector(600, 0), to: room.items[0])
        // 40 pt less both skins at 5 pt a step; then back to the wall, 68 pt less the skins.
        let told = room.told(60)
        #expect(told.count == 4)
        #expect(
            told.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                "+ 0 1", "- 0 1", "+ 0 walls", "- 0 walls",
            ])
    }

    @Test func beganContactsComeBeforeEndedOnesAndOlderItemsFirst() throws {
        var room = Room(gravity: 0)
        // The younger pair parts in the step in which the older items hit the wall.
        for y in [100.0, 300] { room.add(340, y, 60, 60) { $0.resistance = 0 } }
        room.add(310, 500, 60, 60) { $0.resistance = 0 }
        room.add(372, 500, 60, 60) { $0.anchored = true }
        room.collide()
        for item in room.items[..<2].reversed() {
            room.animator.addVelocity(linear: Vector(300, 0), to: item)
        }
        #expect(room.told(10) == ["1 + 2 3"])
        room.animator.addVelocity(linear: Vector(-500, 0), to: room.items[2])
        #expect(room.told(1, from: 11) == [])
        #expect(room.told(1, from: 12) == ["12 + 0 walls", "12 + 1 walls", "12 - 2 3"])
    }

    /// A body and a closed path are one pair, however many segments the path has.
    @Test func aBoundaryIsOneHoweverManyPiecesItHas() {
        var room = Room()
        room.add(60, 468, 60, 60) { $0.elasticity = 0 }
        room.animator.addVelocity(linear: Vector(500, 0), to: room.items[0])
        let path = stride(from: -40.0, through: 900, by: 20).map { Vector($0, 500) }
        room.collide(.everything, [Boundary(id: "path", path: path)])
        let told = room.told(400)
        #expect(told.count == 1)
        #expect(told.first?.hasSuffix("+ 0 path") == true)
    }

    @Test func aPointIsWhereTheyTouch() {
        var room = Room()
        room.add(200, 566, 60, 60) { $0.elasticity = 0 }
        room.collide()
        var points: [Vector] = []
        for _ in 0..<30 {
            room.animator.step()
            points += room.animator.contacts.map(\.point)
        }
        #expect(points.count == 1)
        #expect(abs((points.first?.x ?? 0) - 200) < 0.1)
        #expect(abs((points.first?.y ?? 0) - 599) < 2)
    }

    @Test func aRestingWorldReportsNoContacts() {
        var room = Room()
        room.add(200, 560, 60, 60)
        room.collide()
        rest(&room.animator)
        let before = room.animator
        room.animator.step()
        #expect(room.animator.contacts.isEmpty)
        #expect(room.animator.motion(of: room.items[0]) == before.motion(of: room.items[0]))
    }

    /// An impact within a step is reported in that step.
    @Test func aFastImpactIsReported() {
        var room = Room(gravity: 0)
        room.add(200, 300, 60, 60)
        room.collide()
        room.animator.addVelocity(linear: Vector(20_000, 0), to: room.items[0])
        let told = room.told(6)
        #expect(told.first?.hasSuffix("+ 0 walls") == true)
        #expect(told.contains { $0.hasSuffix("- 0 walls") })
    }
}
