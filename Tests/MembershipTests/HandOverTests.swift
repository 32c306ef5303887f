import Testing

@testable import Membership

/// Columns and letters are those of `MemberLifeTests`.
@Suite struct HandOverTests {
    /// Four shards are this member's; another one joins in the column of the first event.
    private static func desk(
        prepares: Bool = true, takes: Bool = true
    ) -> LifeDesk {
        var desk = LifeDesk([nil, nil, nil, nil])
        desk.doLanesPrepare = prepares
        desk.doLanesTake = takes
        return desk
    }

    @Test func whoJoinsIsGivenItsShare() {
        let desk = play(
            Self.desk(), events: "...j...", calls: "0:rmsc 3:rmh",
            shards: ["mmmmmmm", "mmmmmmm", "mmm----", "mmm----"])
        #expect(desk.dropped == [2, 3] && desk.life.figures.handedOver == 2)
        #expect(desk.life.owner(of: 2)?.id == 2 && desk.life.map.version == 6)
        #expect(desk.handOver?.rights.map(\.epoch) == [1, 1] && desk.handOver?.heir == 2)
    }

    @Test func whatIsComingStaysUntilItIsHere() {
        _ = play(
            Self.desk(takes: false), events: "...j..t..", calls: "0:rmsc 3:rm 6:h 8:rm",
            shards: ["ccccccmmm", "ccccccmmm", "cccccc---", "cccccc---"])
    }

    @Test func eightAtOnceOneAfterTheOther() {
        var desk = LifeDesk(Array(repeating: nil, count: 40))
        desk = play(desk, events: "...j", calls: "0:rmsc 3:rmhhh")
        #expect(desk.life.figures.handedOver == 20 && desk.life.shardsHeld == 20)
    }

    /// Its sessions have waited for 250 ms: they go on, and are left alone for a lease.
    @Test func aHandOverThatTakesTooLongDoesNotTakePlace() {
        let desk = play(
            Self.desk(prepares: false), events: "...j...p.................",
            calls: "0:rmsc 3:rm 8:rm 13:rm 18:rm 23:rm",
            shards: [
                "mmmmmmmmmmmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmmmmmmmmmmm",
                "mmmgggmmmmmmmmmmmmmmmmmgg", "mmmgggmmmmmmmmmmmmmmmmmmm",
            ])
        #expect(desk.kept == [2, 3] && desk.life.figures.handedOver == 0)
        #expect(desk.handOver?.number == 2)
    }

    /// The shards that cannot be stored in time are left behind, and then tried in halves.
    @Test func theNextOneHasHalfAsManyAndOtherShards() {
        var desk = LifeDesk(Array(repeating: nil, count: 40))
        desk.doLanesPrepare = false
        for column in 0..<3 {
            desk.now = column * LifeDesk.column
            desk.feed(.timer)
        }
        desk.members.append(.sample(2))
        desk.feed(.woken)
        let first = desk.handOver?.shards ?? []
        #expect(first.count == 8)
        desk.feed(.unprepared(1))
        desk.doLanesPrepare = true
        for _ in 0..<60 {
            desk.now += LifeDesk.column
            desk.feed(.timer)
        }
        #expect(desk.life.figures.handedOver == 20)
        #expect(desk.dropped.prefix(4).allSatisfy { $0 > first[7] }, "\(desk.dropped)")
        #expect(desk.dropped.suffix(8) == first[...], "\(desk.dropped)")
    }

    @Test func lanesThatCannotPrepareKeepTheirSessions() {
        let desk = play(
            Self.desk(prepares: false), events: "...ju...", calls: "0:rmsc 3:rm",
            shards: ["mmmmmmmm", "mmmmmmmm", "mmmgmmmm", "mmmgmmmm"])
        #expect(desk.kept == [2, 3])
    }

    /// The answer to a hand-over that ended is not one to the next.
    @Test func anAnswerToAFormerHandOverIsLeftOut() {
        var desk = play(
            Self.desk(prepares: false), events: "...ju...............j",
            calls:
                "0:rmsc 3:rm 8:rm 13:rm 18:rm 20:rm")
        #expect(desk.handOver?.number == 2)
        desk.feed(.prepared(1))
        #expect(desk.life.holdings[2].letter == "g")
        desk.calls = ""
        desk.feed(.prepared(2))
        #expect(desk.calls == "h" && desk.life.holdings[2].letter == "-")
    }

    @Test(arguments: [("x", "mmm"), ("?", "---")])
    func theNextReadingTellsWhatAHandOverWithoutAnAnswerDid(mood: String, after: String) {
        let desk = play(
            Self.desk(prepares: false), events: "...jp...", database: "....\(mood)...",
            calls: "0:rmsc 3:rm 4:h 5:rms",
            shards: ["mmmmmmmm", "mmmmmmmm", "mmmgg\(after)", "mmmgg\(after)"])
        #expect(desk.kept == (mood == "x" ? [2, 3] : []))
        #expect(desk.dropped == (mood == "x" ? [] : [2, 3]))
        #expect(desk.life.figures.handedOver == (mood == "x" ? 0 : 2))
        #expect(desk.life.figures.lost == 0)
    }

    /// Nobody is told about it before the database answers.
    @Test func untilThenTheShardsAreNobodysHere() {
        _ = play(
            Self.desk(prepares: false), events: "...jp.....", database: "....xxxxx.",
            calls: "0:rmsc 3:rm 4:h 5:r 6:r 7:r 8:r 9:rms",
            shards: ["mmmmmmmmmm", "mmmmmmmmmm", "mmmggggggm", "mmmggggggm"])
    }

    @Test func withoutTheHeirTheyStay() {
        var desk = play(
            Self.desk(prepares: false), events: "...j", calls: "0:rmsc 3:rm",
            shards: ["mmmm", "mmmm", "mmmg", "mmmg"])
        desk.change(2) { $0.state = .leaving }
        desk.calls = ""
        desk.feed(.prepared(1))
        #expect(desk.calls == "h" && desk.life.holdings[2].letter == "g")
        desk.now += 10_000_000
        desk.feed(.timer)
        #expect(desk.calls == "hrms" && desk.kept == [2, 3] && desk.dropped == [])
    }

    @Test func whoIsLateIsNoHeir() {
        _ = play(
            Self.desk(), events: "...d", calls: "0:rmsc", shards: ["mmmm"])
        let late = LifeDesk([1, 1], others: [.sample(2, isLate: true)])
        _ = play(late, events: "......", calls: "0:rms 5:rm", shards: ["mmmmmm", "mmmmmm"])
    }

    @Test func aLifeThatIsLostEndsItsHandOver() {
        let desk = play(
            Self.desk(prepares: false), events: "...jL.", calls: "0:rmsc 3:rm",
            shards: ["mmmm--", "mmmm--", "mmmg--", "mmmg--"])
        #expect(desk.kept == [] && desk.dropped == [] && desk.dropsOfAll == 1)
        #expect(desk.life.handOverStage == .none && desk.life.figures.lost == 4)
    }
}
