import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

@testable import Sessions

/// A store's view of a session that reports only changed parts.
private struct Noted {
    private var record: SavedSession
    /// All its components as they were at the last look.
    private var components: [SavedSession.Component]

    init(_ session: inout Session) throws {
        _ = session.takeDirtyParts()
        record = try #require(session.record())
        components = record.components
    }

    /// Takes what the session says may be another; the rest must be as it was.
    mutating func follow(_ session: inout Session, _ place: Comment) throws {
        let parts = session.takeDirtyParts()
        let used = session.takeUsed()
        var now = try #require(session.record())
        for (index, component) in now.components.enumerated() {
            if component != components[index] {
                #expect(used.contains(.component(index)), place)
            }
            if parts.contains(.component(index)) {
                record.components[index] = component
            } else if component != record.components[index] {
                // Where a finger has it, or where it is on its way, is noted later.
                let isOnItsWay = session.machines[index].phase != "resting"
                #expect(isOnItsWay && Self.follows(component), place)
            }
        }
        components = now.components
        (now.components, record.components) = (record.components, now.components)
        if parts.isEmpty {
            let own = SavedSession(
                source: record.source, seed: record.seed, components: now.components,
                counts: record.counts, version: record.version, generation: record.generation,
                seenTotal: record.seenTotal)
            #expect(now == own, place)
        }
        record = now
    }

    private static func follows(_ component: SavedSession.Component) -> Bool {
        [Profile.kind, World.kind].contains(component.state.kind)
    }
}

/// Every acknowledged change marks its part, and nothing is compared in vain.
@Suite struct DirtyPartTests {
    @Test(arguments: 0..<160 as Range<UInt64>)
    func unreportedPartsLeaveTheRecordAsItWas(seed: UInt64) throws {
        var storm = Storm(seed: seed)
        var session = Session(
            id: "alice", epoch: "e.1", scene: .phone(frameRate: 60, seed: seed),
            opened: Theater.opened, frameRate: 60, key: 42)
        var noted = try Noted(&session)
        for event in 0..<60 {
            let place = Comment("seed \(seed), event \(event)")
            let sent = Event(storm.payload(), id: storm.id())
            let received = Double(session.instant.nanoseconds) / 1e6
            _ = session.receive(sent, received: received)
            try noted.follow(&session, place)
            for _ in 0..<storm.pause() {
                session.advance(to: session.clock + 1)
                try noted.follow(&session, place)
            }
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func anUnreportedWorldIsAsItWas(seed: UInt64) throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        var scene = Scene.single("world", .init(world))
        scene.name = "worlds"
        var session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        var storm = WorldStorm(random: SplitMix64(seed: seed))
        var noted = try Noted(&session)
        for event in 0..<20 {
            let place = Comment("seed \(seed), event \(event)")
            let payload: Event.Payload =
                event % 4 == 3 ? .notification(kind: "likes", .add(1)) : storm.payload()
            _ = session.receive(Event(payload), received: 0)
            try noted.follow(&session, place)
            for _ in 0..<storm.random.whole(in: 0...40) {
                session.advance(to: session.clock + 1)
                try noted.follow(&session, place)
            }
        }
    }

    /// On the selected tab neither the glow that goes nor the counts make any transition.
    @Test func aTapOnTouchDownOnTheSelectedTabIsNoted() throws {
        var theater = Theater(.phone())
        let tabs = try theater.session.index(of: "tabs")
        theater.receive(.command(component: "tabs", ComponentCommand("glow", .of(index: 0))))
        _ = theater.session.takeDirtyParts()
        theater.pointer("tabs", .began, 1, 10, 560)
        let glow = theater.session.takeDirtyParts()
        #expect(glow == .component(tabs))
        theater.pointer("tabs", .ended, 1, 10, 560)

        theater.receive(.command(component: "tabs", ComponentCommand("select", .of(index: 3))))
        _ = theater.stepsToRest()
        theater.receive(.notification(kind: "likes", .add(5)))
        _ = theater.session.takeDirtyParts()
        theater.pointer("tabs", .began, 1, 3.5 * 64, 560)
        let counts = theater.session.takeDirtyParts()
        #expect(theater.session.badges.total == 0)
        #expect(counts == [.own, .component(tabs)])
    }

    /// A notification does not concern a world, so the world is not compared either.
    @Test func countsDoNotMarkAWorld() throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        var theater = Theater(.single("world", .init(world)))
        _ = (theater.session.takeDirtyParts(), theater.session.takeUsed())
        theater.receive(.notification(kind: "likes", .add(5)))
        let settled = theater.session.takeDirtyParts()
        #expect(settled == .own)
        theater.receive(.command(component: "badges", ComponentCommand("clear")))
        let (cleared, used) = (theater.session.takeDirtyParts(), theater.session.takeUsed())
        #expect(cleared == .own && used == [])
        theater.receive(.command(component: "badges", ComponentCommand("clear")))
        let again = theater.session.takeDirtyParts()
        #expect(again == [])
    }

    @Test func anIdMarksTheSessionWhateverEventCarriesIt() throws {
        var theater = Theater(.phone())
        _ = theater.session.takeDirtyParts()
        let pan = Pan(phase: .began, location: Vector(160, 220))
        theater.receive(.gesture(component: "toss", .pan(pan)), id: "a")
        let parts = theater.session.takeDirtyParts()
        #expect(parts.contains(.own))
    }
}
