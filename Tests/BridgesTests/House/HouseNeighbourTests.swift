import Notation
import Protocol
import Testing

@testable import Bridges

private func moment(_ steady: Int) -> Moment { Moment(steady: steady, wall: 0) }

/// A bridge that is connected, and whose question the broker has at 0 ms.
private func asking(
    _ share: HouseShare = .all, name: String = "me",
    _ tell: (inout HouseNeighbours) -> Void
) -> HouseNeighbours {
    var neighbours = HouseNeighbours(name: name, share: share)
    neighbours.ask()
    tell(&neighbours)
    neighbours.hasAsked(at: moment(0))
    return neighbours
}

@Suite struct HouseNeighbourTests {
    @Test func aBridgeThatIsAloneCarriesAtOnce() {
        var neighbours = HouseNeighbours(name: "me", share: .all)
        #expect(neighbours.standing(at: moment(0)) == .asks)
        neighbours.ask()
        #expect(neighbours.standing(at: moment(0)) == .asks)
        neighbours.hasAsked(at: moment(0))
        #expect(neighbours.standing(at: moment(0)) == .carries)
        neighbours.carry()
        #expect(neighbours.standing(at: moment(0)) == .carries)
        neighbours.leave()
        #expect(neighbours.standing(at: moment(0)) == .asks)
    }

    @Test func oneThatIsThereAnswersAndKeepsItsSessions() {
        var neighbours = asking(.named(["hall", "wall"])) {
            _ = $0.take(isOnline: true, of: "z", isRetained: true)
            _ = $0.take(share: .named(["wall"]), of: "z", isRetained: true)
        }
        #expect(neighbours.standing(at: moment(0)) == .asks)
        _ = neighbours.take(isOnline: true, of: "z", isRetained: false)
        #expect(neighbours.standing(at: moment(1)) == .yields(to: "z", .named(["wall"])))
        // It goes.
        _ = neighbours.take(isOnline: false, of: "z", isRetained: false)
        #expect(neighbours.standing(at: moment(2)) == .carries)
    }

    /// The broker keeps `online` of a bridge that ended while the broker was away.
    @Test func oneThatDoesNotAnswerIsGone() {
        var neighbours = asking {
            _ = $0.take(isOnline: true, of: "a", isRetained: true)
            _ = $0.take(share: .all, of: "a", isRetained: true)
        }
        let end = HouseNeighbours.answerMilliseconds
        #expect(neighbours.standing(at: moment(end - 1)) == .asks)
        #expect(neighbours.standing(at: moment(end)) == .carries)
        #expect(neighbours.isOnline("a"))
        neighbours.carry()
        #expect(!neighbours.isOnline("a") && neighbours.gone == ["a"])
    }

    @Test func oneWithOtherSessionsIsNotWaitedFor() {
        var neighbours = asking(.named(["hall"])) {
            _ = $0.take(isOnline: true, of: "a", isRetained: true)
            _ = $0.take(share: .named(["wall"]), of: "a", isRetained: true)
        }
        #expect(neighbours.standing(at: moment(0)) == .carries)
        neighbours.carry()
        #expect(neighbours.isOnline("a") && neighbours.gone.isEmpty)
    }

    @Test func ofTwoThatBeginTogetherOneStays() {
        for (name, other, stays) in [("a", "b", true), ("b", "a", false)] {
            var neighbours = asking(name: name) { _ in }
            neighbours.carry()
            let first = neighbours.take(isOnline: true, of: other, isRetained: false)
            let answer = neighbours.take(
                share: .named(["hall"]), of: other, isRetained: false)
            let wanted: HouseStanding = stays ? .carries : .yields(to: other, .named(["hall"]))
            #expect(neighbours.standing(at: moment(0)) == wanted)
            // The one that goes may not have heard of the other one.
            #expect(first == .nothing && answer == (stays ? .isOnline : .nothing))
            let again = neighbours.take(isOnline: true, of: other, isRetained: false)
            #expect(again == answer)
            // The one that stays tells again what the other one has told.
            let last = neighbours.take(isOnline: false, of: other, isRetained: false)
            #expect(last == .everything && neighbours.standing(at: moment(0)) == .carries)
        }
    }

    @Test func aQuestionIsAnsweredByWhoCarries() {
        var neighbours = asking { _ in }
        let early = neighbours.take(isOnline: false, of: "a", isRetained: false)
        neighbours.carry()
        let question = neighbours.take(isOnline: false, of: "a", isRetained: false)
        let former = neighbours.take(isOnline: false, of: "b", isRetained: true)
        let answer = neighbours.take(isOnline: true, of: "a", isRetained: false)
        #expect([early, question, former, answer] == [.nothing, .isOnline, .nothing, .nothing])
    }

    @Test func bridgesThatAreKnownHaveABound() {
        var neighbours = asking { neighbours in
            for number in 0...HouseNeighbours.countMax {
                _ = neighbours.take(isOnline: true, of: "b\(number)", isRetained: true)
            }
        }
        #expect(neighbours.isOnline("b0"))
        #expect(!neighbours.isOnline("b\(HouseNeighbours.countMax)"))
        // A new connection begins with none.
        neighbours.ask()
        #expect(!neighbours.isOnline("b0"))
    }

    @Test func sharesAreReadAsTheyAreWritten() {
        for share in [HouseShare.all, .named(["hall"]), .named(["a", "b.c", "d~"])] {
            #expect(HouseShare(reading: Array(share.text.utf8)) == share)
        }
        for text in ["", ",", "a b", "a,+", "é", String(repeating: "a,", count: 20_000)] {
            #expect(HouseShare(reading: Array(text.utf8)) == nil, "\(text.prefix(20))")
        }
        #expect(HouseShare([]) == .all && HouseShare(["b", "a"]).text == "a,b")
        #expect(HouseShare.named(["b", "a"]).words == "a")
        #expect(HouseShare.all.words == "all sessions")
    }

    @Test func sharesOverlapWhereASessionIsInBoth() {
        let (hall, both) = (HouseShare.named(["hall"]), HouseShare.named(["hall", "wall"]))
        #expect(hall.overlap(with: both) == hall && both.overlap(with: .all) == both)
        #expect(HouseShare.all.overlap(with: .all) == .all)
        #expect(HouseShare.all.overlap(with: hall) == hall)
        #expect(hall.overlap(with: .named(["wall"])) == nil)
    }
}

@Suite struct HouseAvailabilityTests {
    private static let gone = [
        "g/gone/availability": "online", "g/gone/tips/phase": "resting",
        "h/sensor/g_gone/total/config": """
        {"origin":{"name":"gestured"},"availability":[
        {"topic":"g/bridges/former/availability"},{"topic":"g/gone/availability"}]}
        """,
    ]

    /// Two bridges with one prefix: the end of one says nothing of the other's sessions.
    @Test func eachBridgeHasATopicOfItsOwn() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        #expect(house.shown["g/bridges/me/availability"] == "online")
        let entity = try Document.json(
            Array(try #require(house.shown["h/sensor/g_a/total/config"]).utf8))
        let topics = entity["availability"]?.array?.map { $0["topic"]?.string }
        #expect(topics == ["g/bridges/me/availability", "g/a/availability"])
    }

    @Test func aQuestionIsAnswered() throws {
        var house = try House()
        house.carry()
        house.tell()
        house.told = []
        house.meet("other", "offline", isRetained: false)
        house.tell()
        #expect(house.told == ["g/bridges/me/availability"])
        // Another bridge has told its values of the same sessions, and ends.
        try house.take("badge/a", #"{"total":3,"counts":{}}"#)
        house.told = []
        house.meet("other", "online", carries: "a", isRetained: false)
        house.meet("other", "offline", isRetained: false)
        house.tell()
        #expect(Set(house.told) == Set(house.shown.keys) && house.told.count == 5)
        house.told = []
        // Somebody clears what this bridge says of itself.
        house.meet("me", "", carries: "", isRetained: false)
        house.tell()
        #expect(house.told.count == 2 && house.shown["g/bridges/me/sessions"] == "+")
    }

    /// A bridge with another name clears what a former one has left, and the former one's topics.
    @Test func whatAFormerBridgeLeftIsCleared() throws {
        for words in [["offline"], ["online"], []] {
            var house = try House(discovery: "h")
            house.mirror.ask()
            for word in words { house.meet("former", word, carries: "+") }
            house.mirror.hasAsked(at: moment(0))
            house.mirror.carry(at: moment(HouseNeighbours.answerMilliseconds))
            house.keep(Self.gone, of: "former")
            house.join()
            house.mirror.tick(at: moment(40_000))
            house.tell()
            #expect(house.shown == House.own, "\(words)")
        }
    }

    @Test func whatABridgeWithOtherSessionsLeftStays() throws {
        var house = try House(sessions: ["a"])
        house.carry()
        house.meet("former", "offline", carries: "gone")
        house.keep(Self.gone.filter { $0.key.hasPrefix("g/") }, of: "former")
        let before = house.shown
        house.join()
        house.mirror.tick(at: moment(40_000))
        house.tell()
        let own = House.own.merging(["g/bridges/me/sessions": "a"]) { $1 }
        #expect(house.shown == before.merging(own) { $1 })
    }

    /// One topic says whether any bridge is there: one that is says so again when another one ends.
    @Test func theTopicOfAllBridgesSaysThatOneIsThere() throws {
        var house = try House()
        house.keep(["g/availability": "offline"], of: "other")
        house.tell()
        #expect(house.shown["g/availability"] == "online")
        for (word, isToldAgain) in [("online", false), ("offline", true), ("", true)] {
            house.told = []
            _ = house.mirror.take(
                value: "g/availability", Array(word.utf8), of: "other", isRetained: false)
            house.tell()
            #expect((house.told == ["g/availability"]) == isToldAgain, "\(word)")
        }
    }
}
