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
}
