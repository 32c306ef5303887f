import Geometry
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

@Suite struct HostileStateTests {
    /// A state that somebody has spoiled is refused, or what comes of it is a session like others.
    @Test(arguments: 0..<48 as Range<UInt64>)
    func noStateMakesASessionFall(seed: UInt64) throws {
        let isWorld = seed % 2 == 0
        let scene: Scene =
            isWorld
            ? .single("world", .init(try WorldParameters(WorldStorm.scene.node)))
            : .phone(frameRate: 60, seed: seed)
        var session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        var storm = Storm(seed: seed)
        storm.pointersFrom = seed % 3 == 0 ? .max - 3 : seed % 3 == 1 ? .min : 0
        var worldStorm = WorldStorm(random: SplitMix64(seed: seed))
        func goOn(_ session: inout Session) {
            let event = Event(isWorld ? worldStorm.payload() : storm.payload())
            _ = session.receive(event, received: Double(session.instant.nanoseconds) / 1e6)
            for _ in 0..<storm.random.whole(in: 0...9) {
                session.advance(to: session.clock + 1)
            }
        }
        var spoiler = Spoiler(seed: seed)
        var accepted = 0
        for _ in 0..<12 {
            goOn(&session)
            let node = Node(encoding: session.state)
            for _ in 0..<24 {
                let spoiled = spoiler.spoiled(node)
                guard
                    let state = try? spoiled.decode(SessionSnapshot.self),
                    var other = try? Session(
                        state, id: "alice", scene: scene, frameRate: 60, key: 0,
                        continuing: .same)
                else { continue }
                accepted += 1
                expectImportable(other, scene, "seed \(seed), as it was accepted")
                var log = UpdateLog()
                for _ in 0..<6 {
                    goOn(&other)
                    other.flush(to: .all, inFrame: true, into: &log)
                }
                expectImportable(other, scene, "seed \(seed), as it went on")
                _ = other.record()
            }
        }
        #expect(accepted > 0)
    }

    /// Updates have the epoch as it stands.
    @Test(arguments: ["", "e\"1", "e\\u0022", "e 1", "é.1", String(repeating: "e", count: 65)])
    func anEpochThatIsNoNameIsRefused(epoch: String) throws {
        let scene = Scene.phone(frameRate: 60, seed: 1)
        let session = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60)
        var members = try #require(Node(encoding: session.state).members)
        let place = try #require(members.firstIndex { $0.name == "epoch" })
        members[place].value = Node(.string(epoch))
        let state = try Node(.object(members)).decode(SessionSnapshot.self)
        let error = #expect(throws: NodeError.self) {
            _ = try Session(
                state, id: "alice", scene: scene, frameRate: 60, key: 0, continuing: .same)
        }
        #expect(error?.path == "epoch")
    }

    /// Whatever a session has become, another daemon takes it.
    private func expectImportable(_ session: Session, _ scene: Scene, _ place: String) {
        do throws(NodeError) {
            let state = try Node(encoding: session.state).decode(SessionSnapshot.self)
            _ = try Session(
                state, id: "alice", scene: scene, frameRate: 60, key: 0, continuing: .same)
        } catch {
            Issue.record("\(place): \(error)")
        }
    }
}
