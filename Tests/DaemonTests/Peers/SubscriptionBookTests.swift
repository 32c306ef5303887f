import Interactions
import Notation
import Sessions
import Testing

@testable import Daemon

struct SubscriptionBookTests {
    @Test(arguments: [
        ("", SubscriptionBook.Interest.broad(.all)),
        ("s", .broad([.state, .session, .scene])), ("state/", .broad(.state)),
        ("sta", .broad(.state)),
        ("transition/", .broad(.transition)), ("badge", .broad(.badge)),
        ("state/alice", .session("alice", .state, topic: "state/alice")),
        ("state/alice/", .session("alice", .state, topic: "state/alice/")),
        ("state/alice/to", .session("alice", .state, topic: "state/alice/to")),
        ("state/al", .session("al", .state, topic: "state/al")),
        ("badge/alice", .session("alice", .badge, topic: "badge/alice")),
        ("session/alice", .session("alice", .session, topic: "session/alice")),
        ("scene/alice", .session("alice", .scene, topic: "scene/alice")),
        ("frame/alice", .session("alice", .frame, topic: "frame/alice")),
        ("frame", .broad(.frame)), ("scene/", .broad(.scene)),
        ("rejected/a", .session("a", .rejected, topic: "rejected/a")), ("rejected/-", .other),
        ("sync/n1", .sync(nonce: "n1")), ("sync/", .other), ("sync/a/b", .other),
        ("heartbeat", .other), ("state//toss", .other), ("state/a b", .other),
        ("gesture/alice", .other),
    ])
    func aPrefixSelectsItsInterest(prefix: String, expected: SubscriptionBook.Interest) {
        #expect(SubscriptionBook.interest(of: prefix) == expected)
    }

    @Test func anInterestLastsUntilTheLastOfItsSubscriptionsIsGone() {
        var book = SubscriptionBook()
        func insert(_ prefix: String) {
            book.insert(prefix, SubscriptionBook.interest(of: prefix))
        }
        func remove(_ prefix: String) {
            book.remove(prefix, SubscriptionBook.interest(of: prefix))
        }
        insert("state/alice")
        insert("state/alice/toss")
        insert("badge/alice")
        #expect(book.channels(of: "alice") == [.state, .badge])
        #expect(book.channels(of: "al") == [])
        remove("state/alice")
        #expect(book.channels(of: "alice") == [.state, .badge])
        remove("state/alice/toss")
        remove("state/alice/toss")
        #expect(book.channels(of: "alice") == .badge)
        remove("badge/alice")
        #expect(book.channels(of: "alice") == [])
        insert("state/")
        insert("")
        #expect(book.broadChannels == .all)
        remove("")
        #expect(book.broadChannels == .state)
    }

    @Test func whatEndsWithinANameIsWantedOfAllThatBeginSo() {
        var book = SubscriptionBook()
        func change(_ prefix: String, isNew: Bool = true) {
            let interest = SubscriptionBook.interest(of: prefix)
            if isNew { book.insert(prefix, interest) } else { book.remove(prefix, interest) }
        }
        for prefix in ["state/al", "badge/al", "state/al/", "transition/al/toss", "frame/bo"] {
            change(prefix)
        }
        #expect(book.channels(of: "al") == [.state, .badge, .transition])
        #expect(book.channels(ofBeginning: "al") == [.state, .badge])
        #expect(book.channels(ofBeginning: "bo") == .frame)
        #expect(book.channels(ofBeginning: "alice").isEmpty)
        change("state/al", isNew: false)
        change("state/al", isNew: false)
        #expect(book.channels(ofBeginning: "al") == .badge)
        #expect(book.channels(of: "al") == [.state, .badge, .transition])
    }

    /// A subscriber may ask for tens of thousands of one session's topics.
    @Test func manySubscriptionsToOneSessionCostNoMoreEach() {
        func processorNanoseconds(_ count: Int) -> Int {
            var book = SubscriptionBook()
            let began = Clock.processor()
            for index in 0..<count {
                let prefix = "state/s/\(index)"
                book.insert(prefix, SubscriptionBook.interest(of: prefix))
                _ = book.channels(of: "s")
            }
            return Clock.processor() - began
        }
        let few = processorNanoseconds(2_000)
        let many = processorNanoseconds(20_000)
        // Ten times as many take ten times as long; the square would be a hundred.
        #expect(many < 40 * few, "\(many / few)")
    }
}

struct SyncNumbersTests {
    @Test func aNonceCountsOnAndTheOldestIsForgotten() {
        var numbers = SyncNumbers()
        #expect(numbers.next(for: "a") == 1)
        #expect(numbers.next(for: "a") == 2)
        for index in 0..<Limits.syncNoncesMax { #expect(numbers.next(for: "n\(index)") == 1) }
        #expect(numbers.next(for: "a") == 1)
    }
}

struct FormerVersionsTests {
    @Test func aNameGoesOnAfterItsLastVersionAndAForgottenOneAfterTheHighest() {
        var versions = FormerVersions(versionFloor: 0)
        versions.remember(7, of: "alice")
        versions.remember(0, of: "bob")
        #expect(versions["alice"] == 7 && versions["bob"] == 0)
        for index in 0..<Limits.formerVersionsMax { versions.remember(3, of: "s\(index)") }
        #expect(versions["alice"] == 7 && versions["never"] == 7)
    }

    @Test func versionsBeginAboveThoseOfAnEarlierRunAndBelowWhatReadersHold() {
        let year = 31_556_952_000_000_000
        let times = [0, 1_000_000, 1_500_000_000, 56 * year, 56 * year + 1_000, 250 * year]
        let floors = times.map { FormerVersions.versionFloor(at: $0) }
        #expect(floors == floors.sorted() && Set(floors).count == floors.count)
        // A run counts slower than the clock, so a later one begins above what it told.
        let aSecondLater = FormerVersions.versionFloor(at: 56 * year + 1_000_000_000)
        #expect(aSecondLater - FormerVersions.versionFloor(at: 56 * year) == 1 << 20)
        #expect(FormerVersions.versionFloor(at: .max) == Limits.versionsBegunMax)
        #expect(Limits.versionsBegunMax + 1 << 44 < BadgeCounts.countMax)
        #expect(FormerVersions.versionFloor(at: -5) == 0)
    }
}
