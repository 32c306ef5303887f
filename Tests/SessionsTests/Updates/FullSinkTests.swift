import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// Where there is no room states and badges wait and are newer when they go; nothing else waits.
@Suite struct FullSinkTests {
    @Test func statesAndBadgesWaitTransitionsDoNot() {
        var theater = Theater(.phone())
        theater.flush()
        theater.step(400)
        let mark = theater.told().count
        theater.log.isFull = true
        theater.notify("likes")
        theater.command("tabs", "select", index: 1)
        theater.scroll(60)
        theater.session.report(RejectionReport(Rejection(.busy, ""), topic: "", excerpt: ""))
        theater.flush()
        theater.step(30)
        theater.notify("likes")
        theater.scroll(70)
        theater.flush()
        #expect(
            theater.told().dropFirst(mark).map(\.topic) == [
                "transition/tabs", "transition/tabs", "transition/profile", "rejected",
                "transition/tabs",
            ])
    }

    @Test func waitingUpdatesGoOutOnceAndWithoutAGap() {
        var theater = Theater(.phone())
        theater.flush()
        theater.step(400)
        let numbers = theater.told("state/profile").map(\.stamp.seq)
        theater.log.isFull = true
        for offset in 1...20 {
            theater.scroll(Double(offset))
            theater.notify("likes")
            theater.flush()
            theater.step()
        }
        theater.log.isFull = false
        theater.flush()
        #expect(theater.told("state/profile").map(\.stamp.seq) == numbers + [2])
        #expect(theater.told("state/profile").last?.body == .state(theater.picture("profile")))
        let entries = theater.session.badges.counts.entries
        let badge = Told.Body.badge(version: 20, total: 20, counts: entries)
        #expect(theater.told("badge").map(\.body) == [badge])
        #expect(theater.told("badge").first?.stamp.seq == 1)
    }

    /// A state that waits is due as soon as there is room, also between frames.
    @Test func waitingIsNotForgotten() {
        var theater = Theater(.phone())
        theater.log.isFull = true
        theater.flush()
        #expect(theater.told().map(\.topic) == ["session", "transition/tips"])
        theater.session.answer(.badge)
        theater.step(3)
        #expect(theater.told().count == 2)
        theater.log.isFull = false
        theater.flush()
        #expect(
            theater.told().dropFirst(2).map(\.topic) == [
                "badge", "state/tips", "state/toss", "state/navigation", "state/profile",
                "state/list", "state/reader", "state/tabs",
            ])
    }
}
