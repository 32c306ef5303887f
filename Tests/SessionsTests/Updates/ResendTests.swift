import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// The answers to subscriptions that name a session.
@Suite struct ResendTests {
    /// At rest after 400 steps, with a count; what was told so far is forgotten by `mark`.
    private func resting() -> (Theater, mark: Int) {
        var theater = Theater(.phone())
        theater.flush()
        theater.notify("likes", .set(2))
        theater.flush()
        theater.step(400)
        return (theater, theater.told().count)
    }

    @Test(
        arguments: [
            (Session.CurrentTopic.state(component: 0), "state/tips"),
            (.state(component: 6), "state/tabs"), (.badge, "badge"), (.session, "session"),
        ] as [(Session.CurrentTopic, String)])
    func whereNothingChangedItIsTheSameAgain(topic: Session.CurrentTopic, name: String) {
        var (theater, mark) = resting()
        let last = theater.told(name).last
        theater.session.answer(topic)
        theater.flush()
        #expect(theater.told().dropFirst(mark).map(\.self) == [last])
        theater.flush()
        theater.step(100)
        #expect(theater.told().count == mark + 1)
    }

    @Test func anAnswerBetweenFramesIsANewUpdate() {
        var theater = Theater(.phone(frameRate: 30))
        theater.flush()
        theater.step(5)
        #expect(theater.steps("state/tips") == [0, 4])
        theater.session.answer(.state(component: 0))
        theater.flush()
        #expect(theater.steps("state/tips") == [0, 4, 5])
        #expect(theater.told("state/tips").map(\.stamp.seq) == [1, 2, 3])
    }

    /// Asked at every step for 30 steps: answered at the first and every 50 ms after.
    @Test func atMostOnceInFiftyMilliseconds() {
        var (theater, mark) = resting()
        for _ in 0..<30 {
            theater.session.answer(.badge)
            theater.session.answer(.state(component: 1))
            theater.flush()
            theater.session.advance(to: theater.session.clock + 1)
        }
        theater.flush()
        let told = theater.told().dropFirst(mark)
        #expect(told.filter { $0.topic == "badge" }.count == 6)
        #expect(told.filter { $0.topic == "state/toss" }.count == 6)
        #expect(Set(told).count == 2)
    }

    @Test func aWaitingAnswerGoesOutWhenItIsDue() {
        var (theater, mark) = resting()
        theater.session.answer(.badge)
        theater.flush()
        theater.step(2)
        theater.session.answer(.badge)
        theater.flush()
        #expect(theater.told().count == mark + 1)
        #expect(theater.session.nextWake(interest: .all) == Step(406))
        theater.step(3)
        #expect(theater.told().count == mark + 1)
        theater.step()
        #expect(theater.told().count == mark + 2)
    }

    /// The limit is each topic's own, and a regular update does not count against it.
    @Test func topicsDoNotWaitForEachOther() {
        var (theater, mark) = resting()
        theater.session.answer(.badge)
        theater.flush()
        theater.scroll(30)
        theater.flush()
        theater.session.answer(.state(component: 3))
        theater.session.answer(.session)
        theater.flush()
        #expect(
            theater.told().dropFirst(mark).map(\.topic) == [
                "badge", "state/profile", "session", "state/profile",
            ])
        #expect(theater.told("state/profile").suffix(2).map(\.stamp.seq) == [2, 2])
    }

    @Test func aSessionThatNeverCountedAnswersWithNothing() {
        let none = Told.Body.badge(version: 0, total: 0, counts: [])
        var theater = Theater(.phone())
        theater.flush()
        theater.session.answer(.badge)
        theater.flush()
        theater.session.answer(.badge)
        theater.step(10)
        let badge = theater.told("badge")
        #expect(badge.map(\.body) == [none, none])
        #expect(badge.map(\.stamp.seq) == [1, 1])
        #expect(badge.allSatisfy { $0.stamp.instant == Theater.opened })
    }

    @Test func aSubscriberThatLeftIsNotAnswered() {
        var (theater, mark) = resting()
        theater.session.answer(.badge)
        theater.session.answer(.state(component: 0))
        theater.session.answer(.session)
        theater.interest = []
        theater.flush()
        theater.interest = .all
        theater.step(20)
        #expect(theater.told().count == mark)
    }
}
