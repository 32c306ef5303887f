import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// When states go out: at once what an event changes, in frames what moves.
@Suite struct FrameTests {
    /// Frame k shows step k·120/rate; the fade of 36 steps is in motion throughout.
    @Test(arguments: [(30, 4), (60, 2), (120, 1)])
    func motionGoesOutOncePerFrame(rate: Int, steps: Int) {
        var theater = Theater(.phone(frameRate: rate), frameRate: 60)
        theater.flush()
        theater.step(48)
        #expect(theater.steps("state/tips") == Array(stride(from: 0, through: 48, by: steps)))
        #expect(theater.steps("state/toss") == [0])
    }

    @Test func withoutARateInTheSceneTheConfigurationsCounts() {
        var theater = Theater(.phone(), frameRate: 30)
        theater.flush()
        theater.step(12)
        #expect(theater.steps("state/tips") == [0, 4, 8, 12])
    }

    @Test func changesByAnEventArePublishedAtOnce() {
        var theater = Theater(.phone(frameRate: 30))
        theater.flush()
        theater.step(401)
        let before = theater.told().count
        theater.scroll(50)
        theater.command("tabs", "select", index: 2)
        theater.notify("likes")
        theater.flush()
        #expect(
            theater.told().dropFirst(before).map(\.topic) == [
                "transition/profile", "transition/tabs", "transition/tabs", "badge",
                "state/profile",
                "state/tabs",
            ])
        let now = Theater.opened + Step(401)
        #expect(theater.told().dropFirst(before).allSatisfy { $0.stamp.instant == now })
        theater.step(7)
        // The arrow goes on in frames of four steps.
        #expect(theater.steps("state/tabs").suffix(3) == [401, 404, 408])
        #expect(theater.steps("state/profile").suffix(1) == [401])
    }

    @Test func onlyTheLastStateOfAFlushIsPublished() {
        var theater = Theater(.phone())
        theater.flush()
        theater.step(400)
        let before = theater.told().count
        for offset in [10.0, 50, 20, 100] { theater.scroll(offset) }
        theater.flush()
        let told = theater.told().dropFirst(before)
        #expect(
            told.compactMap(\.line) == [
                "collapse began", "collapse ended", "collapse began", "title began",
            ])
        let states = told.filter { $0.topic == "state/profile" }
        #expect(states.count == 1 && states.first?.body == .state(theater.picture("profile")))
        #expect(theater.picture("profile").fields["offset"] == .points(100))
    }

    @Test func aRestingSessionPublishesNothing() {
        var theater = Theater(.phone())
        theater.flush()
        #expect(theater.stepsToRest() != nil)
        theater.step(4)
        let before = theater.told().count
        #expect(theater.session.nextWake(interest: .all) == nil)
        theater.step(1_000)
        #expect(theater.told().count == before)
        #expect(theater.told("state/tips").last?.body == .state(theater.pictures[0]))
    }

    /// A motion that ends between two frames is shown at rest with the next one.
    @Test(arguments: [1, 2, 3, 4])
    func theEndOfAMotionIsPublished(start: Int) {
        var theater = Theater(.single("tabs", .init(TabsParameters.five), frameRate: 30))
        theater.flush()
        theater.step(start)
        theater.command("tabs", "select", index: 4)
        theater.flush()
        var wakes = 0
        while let wake = theater.session.nextWake(interest: .all), wakes < 100 {
            theater.session.advance(to: wake)
            theater.flush()
            wakes += 1
        }
        #expect(theater.pictures[0].phase == "resting")
        #expect(theater.told("state/tabs").last?.body == .state(theater.pictures[0]))
        #expect(
            theater.told("transition/tabs").map(\.line) == [
                "select began 0→4 0.2 ease-in-out", "select ended 0→4 0.2 ease-in-out",
            ])
    }

    /// Each instant is the opening and ⌊k·25,000,000/3⌋ ns.
    @Test func theInstantsAreThoseOfTheGrid() {
        var theater = Theater(.phone(frameRate: 120))
        theater.flush()
        theater.step(3)
        let nanoseconds = theater.told("state/tips").map {
            $0.stamp.instant.nanoseconds - Theater.opened.nanoseconds
        }
        #expect(nanoseconds == [0, 8_333_333, 16_666_666, 25_000_000])
    }
}
