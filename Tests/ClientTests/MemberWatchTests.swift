import Notation
import Testing

@testable import GesturedClient

struct MemberWatchTests {
    private let second = 1_000_000_000

    private func member(_ name: String, daemon: String = "1") -> Member {
        Member(
            name: name, daemon: daemon,
            endpoints: Endpoints(
                events: "tcp://\(name):1", updates: "tcp://\(name):2", control: name))
    }

    private func heartbeat(_ epoch: String, shards: Int) -> Node {
        Node(
            .object([
                Node.Member("epoch", Node(.string(epoch))),
                Node.Member("shards", Node(.integer(shards))),
            ]))
    }

    /// One that knows `a` and `b`, and has nothing to ask.
    private func watch() -> MemberWatch {
        var watch = MemberWatch(isCluster: true)
        watch.add(member("a"), at: 0)
        watch.add(member("b"), at: 0)
        return watch
    }

    @Test func aMemberThatSaysNothingIsSilentAndAskedFor() {
        var watch = watch()
        var silent = watch.silent(at: 2 * second)
        var asks = watch.takeQuestion(at: 2 * second)
        #expect(silent.isEmpty && !asks)
        var wasSilent = watch.hear("a", at: second)
        #expect(!wasSilent)
        silent = watch.silent(at: 2 * second + 1)
        #expect(silent == ["b"] && watch.placesThere == ["a"] && !watch.isThere("b"))
        asks = watch.takeQuestion(at: 2 * second + 1)
        #expect(asks)
        wasSilent = watch.hear("b", at: 3 * second)
        #expect(wasSilent)
        wasSilent = watch.hear("b", at: 3 * second)
        #expect(!wasSilent && watch.placesThere == ["a", "b"])
        wasSilent = watch.hear("stranger", at: 0)
        #expect(!wasSilent && !watch.isThere("stranger"))
    }

    @Test func itAsksNoMoreThanTwiceASecond() {
        var watch = watch()
        let asked = [second, second * 3 / 2 - 1, second * 3 / 2, 9 * second].map { time in
            if time < 2 * second { watch.haveToAsk() }
            return watch.takeQuestion(at: time)
        }
        // Nothing has changed since the third.
        #expect(asked == [true, false, true, false])
        #expect(!watch.isQuestionOver(at: 2 * second - 1) && watch.isQuestionOver(at: 2 * second))
    }

    @Test(arguments: [("1", 5, false), ("1", 6, true), ("2", 5, true)])
    func aHeartbeatTellsWhetherToAsk(epoch: String, shards: Int, asks: Bool) {
        var watch = watch()
        watch.note(heartbeat: heartbeat("1", shards: 5), from: "a")
        var isAsked = watch.takeQuestion(at: second)
        #expect(!isAsked)
        watch.note(heartbeat: heartbeat(epoch, shards: shards), from: "a")
        isAsked = watch.takeQuestion(at: second)
        #expect(isAsked == asks)
    }

    /// One in no cluster tells no epoch in the list of members.
    @Test func anUnknownEpochIsNoChange() {
        var watch = MemberWatch(isCluster: true)
        watch.add(member("a", daemon: ""), at: 0)
        watch.note(heartbeat: heartbeat("1", shards: 5), from: "a")
        let isAsked = watch.takeQuestion(at: second)
        #expect(!isAsked)
    }

    @Test func anAnswerTellsWhoComesAndGoes() {
        var watch = watch()
        let change = watch.learn([member("c"), member("b", daemon: "2")])
        #expect(change.new == [member("c")] && change.gone == ["a"] && change.hasBegunAgain)
        #expect(watch.places == ["b"] && watch.member(at: "a") == nil)
        watch.add(member("c"), at: 0)
        let none = watch.learn([member("c"), member("b", daemon: "2")])
        #expect(none == MemberWatch.Change())
        #expect(watch.places == ["b", "c"])
    }

    @Test func noMoreThanTheBoundAreAdded() {
        var watch = MemberWatch(isCluster: true)
        for number in 0..<Member.membersMax {
            #expect(watch.hasRoom)
            watch.add(member("\(number)"), at: 0)
        }
        #expect(!watch.hasRoom)
    }

    @Test func aSyncWaitsForAllMembersThatAreThere() {
        var sync = MemberSync(of: ["a", "b"], at: 0)
        #expect(!sync.isOver(at: 9 * second), "none has answered")
        sync.note("a")
        #expect(!sync.isOver(at: second - 1) && sync.isOver(at: second))
        sync.note("b")
        #expect(sync.isOver(at: 0))
    }
}
