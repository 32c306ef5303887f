import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// A session that is encoded and made again of it at every turn, beside one that is not.
private struct Twins {
    var one: Session
    var other: Session
    private var storm: Storm
    private var told = UpdateLog()
    private var toldOther = UpdateLog()

    init(seed: UInt64, scene: Scene) {
        storm = Storm(seed: seed)
        one = Session(
            id: "alice", epoch: "e.1", scene: scene, opened: Theater.opened, frameRate: 60,
            key: 42)
        other = one
    }

    /// The other one by way of a tree.
    mutating func exchange() throws {
        let node = Node(encoding: other.state)
        other = try Session(
            try node.decode(SessionState.self), id: "alice", scene: one.scene, frameRate: 60,
            key: 42, continuing: .same)
    }

    mutating func receive(_ payload: Event.Payload? = nil) {
        let event = Event(payload ?? storm.payload(), id: storm.id())
        let received = Double(one.instant.nanoseconds) / 1e6
        let answers = (
            one.receive(event, received: received), other.receive(event, received: received)
        )
        #expect(answers.0 == answers.1)
    }

    mutating func step() {
        one.advance(to: one.clock + 1)
        other.advance(to: other.clock + 1)
        one.flush(to: .all, inFrame: one.isInFrame, into: &told)
        other.flush(to: .all, inFrame: other.isInFrame, into: &toldOther)
    }

    mutating func pause() -> Int { storm.pause() }

    var areAlike: Bool {
        one.machines.map { AnyHashable($0) } == other.machines.map { AnyHashable($0) }
            && Node(encoding: one.state) == Node(encoding: other.state)
            && told.told == toldOther.told
    }
}

@Suite struct ContinuationTests {
    /// At every event and step of a storm, what is encoded goes on to the bit.
    @Test(arguments: 0..<48 as Range<UInt64>)
    func whatIsEncodedGoesOnAsTheSame(seed: UInt64) throws {
        var twins = Twins(seed: seed, scene: .phone(frameRate: 60, seed: seed))
        for event in 0..<24 {
            twins.receive()
            try twins.exchange()
            for _ in 0..<twins.pause() {
                twins.step()
                try twins.exchange()
            }
            #expect(twins.areAlike, "seed \(seed), event \(event)")
        }
    }

    /// The same of a world with everything in it.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func aWorldGoesOnAsTheSame(seed: UInt64) throws {
        let world = try WorldParameters(WorldStorm.scene.node)
        var twins = Twins(seed: seed, scene: .single("world", .dynamics(world)))
        var storm = WorldStorm(random: SplitMix64(seed: seed))
        for event in 0..<24 {
            twins.receive(storm.payload())
            try twins.exchange()
            for _ in 0..<storm.random.whole(in: 0...12) {
                twins.step()
                try twins.exchange()
            }
            #expect(twins.areAlike, "seed \(seed), event \(event)")
        }
    }
}
