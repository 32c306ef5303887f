import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// Several people at one table.
@Suite struct ManyHandsTests {
    @Test func twoPeopleDragTwoPhotos() {
        for isRouted in [true, false] {
            var table = Table(isRouted: isRouted)
            for (pointer, item) in [(1, "p0"), (2, "p3")] {
                table.land(pointer, on: item)
                table.move(pointer, by: Vector(0, 12))
            }
            for _ in 0..<20 {
                table.move(1, by: Vector(4, 0))
                table.move(2, by: Vector(-4, 0))
                table.theater.step(2)
            }
            #expect(abs(table.center("p0").x - 180) < 10 && abs(table.center("p3").x - 620) < 10)
            table.lift(1)
            table.theater.step(240)
            #expect(table.center("p0").x > 200, "it is thrown")
            #expect(abs(table.center("p3").x - 620) < 10, "it is held")
            table.lift(2)
            #expect(table.theater.stepsToRest() != nil)
        }
    }

    @Test func oneDragsWhileAnotherPinches() throws {
        var table = Table()
        _ = table.theater.stepsToRest()
        table.land(1, on: "p0")
        table.land(2, on: "p5", at: Vector(-30, 0))
        table.land(3, on: "p5", at: Vector(30, 0))
        #expect(table.theater.picture("photos").phase == "resting")
        for _ in 0..<30 {
            table.move(1, by: Vector(3, 3))
            table.move(2, by: Vector(-1, 0))
            table.move(3, by: Vector(1, 0))
            table.theater.step()
        }
        let pinched = try #require(table.view("p5"))
        #expect(pinched.scale > 1.6 && (pinched.center - Vector(300, 450)).length < 0.01)
        #expect((table.center("p0") - Vector(190, 240)).length < 30)
        #expect(table.view("p1")?.center == Vector(300, 150), "nobody has touched it")
    }

    @Test func aRuleOfOneKeepsTheOldOne() {
        var table = Table(["drag": "one"])
        table.land(1, on: "p0")
        table.move(1, by: Vector(0, 12))
        table.land(2, on: "p3")
        table.move(2, by: Vector(0, 12))
        for _ in 0..<20 {
            table.move(1, by: Vector(4, 0))
            table.move(2, by: Vector(-4, 0))
            table.theater.step(2)
        }
        #expect(abs(table.center("p0").x - 180) < 10)
        #expect(table.center("p3") == Vector(700, 150))
    }

    @Test func aGroupMovesAndTurnsAndKeepsItsSize() throws {
        var table = Table(["behaviors": []])
        let group: Sheet = ["id": "g", "kind": "group", "items": ["p0", "p1"]]
        table.command("add-behavior", ["behavior": group])
        table.land(1, on: "p0")
        table.land(2, on: "p1")
        for _ in 0..<12 {
            table.move(2, by: Vector(0, 5))
            table.move(1, by: Vector(-5, 0))
        }
        table.theater.step(4)
        let (one, other) = (try #require(table.view("p0")), try #require(table.view("p1")))
        #expect(one.scale == 1 && other.scale == 1)
        #expect(one.rotation > 0.1 && one.rotation == other.rotation)
        #expect(abs((one.center - other.center).length - 200) < 1e-9)
        // A person at another corner of the group belongs to the same hold.
        table.land(3, on: "p1", at: Vector(0, 20))
        #expect(table.theater.session.recognizer(on: 0) == .pinch)
    }

    @Test func aPublishersOwnGestureTakesItsItemOnly() {
        var table = Table()
        for (pointer, item) in [(1, "p0"), (2, "p3")] {
            table.land(pointer, on: item)
            table.move(pointer, by: Vector(0, 12))
        }
        table.theater.pan("photos", .began, 700, 150)
        table.theater.pan("photos", .changed, 700, 250)
        table.move(2, by: Vector(-300, 0))
        table.move(1, by: Vector(50, 0))
        table.theater.step(30)
        #expect(abs(table.center("p3").x - 700) < 2 && abs(table.center("p3").y - 250) < 8)
        #expect(abs(table.center("p0").x - 150) < 5)
    }

    @Test func anItemThatGoesTakesNoOtherWithIt() {
        var table = Table()
        for (pointer, item) in [(1, "p0"), (2, "p0"), (3, "p3")] {
            table.land(pointer, on: item, at: Vector(Double(pointer) * 10, 0))
            table.move(pointer, by: Vector(0, 12))
        }
        table.command("remove-item", ["item": "p0"])
        table.move(1, by: Vector(5, 5))
        table.move(2, by: Vector(5, 5))
        for _ in 0..<10 { table.move(3, by: Vector(-5, 0)) }
        table.theater.step(10)
        #expect(abs(table.center("p3").x - 650) < 5)
        for pointer in [1, 2, 3] { table.lift(pointer) }
        #expect(table.theater.stepsToRest() != nil)
    }

    @Test func aHoldGoesOnToTheBitAfterAnImport() throws {
        var table = Table()
        for (pointer, item, x) in [(1, "p0", 0.0), (2, "p0", 20), (3, "p0", -20), (4, "p3", 0)] {
            table.land(pointer, on: item, at: Vector(x, 0))
            table.move(pointer, by: Vector(0, 12))
        }
        table.theater.step(3)
        var other = table
        let state = Node(encoding: table.theater.session.state)
        other.theater.session = try Session(
            try state.decode(SessionSnapshot.self), id: "alice",
            scene: table.theater.session.scene, frameRate: 60, key: 0, continuing: .same)
        for number in 0..<30 {
            for one in [1, 2, 3, 4] {
                let way = Vector(Double((number * one) % 7) - 3, Double((number + one) % 5) - 2)
                table.move(one, by: way)
                other.move(one, by: way)
            }
            if number == 15 {
                table.lift(2)
                other.lift(2)
            }
            table.theater.step()
            other.theater.step()
            #expect(table.theater.picture("photos") == other.theater.picture("photos"))
        }
    }

    @Test func twoPeopleTapTwoTabs() {
        var theater = Theater(.phone())
        theater.flush()
        let width = 320.0 / 5
        theater.pointer("tabs", .began, 1, width / 2, 550)
        theater.pointer("tabs", .began, 2, 2.5 * width, 550)
        func isLit(_ item: Int) -> Bool {
            theater.picture("tabs").fields["items.\(item).highlighted"] == .flag(true)
        }
        #expect(theater.picture("tabs").fields["selected"] == .whole(2))
        #expect(isLit(2) && !isLit(0), "the last one lights it")
        theater.pointer("tabs", .ended, 1, width / 2, 550)
        #expect(isLit(2))
        theater.pointer("tabs", .ended, 2, 2.5 * width, 550)
        #expect(!isLit(2))
    }

    @Test func anExclusiveItemIsForWhoHoldsIt() {
        let items: Sheet = [
            ["id": "one", "center": [200, 300], "size": [200, 200], "exclusive": true]
        ]
        var table = Table(["items": items, "behaviors": []])
        table.land(1, on: "one", user: "anna")
        table.move(1, by: Vector(0, 12))
        table.land(2, on: "one", at: Vector(50, 0), user: "ben")
        table.move(2, by: Vector(200, 0))
        table.theater.step(4)
        #expect(abs(table.center("one").x - 200) < 1, "ben's finger does nothing")
        table.land(3, on: "one", at: Vector(50, 0), user: "anna")
        table.move(3, by: Vector(0, 40))
        table.theater.step(4)
        #expect(table.view("one")?.rotation != 0, "anna's second finger holds it with the first")
        table.lift(1)
        table.lift(3)
        let place = table.center("one")
        table.move(2, by: Vector(-100, 0))
        table.theater.step(4)
        #expect((table.center("one") - place).length < 60, "a contact that was ignored stays so")
        table.land(4, on: "one", user: "ben")
        for _ in 0..<10 { table.move(4, by: Vector(20, 0)) }
        table.theater.step(10)
        #expect(table.center("one").x > place.x + 100, "the item is free")
    }

    /// Values that a command sets of an item that two fingers hold, and where it stands then.
    private static let settings: [(Sheet, Vector, Double, Double)] = [
        (["center": [400, 300]], Vector(400, 300), 0, 1),
        (["rotation": 1], Vector(200, 300), 1, 1),
        (["scale": 2], Vector(200, 300), 0, 2),
        (["center": [400, 300], "rotation": 1, "scale": 0.5], Vector(400, 300), 1, 0.5),
    ]

    @Test(arguments: settings)
    func aHoldGoesOnFromWhereACommandPutsItsItem(
        values: Sheet, center: Vector, turn: Double, scale: Double
    ) throws {
        let items: Sheet = [["id": "one", "center": [200, 300], "size": [100, 80]]]
        var table = Table(["items": items, "behaviors": []])
        table.land(1, on: "one", at: Vector(-30, 0))
        table.land(2, on: "one", at: Vector(30, 0))
        for _ in 0..<4 {
            table.move(1, by: Vector(-4, 0))
            table.move(2, by: Vector(4, 0))
        }
        let before = try #require(table.view("one"))
        table.command("set", ["item": "one", "values": values])
        func check(_ factor: Double) throws {
            let view = try #require(table.view("one"))
            // Farther from the middle of the fingers it goes farther.
            let place = center + (center - Vector(200, 300)) * (factor - 1)
            #expect((view.center - place).length < 0.01, "\(view)")
            #expect(abs(view.rotation - turn) < 1e-9)
            let start = scale == 1 ? before.scale : scale
            #expect(abs(view.scale - start * factor) < 0.001)
        }
        try check(1)
        table.theater.step(4)
        try check(1)
        // From 92 points between the fingers to 115.
        table.move(1, by: Vector(-11.5, 0))
        table.move(2, by: Vector(11.5, 0))
        table.theater.step(2)
        try check(1.25)
    }

    @Test func contactsBesideAnExclusiveItemAreOnePersons() throws {
        for users in [("anna", "anna"), ("anna", "ben")] {
            let items: Sheet = [
                ["id": "one", "center": [200, 300], "size": [40, 40], "exclusive": true]
            ]
            var table = Table(["items": items, "behaviors": []], isRouted: false)
            table.land(1, on: "one", at: Vector(-50, 0), user: users.0)
            table.land(2, on: "one", at: Vector(50, 0), user: users.1)
            // At once, so that the middle is no longer on the item.
            table.move(2, by: Vector(60, 0))
            for _ in 0..<4 { table.move(2, by: Vector(5, 0)) }
            let isHeld = users.0 == users.1
            #expect((table.theater.session.recognizer(on: 0) == .pinch) == isHeld)
            table.land(3, on: "one", user: "ben")
            for _ in 0..<8 { table.move(3, by: Vector(0, 5)) }
            table.theater.step(4)
            let phases = table.theater.session.recognizer(on: 0)
            #expect(phases == (isHeld ? .pinch : .pan), "nobody takes it from anna's hands")
        }
    }

    @Test func aCommandGivesAnItemToOnePersonOrToAll() {
        for isExclusive in [true, false] {
            var table = Table()
            table.command(
                "set", ["item": "p0", "values": ["exclusive": Sheet(Node(.bool(isExclusive)))]])
            table.land(1, on: "p0", user: "anna")
            for _ in 0..<4 { table.move(1, by: Vector(0, 3)) }
            table.land(2, on: "p0", at: Vector(30, 0), user: "ben")
            for _ in 0..<4 { table.move(2, by: Vector(0, 10)) }
            #expect((table.theater.session.recognizer(on: 0) == .pan) == isExclusive)
        }
    }

    // MARK: Storms

    #if DEBUG
        private static let storms = 60
    #else
        private static let storms = Int(Storms.count(of: 10_000))
    #endif

    /// Fingers of many people come, move and go. Each item that two and more hold stands where the
    /// least squares say, and none jumps when a finger comes or goes.
    @Test func everyHoldStandsWhereItsFingersSay() {
        var faults: [String] = []
        for seed in 0..<Self.storms {
            var crowd = Crowd(seed: UInt64(seed))
            crowd.play(events: 60)
            faults += crowd.faults.map { "seed \(seed): \($0)" }
        }
        #expect(faults.isEmpty, "\(faults.prefix(20).joined(separator: "\n"))")
    }
}

/// Random fingers on a table, and where the items must stand that two and more of them hold.
private struct Crowd {
    private struct Hold {
        /// The fingers' places when they became these, by finger.
        var bases: [Int: Vector]
        var pose: ViewState
    }

    private var table = Table()
    private var random: SplitMix64
    /// The item of each finger that is down.
    private var items: [Int: String] = [:]
    private var holds: [String: Hold] = [:]
    private(set) var faults: [String] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func play(events: Int) {
        for event in 0..<events where faults.isEmpty {
            let finger = random.whole(in: 0...11)
            let before = table.theater.picture("photos").views
            if items[finger] == nil {
                land(finger)
                check(before, "\(event): landed")
            } else if random.whole(in: 0...4) == 0 {
                lift(finger)
                check(before, "\(event): lifted")
            } else {
                let way = Vector(random.unit() * 60 - 30, random.unit() * 60 - 30)
                table.move(finger, by: way)
            }
            for _ in 0..<random.whole(in: 0...3) {
                checkHolds("\(event)")
                table.theater.step()
            }
            checkHolds("\(event)")
        }
    }

    private mutating func land(_ finger: Int) {
        let place = Vector(random.unit() * 800, random.unit() * 600)
        let hit = table.theater.session.hit(at: place)
        guard let item = hit?.view else { return }
        items[finger] = item
        table.land(finger, at: place)
        // The first one drags at once, so that the others join it.
        if items.values.count(where: { $0 == item }) == 1 {
            table.move(finger, by: Vector(0, 11))
        }
        begin(item)
    }

    private mutating func lift(_ finger: Int) {
        guard let item = items.removeValue(forKey: finger) else { return }
        table.lift(finger)
        begin(item)
    }

    /// The fingers on an item are others now.
    private mutating func begin(_ item: String) {
        let fingers = items.filter { $0.value == item }.keys
        holds[item] = nil
        guard fingers.count >= 2, let pose = table.view(item) else { return }
        let places = fingers.map { ($0, table.fingers[$0] ?? .zero) }
        holds[item] = Hold(bases: Dictionary(uniqueKeysWithValues: places), pose: pose)
    }

    /// Nothing has jumped by an event alone.
    private mutating func check(_ before: [String: ViewState], _ event: String) {
        for (item, view) in table.theater.picture("photos").views {
            guard let former = before[item] else { continue }
            let isSame =
                (view.center - former.center).length < 1e-9
                && abs(view.rotation - former.rotation) < 1e-9
                && abs(view.scale - former.scale) < 1e-9
            if !isSame { faults.append("\(event): \(item) jumps from \(former) to \(view)") }
        }
    }

    private mutating func checkHolds(_ event: String) {
        for (item, hold) in holds {
            guard let view = table.view(item) else { continue }
            let count = Double(hold.bases.count)
            var (origin, middle) = (Vector.zero, Vector.zero)
            for (finger, base) in hold.bases {
                origin += base / count
                middle += (table.fingers[finger] ?? .zero) / count
            }
            // The normal equations of x' = a x − b y + c, y' = b x + a y + d.
            var (a, b, square) = (0.0, 0.0, 0.0)
            for (finger, base) in hold.bases {
                let p = base - origin
                let q = (table.fingers[finger] ?? .zero) - middle
                a += p.x * q.x + p.y * q.y
                b += p.x * q.y - p.y * q.x
                square += p.x * p.x + p.y * p.y
            }
            guard square >= 1 else { continue }
            (a, b) = (a / square, b / square)
            let length = (a * a + b * b).squareRoot()
            guard length > 1e-6 else { continue }
            let scale = min(max(hold.pose.scale * length, 0.1), 10)
            let factor = scale / hold.pose.scale / length
            let arm = hold.pose.center - origin
            let center =
                middle + Vector(a * arm.x - b * arm.y, b * arm.x + a * arm.y) * factor
            if (view.center - center).length > 1e-3 || abs(view.scale - scale) > 1e-6 {
                faults.append("\(event): \(item) is at \(view), not at \(center), \(scale)")
            }
        }
    }
}
