import Geometry
import Gestures
import Notation
import Sessions
import TestSupport
import Testing

struct RenderFrameTests {
    /// Steps between two looks, as long as something moves.
    private func strides(_ theater: inout Theater, steps: Int) -> [Int] {
        var strides: [Int] = []
        let end = theater.session.clock + steps
        while theater.session.clock < end {
            let before = theater.session.clock
            let frame = theater.session.renderFrame(
                at: min(end, theater.session.nextWake(interest: theater.interest) ?? end),
                interest: theater.interest, into: &theater.log)
            guard frame.isMoving else { break }
            strides.append(theater.session.clock - before)
        }
        return strides
    }

    @Test(arguments: [(30, 4), (60, 2), (120, 1)])
    func aMovingSessionIsRenderedOnceAFrame(rate: Int, stride: Int) {
        var theater = Theater(.phone(), frameRate: rate)
        let found = strides(&theater, steps: 200)
        #expect(found.allSatisfy { $0 <= stride } && found.filter { $0 == stride }.count > 40)
    }

    @Test func anUnwatchedSessionIsRenderedSeldomAndMovesTheSame() {
        var watched = Theater(.phone())
        var unwatched = Theater(.phone(), interest: .badge)
        for _ in 0..<20 {
            watched.pan("tips", .began, 160, 200)
            unwatched.pan("tips", .began, 160, 200)
            let found = strides(&unwatched, steps: 60)
            #expect(found.max() ?? 0 <= Limits.unwatchedLookSteps)
            unwatched.session.advance(to: watched.session.clock + 60)
            watched.step(60)
            #expect(unwatched.pictures == watched.pictures)
            watched.pan("tips", .ended, 160, 200)
            unwatched.pan("tips", .ended, 160, 200)
        }
    }

    /// Moves one component after the other, with so many steps at a time.
    private func moved(steps: Int) -> Theater {
        var theater = Theater(.phone(), interest: .transition)
        func pass(_ count: Int) {
            let end = theater.session.clock + count
            while theater.session.clock < end {
                theater.session.advance(to: min(end, theater.session.clock + steps))
                theater.flush()
            }
        }
        pass(400)
        theater.pan("tips", .began, 160, 284)
        pass(12)
        theater.pan("tips", .ended, 20, 284)
        pass(400)
        theater.pan("toss", .began, 160, 223)
        pass(12)
        theater.pan("toss", .ended, 300, 300, velocity: Vector(1_800, 900))
        pass(400)
        theater.command("tabs", "select", index: 2)
        pass(100)
        for (index, component) in ["list", "profile", "reader"].enumerated() {
            theater.pointer(component, .began, index, 160, 100)
            for y in [130.0, 190, 280] {
                pass(3)
                theater.pointer(component, .changed, index, 160, y)
            }
            theater.pointer(component, .ended, index, 160, 280)
            pass(400)
        }
        return theater
    }

    @Test(arguments: [2, 7, 30])
    func stepsMadeInOneGoAreThoseMadeOneAfterTheOther(steps: Int) {
        let (single, several) = (moved(steps: 1), moved(steps: steps))
        #expect(several.pictures == single.pictures)
        #expect(several.told().map(\.topic) == single.told().map(\.topic))
        #expect(several.told().map(\.stamp) == single.told().map(\.stamp))
        #expect(Set(single.told().map(\.topic)).count > 3)
    }
}
