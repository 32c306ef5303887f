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

    /// So many steps at once: of those that move, some are jumped over.
    mutating func stall(_ steps: Int) {
        one.advance(to: one.clock + steps)
        other.advance(to: other.clock + steps)
    }

    /// The other one by way of a tree.
    mutating func exchange() throws {
        let node = Node(encoding: other.state)
        other = try Session(
            try node.decode(SessionSnapshot.self), id: "alice", scene: one.scene, frameRate: 60,
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
    /// It is encoded and decoded at every event and step of a storm.
    @Test(arguments: 0..<48 as Range<UInt64>)
    func anEncodedSessionContinuesToTheBit(seed: UInt64) throws {
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

    /// After stalls too, when the motion lags behind the clock.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func skippedStepsStaySkipped(seed: UInt64) throws {
        var twins = Twins(seed: seed, scene: .phone(frameRate: 60, seed: seed))
        for event in 0..<12 {
            twins.receive()
            twins.stall(90)
            try twins.exchange()
            for _ in 0..<twins.pause() { twins.step() }
            #expect(twins.areAlike, "seed \(seed), event \(event)")
        }
        #expect(twins.other.jumped > 0)
    }

    /// The same of worlds with everything in them, touched by publishers and by fingers.
    @Test(arguments: 0..<12 as Range<UInt64>, [false, true])
    func aWorldGoesOnAsTheSame(seed: UInt64, isTied: Bool) throws {
        let world = try WorldParameters((isTied ? WorldStorm.ties : WorldStorm.scene).node)
        var twins = Twins(seed: seed, scene: .single("world", .init(world)))
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

    /// Two fingers go down on a world, part and turn, and are lifted; at every sample it goes on.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func aWorldInTwoFingersGoesOnAsTheSame(seed: UInt64) throws {
        let world = try WorldParameters(WorldStorm.ties.node)
        var twins = Twins(seed: seed, scene: .single("world", .init(world)))
        var random = SplitMix64(seed: seed)
        var seen: Set<GestureKind> = []
        func touch(_ phase: Phase, _ pointer: Int, _ location: Vector) throws {
            let sample = Pointer(
                phase: phase, pointer: PointerNumber(pointer), location: location)
            twins.receive(.gesture(component: "world", .pointer(sample)))
            try twins.exchange()
            twins.step()
            if let recognizer = twins.other.recognizer(on: 0) { seen.insert(recognizer) }
            #expect(twins.areAlike, "seed \(seed), \(phase) of \(pointer) at \(location)")
        }
        let middle = Vector(60, 100)
        let (spread, turn) = (0.2 + 2 * random.unit(), 1 - 2 * random.unit())
        func finger(_ pointer: Int, _ share: Double) -> Vector {
            let (sine, cosine) = Angle.sineCosine(turn * share)
            let arm = Vector(pointer == 1 ? -20 : 20, 0) * (1 + spread * share)
            return middle + arm.rotated(sine: sine, cosine: cosine)
        }
        for pointer in [1, 2] { try touch(.began, pointer, finger(pointer, 0)) }
        for sample in 1...30 {
            for pointer in [1, 2] {
                try touch(.changed, pointer, finger(pointer, Double(sample) / 30))
            }
        }
        for pointer in [2, 1] { try touch(.ended, pointer, finger(pointer, 1)) }
        #expect(seen.contains(.pinch) || seen.contains(.rotation), "\(seen)")
    }

    /// In an epoch of its own, but by the same clock, each component goes on to the bit.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func aMovedSessionContinuesToTheBit(seed: UInt64) throws {
        var twins = Twins(seed: seed, scene: .phone(frameRate: 60, seed: seed))
        for event in 0..<24 {
            twins.receive()
            for _ in 0..<twins.pause() { twins.step() }
            let state = try Node(encoding: twins.other.state).decode(SessionSnapshot.self)
            let moved = try Session(
                state, id: "alice", scene: twins.one.scene, frameRate: 60, key: 42,
                continuing: .moved(epoch: "e.2", opened: Theater.opened, version: 0))
            #expect(
                moved.machines.map { AnyHashable($0) }
                    == twins.one.machines.map {
                        AnyHashable($0)
                    }, "seed \(seed), event \(event)")
            #expect(moved.trackings == twins.one.trackings && moved.motion == twins.one.motion)
            #expect(moved.badges.counts == twins.one.badges.counts)
        }
    }
}

// MARK: - Another clock

@Suite struct OtherClockTests {
    /// A drag of 250 pt/s, by 20 samples 20 ms apart, goes on where the clock is another one.
    @Test(arguments: [0, 3_600, -3_600, 0.001_234_567])
    func aDragIsNoFasterByAnotherClock(seconds: Double) throws {
        for velocity in [250.0, 3_000] {
            var theater = Theater(.phone())
            theater.step(400)
            var x = 100.0
            theater.pan("toss", .began, x, 220)
            func drag(_ count: Int) {
                for _ in 0..<count {
                    theater.step(2)
                    x += velocity * 2 / 120
                    #expect(theater.pan("toss", .changed, x, 220) == .applied)
                }
            }
            drag(6)
            let opened = Theater.opened.nanoseconds + Int(seconds * 1e9)
            let state = try Node(encoding: theater.session.state).decode(SessionSnapshot.self)
            theater.session = try Session(
                state, id: "alice", scene: theater.session.scene, frameRate: 60, key: 0,
                continuing: .moved(
                    epoch: "e.2", opened: Instant(nanoseconds: opened), version: 0))
            drag(1)
            theater.pan("toss", .ended, x, 220)
            let phase = velocity > 1_000 ? "thrown" : "returning"
            #expect(theater.picture("toss").phase == phase, "\(seconds) s, \(velocity) pt/s")
        }
    }

    /// Raw contacts are measured by the same clock.
    @Test(arguments: [3_600, -3_600])
    func aFingerIsNoFasterByAnotherClock(seconds: Int) throws {
        var theater = Theater(.phone())
        theater.step(400)
        theater.pointer("toss", .began, 1, 100, 220)
        for sample in 1...8 {
            theater.step(2)
            theater.pointer("toss", .changed, 1, 100 + 40 * Double(sample), 220)
        }
        let state = try Node(encoding: theater.session.state).decode(SessionSnapshot.self)
        let opened = Theater.opened.nanoseconds + seconds * 1_000_000_000
        theater.session = try Session(
            state, id: "alice", scene: theater.session.scene, frameRate: 60, key: 0,
            continuing: .moved(epoch: "e.2", opened: Instant(nanoseconds: opened), version: 0))
        theater.pointer("toss", .ended, 1, 420, 220)
        #expect(theater.picture("toss").phase == "thrown")
    }
}
