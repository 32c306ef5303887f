import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// After a stall at most 30 steps are made up; the clock goes on, motion pauses.
@Suite struct StallTests {
    @Test(arguments: [(1, 0), (29, 0), (30, 0), (31, 1), (100, 70), (100_000, 99_970)])
    func atMostThirtyStepsAreMadeUp(late: Int, jumped: Int) {
        var theater = Theater(.phone())
        theater.flush()
        #expect(theater.session.advance(to: Step(late)) == jumped)
        #expect(theater.session.clock == Step(late))
        #expect(theater.session.instant == Theater.opened + Step(late))
        var punctual = Theater(.phone())
        punctual.step(min(late, 30))
        #expect(theater.pictures == punctual.pictures)
    }

    /// Motion is where it was and goes on from there, shown at the clock's instants.
    @Test func motionGoesOnFromWhereItWas() {
        var stalled = Theater(.phone())
        var punctual = Theater(.phone())
        stalled.session.advance(to: Step(1_000))
        punctual.step(30)
        for step in 1...300 {
            stalled.step()
            punctual.step()
            #expect(stalled.pictures == punctual.pictures, "\(step) steps later")
        }
        #expect(stalled.session.clock == Step(1_300))
        let last = stalled.steps("state/tips").last ?? 0
        #expect(last == (punctual.steps("state/tips").last ?? 0) + 970)
    }

    /// Rest costs nothing: no step of it is made up, and timers fire at their own step.
    @Test func restIsNotJumpedOver() {
        var parameters = TabsParameters.five
        parameters.bubbleTimeout = 30
        var theater = Theater(.single("tabs", .init(parameters)))
        theater.flush()
        #expect(theater.session.advance(to: Step(1_000_000)) == 0)
        theater.notify("likes")
        theater.flush()
        theater.step(60)
        #expect(theater.session.nextWake(interest: .all) == Step(1_003_600))
        // Late by 20 steps: the fade has run so far.
        #expect(theater.session.advance(to: Step(1_003_620)) == 0)
        theater.flush()
        #expect(theater.told("transition/tabs").last?.line == "bubble-hide began 0.5 ease-in-out")
        #expect(theater.steps("transition/tabs").last == 1_003_600)
        let alpha = theater.pictures[0].views["bubble"]?.alpha ?? 1
        #expect(alpha < 1 && alpha > 0.5)
    }

    /// A finger that stays silent through a stall is not let go before its 3 s of motion.
    @Test func aSilenceIsCountedInMotion() {
        var theater = Theater(.phone())
        theater.flush()
        theater.step(400)
        theater.pan("toss", .began, 100, 200)
        #expect(theater.session.advance(to: Step(10_400)) == 10_000 - 30)
        #expect(theater.pictures[1].phase == "dragging")
    }
}
