import Geometry
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// A session in a storm, and at any time what would come back of it.
private struct Life {
    var session: Session
    private var storm: Storm

    init(seed: UInt64) {
        storm = Storm(seed: seed)
        session = Session(
            id: "alice", epoch: "e.1", scene: .phone(frameRate: 60, seed: seed),
            opened: Theater.opened, frameRate: 60, key: 42)
    }

    mutating func goOn() {
        let event = Event(storm.payload(), id: storm.id())
        let received = Double(session.instant.nanoseconds) / 1e6
        _ = session.receive(event, received: received)
        for _ in 0..<storm.pause() { session.advance(to: session.clock + 1) }
    }

    var record: SavedSession {
        get throws { try #require(session.record(generation: 3)) }
    }

    func restored() throws -> Session {
        Session(
            id: "alice", epoch: "e.2", scene: session.scene, opened: Theater.opened,
            frameRate: 60,
            beginning: .restored(try record, marks: session.seen.marks(since: 0)), key: 42)
    }

    /// Whether nobody holds anything, so that nothing depends on what comes next.
    var isFree: Bool {
        session.trackings.isEmpty && !session.machines.contains { $0.phase == "dragging" }
    }
}

@Suite struct RestoreTests {
    @Test(arguments: 0..<160 as Range<UInt64>)
    func aRestoredSessionIsAtRestAndTheSame(seed: UInt64) throws {
        var life = Life(seed: seed)
        for event in 0..<40 {
            life.goOn()
            let restored = try life.restored()
            let place = Comment("seed \(seed), event \(event)")
            #expect(!restored.isMoving, place)
            #expect(try #require(restored.record(generation: 3)) == (try life.record), place)
            #expect(restored.seen == life.session.seen, place)
            let (counts, former) = (restored.badges.counts, life.session.badges.counts)
            #expect(counts == former, place)
            var later = restored
            later.advance(to: Step(20 * Step.perSecond))
            #expect(later.machines.map(\.phase) == restored.machines.map(\.phase), place)
        }
    }

    @Test(arguments: 0..<160 as Range<UInt64>)
    func aRestoredSessionIsWhereItWouldHaveSettled(seed: UInt64) throws {
        var life = Life(seed: seed)
        for event in 0..<40 {
            life.goOn()
            guard life.isFree else { continue }
            var settled = life.session
            settled.advance(to: settled.clock + 30 * Step.perSecond)
            while settled.isMoving { settled.advance(to: settled.clock + 1) }
            let (record, later) = (try life.record, try #require(settled.record(generation: 3)))
            #expect(record.components == later.components, "seed \(seed), event \(event)")
        }
    }

    @Test func aSceneThatWasChangedKeepsWhatItStillHas() throws {
        var life = Life(seed: 1)
        for _ in 0..<40 { life.goOn() }
        var record = try life.record
        record.components.removeAll { $0.id == "tips" }
        let index = try #require(record.components.firstIndex { $0.id == "list" })
        record.components[index].state = SavedState(Reader.self, .init(index: 3))
        record.components.append(.init(id: "gone", state: SavedState(Toss.self, .init())))
        let restored = Session(
            id: "alice", epoch: "e.2", scene: life.session.scene, opened: Theater.opened,
            frameRate: 60, beginning: .restored(record, marks: []))
        let fresh = Life(seed: 1).session
        for id in ["tips", "list"] {
            let place = try fresh.index(of: id)
            #expect(restored.machines[place].phase == fresh.machines[place].phase)
        }
        #expect(restored.badges.counts == record.counts)
    }

    /// Whatever a file says, nothing outside a component's bounds comes of it.
    @Test(arguments: [(Int.max, []), (.min, ["a", "a"]), (-1, ["no name"])])
    func statesBeyondAScenesBoundsAreBroughtWithin(far: Int, stack: [String]) throws {
        let scene = Scene.phone(frameRate: 60, seed: 1)
        let states: [(String, SavedState)] = [
            ("tips", SavedState(Tips.self, .init(index: far, isPresented: true))),
            ("navigation", SavedState(Navigation.self, .init(stack: stack))),
            ("profile", SavedState(Profile.self, .init(offset: Double(far)))),
            ("list", SavedState(List.self, .init(selected: far))),
            ("reader", SavedState(Reader.self, .init(index: far))),
            (
                "tabs",
                SavedState(
                    Tabs.self,
                    .init(selected: far, glows: Array(repeating: true, count: 99), bubble: far))
            ),
        ]
        let record = SavedSession(
            source: .named("phone"), seed: 1,
            components: states.map { .init(id: $0.0, state: $0.1) }, counts: BadgeCounts(),
            version: 0, generation: 0, seenTotal: .max)
        let restored = Session(
            id: "alice", epoch: "e.2", scene: scene, opened: Theater.opened, frameRate: 60,
            beginning: .restored(record, marks: [SeenIDs.Mark(place: 7, hash: 1)]))
        for machine in restored.machines { #expect(Picture(machine).isFinite) }
        #expect(try #require(restored.record()).seenTotal == 0)
    }
}

/// The parts of a world that come back.
@Suite struct WorldRestoreTests {
    private func opened(_ scene: Scene, _ beginning: Session.Beginning) -> Session {
        Session(
            id: "alice", epoch: "e.2", scene: scene, opened: Theater.opened, frameRate: 60,
            beginning: beginning)
    }

    /// The views but for their cuts, which a new epoch counts anew.
    private func uncut(_ session: Session) -> [String: ViewState] {
        Picture(session.machines[0]).views.mapValues { view in
            var view = view
            view.cut = 0
            return view
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func aWorldComesBackAtRestWhereItWas(seed: UInt64) throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        let scene = named(.single("world", .init(world)))
        var session = opened(scene, .new(version: 0))
        var storm = WorldStorm(random: SplitMix64(seed: seed))
        for event in 0..<30 {
            _ = session.receive(Event(storm.payload()), received: 0)
            for _ in 0..<storm.random.whole(in: 0...9) { session.advance(to: session.clock + 1) }
            let record = try #require(session.record())
            var restored = opened(scene, .restored(record, marks: []))
            let place = Comment("seed \(seed), event \(event)")
            #expect(!restored.isMoving && restored.machines[0].phase == "resting", place)
            let then = uncut(session)
            #expect(uncut(restored) == then, place)
            #expect(try #require(restored.record()) == record, place)
            restored.advance(to: Step(600))
            #expect(uncut(restored) == then, place)
            let cuts = Picture(restored.machines[0]).views.values.map(\.cut)
            #expect(cuts.allSatisfy { $0 == 0 }, place)
        }
    }

    /// With a push that nobody put in, the world is rebuilt from its description.
    @Test func anUnreadableWorldIsReported() throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        let scene = named(.single("world", .init(world)))
        var session = opened(scene, .new(version: 0))
        for _ in 0..<30 { session.advance(to: session.clock + 1) }
        var record = try #require(session.record())
        for isSpoiled in [false, true] {
            if isSpoiled {
                let saved = try #require(record.components[0].state.value as? World.Saved)
                let node = saved.world.tree
                let bodies = Sheet(node)["bodies"]
                var animator = try #require(bodies?["animator"])
                let pushes = try #require(animator["pushes"]?.node.array)
                animator["pushes"] = Sheet((pushes + pushes).map { Sheet($0) })
                var (spoiled, spoiledBodies) = (Sheet(node), try #require(bodies))
                spoiledBodies["animator"] = animator
                spoiled["bodies"] = spoiledBodies
                record.components[0].state = SavedState(
                    World.self, .init(world: SavedWorld(spoiled.node)))
            }
            var restored = opened(scene, .restored(record, marks: []))
            var log = UpdateLog()
            let frame = restored.flushUrgent(to: .all, into: &log)
            #expect(frame.worldsUnread == (isSpoiled ? 1 : 0))
            #expect(restored.flushUrgent(to: .all, into: &log).worldsUnread == 0)
            let (now, then) = (Picture(restored.machines[0]), Picture(session.machines[0]))
            #expect(Set(now.views.keys) == Set(then.views.keys))
            for (name, view) in then.views {
                // A group that is made anew weighs its members anew, by a rounding.
                let center = try #require(now.views[name]?.center)
                #expect((center - view.center).length < 1e-9, "\(name), spoiled: \(isSpoiled)")
            }
        }
    }

    /// A rod keeps the length that it had when it was added, and the world still reacts.
    @Test func aRestoredWorldKeepsItsLengths() throws {
        let table: Sheet = [
            "items": [["id": "card", "center": [160, 200], "size": [40, 40]]],
            "behaviors": [
                ["id": "rod", "kind": "attachment", "item": "card", "anchor": [160, 100]]
            ],
        ]
        let scene = named(.single("world", .init(try WorldParameters(table.node))))
        var session = opened(scene, .new(version: 0))
        let push = (["item": "card", "dx": 200, "dy": 0] as Sheet).members
        let event = Event(.command(component: "world", ComponentCommand("add-velocity", push)))
        #expect(session.receive(event, received: 0) == .applied)
        session.advance(to: Step(17))
        var restored = opened(scene, .restored(try #require(session.record()), marks: []))
        #expect(restored.receive(event, received: 0) == .applied)
        for _ in 0..<200 {
            restored.advance(to: restored.clock + 1)
            let card = try #require(Picture(restored.machines[0]).views["card"])
            #expect(abs((card.center - Vector(160, 100)).length - 100) < 1)
        }
    }

    /// A version with another format of bodies rebuilds the world from its items and behaviors.
    @Test(arguments: 0..<16 as Range<UInt64>)
    func aWorldOfAnotherVersionIsRebuilt(seed: UInt64) throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        let scene = named(.single("world", .init(world)))
        var session = opened(scene, .new(version: 0))
        var storm = WorldStorm(random: SplitMix64(seed: seed))
        for _ in 0..<30 {
            _ = session.receive(Event(storm.payload()), received: 0)
            for _ in 0..<storm.random.whole(in: 0...9) { session.advance(to: session.clock + 1) }
        }
        var record = try #require(session.record())
        let saved = try #require(record.components[0].state.value as? World.Saved)
        let members = try #require(saved.world.tree.members).filter { $0.name != "bodies" }
        record.components[0].state = SavedState(
            World.self, .init(world: SavedWorld(Node(.object(members)))))
        let restored = opened(scene, .restored(record, marks: []))
        let (now, then) = (Picture(restored.machines[0]).views, Picture(session.machines[0]).views)
        #expect(restored.machines[0].phase == "resting" && now.keys == then.keys)
        for (name, view) in then {
            let other = try #require(now[name])
            #expect((other.center - view.center).length < 1e-6, "seed \(seed), \(name)")
            #expect(other.size == view.size && other.scale == view.scale)
        }
    }

    /// After a damaged document the session has the scene's own world.
    @Test func anUnreadableWorldLeavesTheScenesOwn() throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        let scene = named(.single("world", .init(world)))
        let fresh = opened(scene, .new(version: 0))
        for node in [Node(.null), Node(.object([])), Node(.array([]))] {
            var record = try #require(fresh.record())
            record.components[0].state = SavedState(World.self, .init(world: SavedWorld(node)))
            let restored = opened(scene, .restored(record, marks: []))
            #expect(restored.machines[0].phase == "resting")
            #expect(
                Picture(restored.machines[0]).views == Picture(fresh.machines[0]).views)
        }
    }

    /// Contacts come by the thousand and settle nothing.
    @Test func contactsAreNoReasonToStoreAnything() throws {
        let table: Sheet = [
            "items": [["id": "ball", "center": [160, 500], "size": [20, 20]]],
            "behaviors": [
                ["id": "fall", "kind": "gravity", "items": ["ball"]],
                ["id": "bounce", "kind": "item", "items": ["ball"], "elasticity": 0.9],
                ["id": "walls", "kind": "collision", "items": ["ball"], "bounds": true],
            ],
        ]
        let scene = named(.single("world", .init(try WorldParameters(table.node))))
        var theater = Theater(scene)
        _ = theater.session.takeDirtyParts()
        func contacts() -> Int {
            theater.told("transition/world").count { $0.line?.hasPrefix("contact") == true }
        }
        while contacts() < 5 {
            theater.step()
            try #require(theater.session.clock < Step(600) && theater.session.isMoving)
        }
        let onTheWay = theater.session.takeDirtyParts()
        #expect(onTheWay == [])
        #expect(theater.stepsToRest(limit: 7_200) != nil)
        let atRest = theater.session.takeDirtyParts()
        #expect(atRest == .component(0))
    }

    private func named(_ scene: Scene) -> Scene {
        var scene = scene
        scene.name = "worlds"
        return scene
    }
}

@Suite struct SeenIDsTests {
    @Test func theOldestIsForgotten() {
        var seen = SeenIDs()
        for hash in 0..<UInt128(Limits.idsRememberedMax + 3) { seen.insert(hash) }
        #expect(!seen.contains(2) && seen.contains(3))
        #expect(seen.total == Limits.idsRememberedMax + 3)
        #expect(seen.marks(since: seen.total - 1) == [.init(place: 2, hash: 1_026)])
        #expect(seen.marks(since: 0).count == Limits.idsRememberedMax)
    }

    @Test(arguments: [0, 5, 1_023, 1_024, 1_030, 3_000])
    func itComesBackFromItsMarks(count: Int) {
        var seen = SeenIDs()
        for hash in 0..<UInt128(count) { seen.insert(hash) }
        let back = SeenIDs(total: seen.total, marks: seen.marks(since: 0).shuffled())
        #expect(back == seen)
    }
}
