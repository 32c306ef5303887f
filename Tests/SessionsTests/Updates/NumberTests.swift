import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

@Suite struct NumberTests {
    @Test func openingPublishesTheSessionAndEveryFirstState() {
        var theater = Theater(.phone())
        theater.flush()
        #expect(
            theater.told().map(\.topic) == [
                "session", "transition/tips", "state/tips", "state/toss", "state/navigation",
                "state/profile", "state/list", "state/reader", "state/tabs",
            ])
        #expect(theater.told()[0].body == .session(.opened))
        #expect(theater.told()[1].body == .transition("present began 0.3 ease-in-out"))
        #expect(theater.told().allSatisfy { $0.stamp.seq == 1 })
        #expect(theater.told().allSatisfy { $0.stamp.instant == Theater.opened })
    }

    /// Plays every kind of update, for any interest from any time on.
    private func play(_ theater: inout Theater) {
        theater.flush()
        theater.step(60)
        theater.pan("toss", .began, 100, 200)
        theater.step(5)
        theater.pan("toss", .ended, 300, 200, velocity: Vector(2_000, 0))
        theater.notify("likes")
        theater.notify("mentions", .set(4))
        theater.scroll(200)
        theater.flush()
        theater.step(300)
        theater.command("tabs", "select", index: 3)
        theater.command("tips", "dismiss")
        theater.scroll(-20)
        theater.flush()
        theater.step(120)
        theater.session.end(.closed)
        theater.flush()
    }

    /// From 1, one more for each update of a topic.
    @Test func everyTopicIsNumberedWithoutGaps() {
        var theater = Theater(.phone())
        play(&theater)
        let topics = Set(theater.told().map(\.topic))
        #expect(topics.count == 13, "\(topics)")
        for topic in topics {
            let numbers = theater.told(topic).map(\.stamp.seq)
            #expect(numbers == Array(1...numbers.count), "\(topic)")
            let instants = theater.told(topic).map(\.stamp.instant)
            #expect(instants == instants.sorted(), "\(topic)")
        }
    }

    @Test func withoutInterestNothingIsPublishedOrNumbered() {
        var theater = Theater(.phone(), interest: [])
        play(&theater)
        #expect(theater.told().isEmpty)
        #expect(theater.session.seq(of: .badge) == 0 && theater.session.seq(of: .session) == 0)
        for index in 0..<4 { #expect(theater.session.seq(of: .state(component: index)) == 0) }
    }

    @Test(
        arguments: [
            (Channels.state, "state"), (.transition, "transition"), (.badge, "badge"),
            (.session, "session"),
        ] as [(Channels, String)])
    func interestInOneChannelPublishesThatAlone(channel: Channels, prefix: String) {
        var theater = Theater(.phone(), interest: channel)
        var whole = Theater(.phone())
        play(&theater)
        play(&whole)
        #expect(!theater.told().isEmpty)
        #expect(theater.told() == whole.told().filter { $0.topic.hasPrefix(prefix) })
    }

    /// Who comes late gets the newest states and counts with the first numbers.
    @Test func lateInterestBeginsAtOne() {
        var theater = Theater(.phone(), interest: [])
        theater.flush()
        theater.step(400)
        theater.notify("likes", .set(5))
        theater.notify("likes", .set(6))
        theater.flush()
        theater.interest = .all
        theater.step()
        #expect(theater.told().allSatisfy { $0.stamp.seq == 1 })
        #expect(theater.told("transition/tips").isEmpty)
        #expect(theater.told("session").isEmpty)
        let entries = theater.session.badges.counts.entries
        #expect(
            theater.told("badge").map(\.body) == [.badge(version: 2, total: 6, counts: entries)])
        #expect(theater.told("state/tips").map(\.body) == [.state(theater.pictures[0])])
    }

    @Test func aClosedSessionPublishesOnlyItsEnd() {
        var theater = Theater(.phone())
        theater.flush()
        let before = theater.told().count
        theater.notify("other")
        theater.scroll(20)
        theater.session.end(.closed)
        theater.flush()
        theater.step(10)
        #expect(theater.told().dropFirst(before).map(\.body) == [.session(.closed)])
    }
}
