import Geometry
import Interactions
import Sessions
import TestSupport
import Testing

@Suite struct BadgeTests {
    private let most = 9_007_199_254_740_991

    /// Changes of one kind, its count and the version after each.
    @Test func countsAreAddedSetAndVersioned() {
        var theater = Theater(.phone())
        let changes: [(CountChange, count: Int, version: Int)] = [
            (.add(1), 1, 1), (.add(3), 4, 2), (.set(7), 7, 3), (.set(7), 7, 3), (.add(0), 7, 3),
            (.set(0), 0, 4), (.set(0), 0, 4), (.add(2), 2, 5),
        ]
        for (change, count, version) in changes {
            #expect(theater.notify("likes", change) == .applied)
            #expect(theater.session.badges.counts["likes"] == count)
            #expect(theater.session.badges.version == version)
            #expect(theater.session.badges.total == count)
        }
    }

    /// As long as no number of a version is reserved, none may be told for other counts.
    @Test func whereCountsMayNotChangeASelectionLeavesThem() {
        var theater = Theater(.phone())
        theater.notify("comments", .add(2))
        let before = theater.session.badges
        theater.session.mayCount = false
        for _ in 0..<2 {
            guard case .refused(let refusal) = theater.notify("comments", .add(1)) else {
                Issue.record("counted")
                return
            }
            #expect(refusal.code == .internal)
        }
        guard case .refused = theater.command("badges", "clear") else {
            Issue.record("cleared")
            return
        }
        #expect(theater.command("tabs", "select", index: 3) == .applied)
        #expect(theater.session.badges == before)
        theater.session.mayCount = true
        #expect(theater.notify("comments", .add(1)) == .applied)
        #expect(theater.session.badges.counts["comments"] == 3)
    }

    @Test func countsStopAtTheLargest() {
        var theater = Theater(.phone())
        theater.notify("likes", .set(most))
        #expect(theater.session.badges.version == 1)
        theater.notify("likes", .add(1))
        #expect(theater.session.badges.counts["likes"] == most)
        #expect(theater.session.badges.version == 1)
        theater.notify("likes", .set(most - 1))
        theater.notify("likes", .add(most))
        #expect(theater.session.badges.counts["likes"] == most)
        #expect(theater.session.badges.version == 3)
        theater.notify("other", .add(Int.max))
        #expect(theater.session.badges.counts["other"] == most)
        #expect(theater.session.badges.total == most)
    }

    /// The badges told, as `version total kind=count …`.
    private func lines(_ theater: Theater) -> [String] {
        theater.told("badge").map { update in
            guard case .badge(let version, let total, let counts) = update.body else { return "" }
            let kinds = counts.map { "\($0.kind)=\($0.count)" }.joined(separator: " ")
            return "\(version) \(total) \(kinds)"
        }
    }

    /// Every change is published at once, with absolute counts in byte order; also where several
    /// wait for one flush.
    @Test(arguments: [true, false])
    func everyChangeIsPublished(isFlushed: Bool) {
        var theater = Theater(.phone())
        theater.step(401)
        let changes: [(String, CountChange)] = [
            ("likes", .add(1)), ("Zebra", .set(2)), ("likes", .add(0)), ("likes", .add(2)),
        ]
        for (kind, change) in changes {
            theater.notify(kind, change)
            if isFlushed { theater.flush() }
        }
        theater.command("badges", "clear", kind: "Zebra")
        theater.flush()
        #expect(
            lines(theater) == [
                "1 1 likes=1", "2 3 Zebra=2 likes=1", "3 5 Zebra=2 likes=3", "4 3 Zebra=0 likes=3",
            ])
        #expect(theater.told("badge").map(\.stamp.seq) == [1, 2, 3, 4])
        #expect(theater.steps("badge") == [401, 401, 401, 401])
        theater.step(10)
        #expect(theater.told("badge").count == 4)
    }

    /// Changes merge into the newest only without room or without a subscriber.
    @Test func changesThatCouldNotBePublishedAreMerged() {
        for isFull in [true, false] {
            var theater = Theater(.phone())
            theater.log.isFull = isFull
            if !isFull { theater.interest = [] }
            for _ in 0..<3 { theater.notify("likes") }
            theater.flush()
            theater.notify("likes")
            theater.log.isFull = false
            theater.interest = .all
            theater.flush()
            #expect(lines(theater) == ["4 4 likes=4"])
            #expect(theater.told("badge").map(\.stamp.seq) == [1])
        }
    }

    @Test func aSessionCountsTwoHundredAndFiftySixKinds() {
        var theater = Theater(.phone())
        for number in 0..<256 { #expect(theater.notify("k\(number)") == .applied) }
        let before = theater.session.badges
        #expect(theater.notify("one-more").code == .badValue)
        #expect(theater.session.badges == before)
        #expect(theater.notify("k7") == .applied)
        // Nothing is counted of a kind that stays at 0.
        #expect(theater.notify("one-more", .set(0)) == .applied)
        #expect(!theater.session.badges.counts.contains("one-more"))
    }

    @Test func clearingTakesOneKindOrAll() {
        var theater = Theater(.phone())
        for kind in ["a", "b", "c"] { theater.notify(kind, .set(5)) }
        #expect(theater.command("badges", "clear", kind: "b") == .applied)
        #expect(theater.session.badges.version == 4 && theater.session.badges.total == 10)
        #expect(theater.command("badges", "clear", kind: "b") == .applied)
        #expect(theater.command("badges", "clear", kind: "absent") == .applied)
        #expect(theater.session.badges.version == 4)
        #expect(theater.command("badges", "clear") == .applied)
        #expect(theater.session.badges.version == 5 && theater.session.badges.total == 0)
        #expect(theater.command("badges", "reset").code == .unknownCommand)
    }

    /// Tabs clear the kinds of the item that is selected; their bubble hides when counts go.
    @Test func selectingATabClearsItsCounts() {
        var theater = Theater(.phone())
        theater.step(400)
        for kind in ["likes", "comments", "mentions"] { theater.notify(kind) }
        theater.flush()
        theater.step(60)
        #expect(theater.picture("tabs").views["bubble"]?.alpha == 1)
        theater.command("tabs", "select", index: 3)
        theater.flush()
        #expect(theater.session.badges.counts["likes"] == 0)
        #expect(theater.session.badges.counts["mentions"] == 1)
        #expect(theater.session.badges.version == 4)
        #expect(
            theater.told("transition/tabs").compactMap(\.line).contains(
                "bubble-hide began 0.5 ease-in-out"))
        #expect(theater.told("badge").last?.stamp.seq == theater.told("badge").count)
        theater.step(60)
        #expect(theater.picture("tabs").views["bubble"] == nil)
    }

    @Test func clearingTheCountsHidesTheBubble() {
        var theater = Theater(.phone())
        theater.step(400)
        theater.notify("likes")
        theater.step(60)
        theater.command("badges", "clear", kind: "likes")
        theater.step(60)
        #expect(theater.picture("tabs").views["bubble"] == nil)
        #expect(theater.picture("tabs").fields["bubble"] == .null)
    }

    /// A session reports at most ten rejections a second.
    @Test func tenRejectionsASecondAreReported() {
        var theater = Theater(.phone())
        theater.step(7)
        let told = [0, 60, 120].map { pause in
            theater.step(pause)
            return (0..<50).filter { _ in theater.session.mayReport() }.count
        }
        #expect(told == [10, 0, 10])
    }
}
