import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// A finger that rests before it lifts throws nothing, whatever it did before.
///
/// It comes with 1,920 pt/s, rests, and is repeated as the protocol asks.
@Suite struct RestTests {
    /// How far a component goes by itself in the half second after the finger has left it, and
    /// whether it was let go where it would not have gone by itself.
    private func way(
        of thrown: ThrownKind, _ velocity: VelocityTracker.Kind,
        _ hand: (inout Finger, Vector, inout Theater) -> Void
    ) throws -> (way: Double, phases: Set<String>) {
        let kind = thrown.name
        var theater = try HandScene.theater(kind, velocity: velocity)
        let (place, way) = HandScene.landing(kind)
        var finger = Finger(landing: place, on: &theater, pan: thrown.isPan ? "it" : nil)
        hand(&finger, way, &theater)
        let before = HandScene.place(kind, theater)
        finger.lift(&theater)
        var phases: Set<String> = []
        var most = 0.0
        for _ in 0..<60 {
            phases.insert(theater.picture("it").phase)
            theater.step()
            let place = HandScene.place(kind, theater)
            // A screen that has gone is as far as it can go.
            most = max(most, place.isNaN ? 320 : (place - before) * (way.x - way.y))
        }
        return (most, phases)
    }

    private func expectRest(
        _ thrown: ThrownKind, _ velocity: VelocityTracker.Kind,
        _ hand: (inout Finger, Vector, inout Theater) -> Void
    ) throws {
        let (way, phases) = try self.way(of: thrown, velocity, hand)
        #expect(way < 0.5, "\(thrown) goes on by \(way)")
        #expect(!phases.contains("thrown"), "\(thrown): \(phases)")
    }

    /// A stroke of three or four samples: too short to page, and far enough to be fast.
    private func count(_ kind: String) -> Int { kind == "reader" ? 3 : 4 }

    @Test(arguments: ThrownKind.all, VelocityTracker.Kind.allCases)
    func aFingerThatRestsThrowsNothing(
        thrown: ThrownKind, velocity: VelocityTracker.Kind
    ) throws {
        try expectRest(thrown, velocity) { finger, way, theater in
            finger.move(by: 32 * way, samples: count(thrown.name), &theater)
            finger.stay(steps: 108, &theater)
            theater.step(2)
        }
    }

    /// A tremble of a point, in the last sample before the lift or all the time.
    @Test(arguments: ThrownKind.all, [false, true])
    func norDoesOneThatTrembles(
        thrown: ThrownKind, isAlways: Bool
    ) throws {
        try expectRest(thrown, .uikit) { finger, way, theater in
            finger.move(by: 32 * way, samples: count(thrown.name), &theater)
            if isAlways {
                for _ in 0..<30 {
                    finger.move(by: way, samples: 1, &theater)
                    finger.move(by: -1 * way, samples: 1, &theater)
                }
            } else {
                finger.stay(steps: 60, &theater)
                theater.step(46)
                finger.move(by: way, samples: 1, &theater)
            }
            theater.step(2)
        }
    }

    /// A bridge tells this of a tracker: a repeat after 900 ms, and a lift at any time behind it.
    @Test(arguments: [1, 3, 6, 12, 40, 100])
    func theRepeatOfABridgeThrowsNothing(steps: Int) throws {
        try expectRest(ThrownKind(name: "toss", isPan: false), .uikit) { finger, way, theater in
            finger.move(by: 32 * way, samples: 4, &theater)
            finger.stay(steps: 108, &theater)
            theater.step(steps)
        }
    }

    @Test(arguments: ThrownKind.all, VelocityTracker.Kind.allCases)
    func aShortFlickAfterAHoldIsOne(
        thrown: ThrownKind, velocity: VelocityTracker.Kind
    ) throws {
        let (way, phases) = try self.way(of: thrown, velocity) {
            finger, way, theater in
            finger.move(by: 2 * way, samples: 4, &theater)
            finger.stay(steps: 108, &theater)
            finger.move(by: 24 * way, samples: 3, &theater)
            theater.step()
        }
        #expect(way > 2 || phases.contains("thrown"), "\(thrown): \(way), \(phases)")
    }
}
