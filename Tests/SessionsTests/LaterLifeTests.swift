import Geometry
import Interactions
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

    var record: SessionRecord {
        get throws { try #require(session.record(life: 3)) }
    }

    func restored() throws -> Session {
        Session(
            id: "alice", epoch: "e.2", scene: session.scene, opened: Theater.opened,
            frameRate: 60,
            beginning: .restored(try record, marks: session.seen.marks(since: 0)), key: 42)
    }

    /// Whether nobody holds anything, so that nothing depends on what comes next.
    var isFree: Bool {
        session.hands.isEmpty && !session.machines.contains { $0.phase == "dragging" }
    }
}

@Suite struct LaterLifeTests {
    @Test(arguments: 0..<160 as Range<UInt64>)
    func whatComesBackIsAtRestAndTheSame(seed: UInt64) throws {
        var life = Life(seed: seed)
        for event in 0..<40 {
            life.goOn()
            let restored = try life.restored()
            let place = Comment("seed \(seed), event \(event)")
            #expect(!restored.isMoving, place)
            #expect(try #require(restored.record(life: 3)) == (try life.record), place)
            #expect(restored.seen == life.session.seen, place)
            let (counts, former) = (restored.badges.counts, life.session.badges.counts)
            #expect(counts == former, place)
            var later = restored
            later.advance(to: Step(20 * Step.perSecond))
            #expect(later.machines.map(\.phase) == restored.machines.map(\.phase), place)
        }
    }

    @Test(arguments: 0..<160 as Range<UInt64>)
    func itIsWhereEverythingWouldHaveSettled(seed: UInt64) throws {
        var life = Life(seed: seed)
        for event in 0..<40 {
            life.goOn()
            guard life.isFree else { continue }
            var settled = life.session
            settled.advance(to: settled.clock + 30 * Step.perSecond)
            while settled.isMoving { settled.advance(to: settled.clock + 1) }
            let (record, later) = (try life.record, try #require(settled.record(life: 3)))
            #expect(record.components == later.components, "seed \(seed), event \(event)")
        }
    }

    @Test func aSceneThatWasChangedKeepsWhatItStillHas() throws {
        var life = Life(seed: 1)
        for _ in 0..<40 { life.goOn() }
        var record = try life.record
        record.components.removeAll { $0.id == "tips" }
        let index = try #require(record.components.firstIndex { $0.id == "list" })
        record.components[index].state = .reader(index: 3)
        record.components.append(.init(id: "gone", state: .toss))
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
    @Test func statesBeyondAScenesBoundsAreBroughtWithin() throws {
        let scene = Scene.phone(frameRate: 60, seed: 1)
        let far = Int.max
        let states: [(String, DurableState)] = [
            ("tips", .tips(index: far, isPresented: true)), ("navigation", .navigation(stack: [])),
            ("profile", .profile(offset: -1e6)), ("list", .list(selected: far)),
            ("reader", .reader(index: far)),
            ("tabs", .tabs(selected: far, glows: Array(repeating: true, count: 99), bubble: far)),
        ]
        let record = SessionRecord(
            source: .named("phone"), seed: 1,
            components: states.map { .init(id: $0.0, state: $0.1) }, counts: BadgeCounts(),
            version: 0, life: 0, seenTotal: far)
        let restored = Session(
            id: "alice", epoch: "e.2", scene: scene, opened: Theater.opened, frameRate: 60,
            beginning: .restored(record, marks: [SeenIDs.Mark(place: 7, hash: 1)]))
        for machine in restored.machines { #expect(Picture(machine).isFinite) }
        #expect(try #require(restored.record()).seenTotal == 0)
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
