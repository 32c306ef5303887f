import Geometry
import Testing

@testable import Sessions

/// Each column is a tick of 10 ms; changes gather for three ticks, a failure is tried again after
/// five.
///
/// - Sessions: `o`pened anew, `O`pened as stored, `c`hanged, changed with a `r`eply due, `u`sed
///   alone, `x` removed, `X` removed with a reply due, `?` asked about its
///   removal again, `i`dle, so to be evicted.
/// - Store, of the oldest commit: `+` durable, `x` failed, `!` another daemon owns it.
/// - Lane: `e`nds, `d` asked whether it is drained, `a`bandons all.
/// - States: `i`dle, `g`athering, `f`lushing, `s`talled, a`w`aiting parts, `b`acking off,
///   `d`raining.
/// - Submits: how many sessions the batches of this tick change.
/// - Answers: `+` acknowledged, `x` refused.
private func expect(
    _ sessions: KeyValuePairs<Character, String>, on desk: StoreDesk = StoreDesk(),
    store: String = "", lane: String = "", states: String, submits: String,
    answers: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> StoreDesk {
    var desk = desk
    var found = (states: "", submits: "", answers: "")
    func character(_ line: String, _ tick: Int) -> Character {
        Array(line).indices.contains(tick) ? Array(line)[tick] : "."
    }
    for tick in 0..<states.count {
        desk.beginTick()
        desk.judge(character(store, tick))
        for (name, line) in sessions { desk.apply(character(line, tick), to: name) }
        desk.steer(character(lane, tick))
        desk.endTick()
        found.states.append(desk.cache.state.letter)
        let count = desk.submitted.isEmpty ? "." : "\(desk.submitted.reduce(0, +))"
        found.submits += count
        found.answers += desk.answers.isEmpty ? "." : desk.answers.contains(false) ? "x" : "+"
    }
    #expect(found.states == states, "states", sourceLocation: sourceLocation)
    #expect(found.submits == submits, "submits", sourceLocation: sourceLocation)
    if let answers {
        #expect(found.answers == answers, "answers", sourceLocation: sourceLocation)
    }
    return desk
}

extension StoreDesk {
    fileprivate mutating func judge(_ letter: Character) {
        switch letter {
        case "+": commitOldest()
        case "x": failOldest()
        case "!": loseOldest()
        default: #expect(letter == ".")
        }
    }

    fileprivate mutating func apply(_ letter: Character, to name: Character) {
        switch letter {
        case "o": openNew(name)
        case "O": restore(name)
        case "c": change(name)
        case "r":
            change(name)
            askForReply(name)
        case "u": use(name)
        case "x": remove(name, isAsked: false)
        case "X": remove(name, isAsked: true)
        case "?": askForEnd(name)
        case "i": idle(name)
        default: #expect(letter == ".")
        }
    }

    fileprivate mutating func steer(_ letter: Character) {
        switch letter {
        case "e": perform { $0.close(into: &$1) }
        case "d": perform { _ = $0.isDrained(into: &$1) }
        case "a": abandon()
        default: #expect(letter == ".")
        }
    }
}

extension WriteBehind.State {
    fileprivate var letter: Character {
        switch self {
        case .idle: "i"
        case .gathering: "g"
        case .flushing: "f"
        case .stalled: "s"
        case .awaitingParts: "w"
        case .backingOff: "b"
        case .draining: "d"
        }
    }
}

@Suite struct WriteBehindTests {
    @Test func changesThatNobodyWaitsForGatherAndGoTogether() {
        let desk = expect(
            ["a": "o.c...c...", "b": ".o........"], store: "....+...",
            states: "gggiiigggi", submits: "...2.....1", answers: "..........")
        #expect(desk.store["a"]?.changes == 2 && desk.store["b"]?.changes == 1)
    }

    @Test func aReplyHasTheBatchSubmittedAtOnce() {
        _ = expect(
            ["a": "o.r.....", "b": "oc......"], store: "....+...",
            states: "ggiiiiii", submits: "..2.....", answers: "....+...")
    }

    @Test func changesDuringACommitGoIntoFurtherCommits() {
        let desk = expect(
            ["a": "or.r.r....", "b": "o...r....."], store: "......+++",
            states: "giiiiiiiii", submits: ".2.111....", answers: "......+++.")
        #expect(desk.cache.commitsUnderWay == 1)
    }

    /// A change that is on its way already is no answer: the publisher's commit must have it.
    @Test func aReplyNeedsACommitThatHasTheSession() {
        var desk = expect(["a": "o..."], states: "gggi", submits: "...1")
        desk.askForReply("a")
        desk.endTick()
        #expect(desk.submitted == [1, 1] && desk.pending.isEmpty)
        desk.commitOldest()
        #expect(desk.answers.isEmpty)
        desk.commitOldest()
        #expect(desk.answers == [true])
        desk.askForReply("a")
        #expect(desk.answers == [true, true], "nothing is to be stored first")
    }

    @Test func aFailureIsMergedBackAndTriedAgainLater() {
        let desk = expect(
            ["a": "or...r......", "b": "o..........."], store: "...x.....+",
            states: "giibbbbbiiii", submits: ".2......2...", answers: "...x.....+..")
        #expect(desk.store["a"]?.changes == 3)
    }

    @Test func nothingIsSubmittedBeforeItsTimeThoughATimerFiresEarlier() {
        _ = expect(
            ["a": "o..c......"], store: "....x.....", states: "ggggbbbbbi",
            submits: "...1.....1")
    }

    @Test func commitsThatFailTogetherAreTriedAgainTogether() {
        let desk = expect(
            ["a": "or.r.......", "b": "o...r......"], store: ".....xxx..+",
            states: "giiiibbbbbi", submits: ".2.11.....2", answers: ".....xxx...")
        #expect(desk.cache.commitsUnderWay == 0 && desk.store["b"]?.changes == 2)
    }

    /// The later commit has all of it: nothing is to be tried again, perhaps under an heir.
    @Test func aFailureBeforeALaterCommitIsNotTriedAgain() {
        let desk = expect(
            ["a": "or.r........"], store: "....x+......", states: "giiibbbbbiii",
            submits: ".1.1........", answers: "....x+......")
        #expect(desk.store["a"]?.changes == 3)
    }

    @Test func aFailureBeforeALaterOneIsTriedAgainOnce() {
        let desk = expect(
            ["a": "or.r........"], store: "....xx.....+", states: "giiibbbbbiii",
            submits: ".1.1.....1..", answers: "....xx......")
        #expect(desk.store["a"]?.changes == 3)
    }

    // MARK: Names

    @Test func aNameThatIsReopenedBeforeItsRemovalGoesGoesWithItWhole() {
        let desk = expect(
            ["a": "or.xo...."], store: "..+....+.",
            states: "giigggiii", submits: ".1....2..", answers: "..+......")
        #expect(desk.store["a"]?.life == 2)
    }

    @Test func aRemovalUnderWayGoesAgainBeforeTheNewRow() {
        let desk = expect(
            ["a": "or.X.or...."], store: "..+.....x+",
            states: "giiiigiibbb", submits: ".1.1..1....", answers: "..+.....x+.")
        // The removal that failed is to be repeated, and the new session follows it.
        #expect(desk.store["a"]?.life == 2)
        #expect(desk.batches.last?.rows.first?.former != nil)
    }

    @Test func aRemovalThatFailedIsRepeatedWithTheSessionThatFollowed() {
        let desk = expect(
            ["a": "or.X.o.........."], store: "..+....x.....+..",
            states: "giiiiggbbbbbiiii", submits: ".1.1........2...",
            answers: "..+....x........")
        #expect(desk.store["a"]?.life == 2 && desk.cache.successors.isEmpty)
    }

    @Test func aNameThatIsClosedTwiceIsRemovedByTheLaterOne() {
        let desk = expect(
            ["a": "or.X.oX...."], store: "..+....xx..",
            states: "giiiigibbbb", submits: ".1.1..1....", answers: "..+....xx..")
        #expect(desk.cache.removals["a"]?.version == 2)
    }

    /// The first removal is durable, the second is not: nobody may read the row between them.
    @Test func aNameWhoseSecondRemovalIsUnderWayIsRemoved() {
        let desk = expect(
            ["a": "oX.oX..."], store: "......+.", states: "giigiiii", submits: ".1..1...",
            answers: "......+.")
        #expect(desk.cache.isRemoved("a"))
    }

    @Test func theVersionOfTheFormerSessionCountsUntilTheNewOneIsStored() {
        var desk = StoreDesk()
        desk.openNew("a")
        desk.change("a")
        desk.remove("a", isAsked: true)
        desk.openNew("a")
        let slot = desk.open["a"]?.slot
        #expect(slot.flatMap { desk.cache.savedVersion(of: $0) } == 0)
        desk.endTick()
        #expect(slot.flatMap { desk.cache.savedVersion(of: $0) } == 0)
        desk.commitOldest()
        #expect(slot.flatMap { desk.cache.savedVersion(of: $0) } == 1)
        #expect(desk.cache.removalCount == 0 && !desk.cache.isRemoved("a"))
    }

    /// The commit of the answer has the removal: the one under way may fail.
    @Test func aRepeatedRemovalIsAnsweredOnceItIsDurable() {
        let desk = expect(
            ["a": "or.X?......"], store: "..+..x+....", states: "giiiibbbbbi",
            submits: ".1.11.....1", answers: "..+..x+....")
        #expect(desk.store["a"] == nil)
    }

    // MARK: Parts

    private static var small: StoreDesk {
        StoreDesk {
            $0.partSessionsMax = 2
            $0.commitsMax = 3
        }
    }

    private static let five: KeyValuePairs<Character, String> = [
        "a": "o", "b": "o", "c": "o", "d": "o", "e": "or",
    ]

    @Test func manySessionsGoInPartsAndTheRepliesWithTheLastPiece() {
        _ = expect(
            ["a": "o", "b": "o.c", "c": "o", "d": "o", "e": "or"], on: Self.small,
            store: "....++++.",
            states: "gffwwwiii", submits: ".221..1..", answers: ".......+.")
    }

    @Test func aPartThatFailsRefusesTheReplies() {
        let desk = expect(
            Self.five, on: Self.small, store: "....+x+...+.", states: "gffwwbbbbbii",
            submits: ".221......2.", answers: ".....x......")
        #expect(desk.store.count == 5)
    }

    /// A part that is durable may have what a publisher waits for.
    @Test func whoAbandonsPartsDoesNotKnowWhatIsDurable() {
        var desk = expect(Self.five, on: Self.small, states: "gf", submits: ".2")
        let parts = desk.cache.abandon()
        #expect(parts == (1, true))
        desk = expect(["a": "or"], on: Self.small, states: "g", submits: ".")
        let first = desk.cache.abandon()
        #expect(first.followParts == false)
    }

    @Test func partsStopWhereTooManyCommitsAreUnderWay() {
        var desk = StoreDesk {
            $0.partSessionsMax = 1
            $0.commitsMax = 2
        }
        desk = expect(
            Self.five, on: desk, store: ".....++++++", states: "gffssffwwii",
            submits: ".11..111.0.", answers: "..........+")
        #expect(desk.store.count == 5)
    }

    // MARK: Eviction

    @Test func anIdleSessionIsEvictedOnceItIsStored() {
        let desk = expect(
            ["a": "o....i..i..."], store: "....+....+",
            states: "gggiigggiiii", submits: "...1....1...")
        #expect(desk.evicted == ["a"] && desk.store["a"]?.changes == 1)
    }

    @Test func aSessionThatIsUsedOnItsWayStays() {
        let desk = expect(
            ["a": "o....i..u.i.."], store: "....+....+....",
            states: "gggiigggiiggg", submits: "...1....1....")
        #expect(desk.evicted.isEmpty && desk.open["a"] != nil)
    }

    @Test func aPlaceIsUsedAgainOnlyOnceNothingRefersToIt() {
        var desk = StoreDesk()
        desk.openNew("a")
        let first = desk.open["a"]?.slot
        desk.remove("a", isAsked: true)
        desk.openNew("b")
        #expect(desk.open["b"]?.slot != first, "the list of the dirty still has it")
        desk.endTick()
        desk.openNew("c")
        #expect(desk.open["c"]?.slot == first)
    }

    // MARK: Ownership

    @Test func aSessionThatAnotherDaemonOwnsIsDroppedAndNotStored() {
        let desk = expect(
            ["a": "or...c", "b": "o"], store: "..+.....!", states: "giiiigggi",
            submits: ".2......1")
        #expect(desk.evicted == ["a"] && desk.open["b"] != nil)
        #expect(desk.store["a"]?.changes == 2, "the owner's row stays as it was")
    }

    @Test func whatIsAbandonedIsSubmittedNoMore() {
        let desk = expect(
            ["a": "or.c", "b": "o..x"], store: "..+", lane: "....a", states: "giigiiii",
            submits: ".2......")
        #expect(desk.store.count == 2 && desk.cache.removalCount == 0)
    }

    @Test func aRemovalUnderWayThatIsAbandonedIsNotTriedAgain() {
        let desk = expect(
            ["a": "or.X"], store: "..+..x", lane: "....a", states: "giiiibbbbbiii",
            submits: ".1.1.........", answers: "..+..x.......")
        #expect(desk.store["a"] != nil && !desk.cache.isRemoved("a"))
    }

    @Test func aRowUnderWayThatIsAbandonedIsNotTriedAgain() {
        let desk = expect(
            ["a": "or.r"], store: "..+..x", lane: "....a", states: "giiiibbbbbiii",
            submits: ".1.1.........", answers: "..+..x.......")
        #expect(desk.store["a"]?.changes == 2)
    }

    @Test func partsThatAreAbandonedHoldNothingUp() {
        let desk = expect(
            ["a": "o", "b": "o", "c": "o", "d": "o", "e": "or", "f": "....or"], on: Self.small,
            store: "....xxx....+", lane: "...a", states: "gffibbbbbiii",
            submits: ".221.....1..", answers: "...x.......+")
        #expect(desk.store.keys.sorted() == ["f"])
    }

    @Test func aRemovalThatIsForgottenIsNotTriedAgain() {
        var desk = expect(
            ["a": "or.X.", "b": "or..x"], store: "..+..", states: "giiig", submits: ".2.1.")
        desk.cache.forgetRemovals { $0 == "a" }
        #expect(!desk.cache.isRemoved("a") && desk.cache.isRemoved("b"))
        desk = expect(
            [:], on: desk, store: "x....+", states: "bbbbbii", submits: ".....1.")
        #expect(desk.store.keys.sorted() == ["a"])
    }

    // MARK: The end

    @Test func theLastCommitHasEverythingAsItStandsBehindTheParts() {
        let desk = expect(
            ["a": "or", "b": "o", "c": "o", "d": ".o"], on: Self.small, store: "...++.+.",
            lane: "..e..d.d", states: "gfdddddd", submits: ".22..4..", answers: "......+.")
        #expect(desk.store.count == 4 && desk.cache.commitsUnderWay == 0)
    }

    @Test func aPartThatFailsAtTheEndRefusesTheReplies() {
        let desk = expect(
            ["a": "or", "b": "o", "c": "o", "d": ".o"], on: Self.small, store: "...+x.+.",
            lane: "..e..d.d", states: "gfdddddd", submits: ".22..4..", answers: "....x...")
        #expect(desk.store.count == 4 && desk.cache.commitsUnderWay == 0)
    }

    @Test func theEndTriesAgainWhereACommitFails() {
        let desk = expect(
            ["a": "o", "b": ".o"], store: "...x.x.+", lane: "..e.d.d.d",
            states: "ggddddddd", submits: "..2.2.2..")
        #expect(desk.store.count == 2)
    }

    @Test func theEndWaitsForNoTimer() {
        _ = expect(
            ["a": "or"], store: "..x...+", lane: "....e..", states: "gibbddd", submits: ".1..1..")
    }
}
