import Testing

@testable import Membership

/// Each column is 100 ms; a look comes every five, the lease lasts fifteen.
///
/// - Events: member 2 `j`oins, is `d`elayed beyond its lease, comes `b`ack, `l`eaves, or is
///   `e`nded; `n`ews; the lanes have `t`aken, `p`repared or not (`u`), `h`ang or answer (`a`);
///   a commit without an `A`nswer, or one that was `L`ost; `S`top, lanes have `F`inished.
/// - Database: `.` answers, `x` fails, `?` does what it never answers, `!` says lost.
/// - Calls, behind their column: `r`enew, `m`embers, `s`hards, `f`ence, `c`laim, `h`and over,
///   set `l`eaving, set `g`one, `j`oin.
/// - Shards: `-` away, `c`oming, `m`ine, `g`oing. `leased` tells whether nothing is doubtful.
func play(
    _ desk: LifeDesk, events: String = "", database: String = "", calls: String,
    shards: [String] = [], leased: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> LifeDesk {
    var desk = desk
    let (events, database) = (Array(events), Array(database))
    let columns = max(
        events.count, database.count, shards.map(\.count).max() ?? 0, leased?.count ?? 0)
    var found = (calls: [String](), shards: shards.map { _ in "" }, leased: "")
    for column in 0..<columns {
        desk.now = column * LifeDesk.column
        desk.calls = ""
        let letter = database.indices.contains(column) ? database[column] : "."
        if let mood = LifeDesk.Mood(rawValue: letter) { desk.mood = mood }
        if events.indices.contains(column) { desk.befall(events[column]) }
        desk.feed(.timer)
        if !desk.calls.isEmpty { found.calls.append("\(column):\(desk.calls)") }
        for index in shards.indices {
            found.shards[index].append(desk.life.holdings[index].letter)
        }
        found.leased.append(desk.life.isLeased(at: desk.now) ? "+" : "-")
    }
    let all = found.calls.joined(separator: " ")
    #expect(all == calls, sourceLocation: sourceLocation)
    #expect(found.shards == shards, sourceLocation: sourceLocation)
    if let leased { #expect(found.leased == leased, sourceLocation: sourceLocation) }
    return desk
}

extension LifeDesk {
    fileprivate mutating func befall(_ letter: Character) {
        switch letter {
        case "j":
            members.append(.sample(2))
            feed(.woken)
        case "d": change(2) { $0.isLate = true }
        case "b": change(2) { $0.isLate = false }
        case "l": change(2) { $0.state = .leaving }
        case "e": members.removeAll { $0.id == 2 }
        case "n": feed(.woken)
        case "t": feed(.taken(taken))
        case "p": feed(.prepared(handOver?.number ?? 0))
        case "u": feed(.unprepared(handOver?.number ?? 0))
        case "h": doLanesAnswer = false
        case "a":
            doLanesAnswer = true
            feed(.lanesAnswered)
        case "A": feed(.disconnected)
        case "L": feed(.lost(member: life.member))
        case "S": feed(.stop)
        case "F": feed(.finished)
        default: #expect(letter == ".")
        }
    }
}

@Suite struct MemberLifeTests {
    // MARK: Looks

    @Test func itTakesWhatNobodyOwnsAndLooksEveryThirdOfTheLease() {
        let desk = play(
            LifeDesk([nil, nil]), calls: "0:rmsc 5:rm 10:rm 15:rm",
            shards: ["mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm"], leased: "++++++++++++++++")
        #expect(desk.taken.map(\.epoch) == [1, 1] && desk.life.figures.claimed == 2)
        #expect(desk.life.map.version == 2 && desk.life.owner(of: 1)?.id == 1)
        #expect(desk.life.owner(of: 2) == nil && desk.life.owner(of: -1) == nil)
    }

    @Test func newsHaveItLookAndReadTheShardsOnlyIfTheyChanged() {
        var desk = play(LifeDesk([nil]), events: "...n....", calls: "0:rmsc 3:rm", shards: [])
        desk.give([0], to: 1)
        desk = play(desk, events: "n", calls: "", shards: [])
    }

    /// A hundred calls for a look are one.
    @Test func pollsAreApart() {
        var desk = play(LifeDesk([nil]), events: "......", calls: "0:rmsc 5:rm")
        desk.calls = ""
        for _ in 0..<100 {
            desk.now += 200_000
            desk.feed(.woken)
        }
        #expect(desk.calls == "rmrm")
    }

    /// Another member owns shards who joined after the members were read.
    @Test func anUnknownOwnerIsLookedForBeforeAnythingIsPlanned() {
        _ = play(LifeDesk([7, 7]), events: "..", calls: "0:rms 1:rmc", shards: ["-m", "-m"])
    }

    @Test func nonsenseFromTheDatabaseIsReadAgain() {
        var desk = LifeDesk([nil, nil])
        desk.shards.removeLast()
        desk = play(desk, events: "..", calls: "0:rms 1:rms", shards: ["--", "--"])
        desk.shards = [desk.shards[0], desk.shards[0]]
        desk.now += 200_000_000
        desk.calls = ""
        desk.feed(.timer)
        #expect(desk.calls == "rms" && desk.life.shardsHeld == 0)
    }

    // MARK: Taking

    /// The plan has half of them for member 2, which does not come. It may be dead and not late
    /// yet, so it is not given any before a lease is over.
    @Test func freeShardsOfTheOthersAreTakenIfTheyStayFree() {
        _ = play(
            LifeDesk([nil, nil, nil, nil], others: [.sample(2)]),
            calls: "0:rmsc 5:rmc 10:rm 15:rm 20:rmh",
            shards: [
                "mmmmmmmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmmmmmmm", "-----mmmmmmmmmmmmmmm-",
                "-----mmmmmmmmmmmmmmm-",
            ])
    }

    @Test func weightlessItTakesNothing() {
        _ = play(
            LifeDesk([nil], weight: 0), events: "......", calls: "0:rms 5:rm", shards: ["------"])
    }

    @Test func aClaimThatSomebodyWasFasterWithHasItReadAgain() {
        var life = MemberLife(
            member: 1, shards: 1, tuning: MemberLife.Tuning(leaseSeconds: 1.5), joined: 0)
        let row = ShardRow(number: 0, owner: nil, epoch: 0)
        let answers: [MemberLife.Answer] = [
            .renewed(Renewal(clock: 0, version: 0)), .members([.sample(1)]), .shards([row]),
        ]
        var actions = life.take(.timer, at: 0)
        for answer in answers { actions = life.take(.answered(answer), at: 0) }
        #expect(actions == [.ask(.claim([row]))])
        #expect(life.take(.answered(.claimed([])), at: 0) == [.wait(until: 10_000_000)])
        _ = life.take(.timer, at: 10_000_000)
        _ = life.take(.answered(answers[0]), at: 10_000_000)
        #expect(life.take(.answered(answers[1]), at: 10_000_000) == [.ask(.shards)])
    }

    @Test func whatTheRowsSayIsAnothersIsDropped() {
        var desk = LifeDesk([nil, nil])
        desk = play(desk, events: "..", database: "..", calls: "0:rmsc", shards: ["mm", "mm"])
        desk.give([0], to: 2)
        desk.members.append(.sample(2))
        desk.now += 400_000_000
        desk.feed(.timer)
        #expect(desk.dropped == [0] && desk.life.figures.lost == 1)
        #expect(desk.life.owner(of: 0)?.id == 2)
    }

    @Test func whatAnotherMemberGivesComesWithItsFloor() {
        var desk = LifeDesk([2, 2], others: [.sample(2)])
        desk.doLanesTake = false
        desk = play(desk, events: "..", calls: "0:rms", shards: ["--", "--"])
        desk.give([1], to: 1)
        desk.calls = ""
        desk.feed(.woken)
        #expect(desk.taken == [ShardRight(number: 1, epoch: 2, floor: 9)])
        #expect(desk.life.holdings[1].letter == "c" && desk.life.owner(of: 1)?.id == 1)
        desk.feed(.taken([ShardRight(number: 1, epoch: 1, floor: 9)]))
        desk.feed(.taken([ShardRight(number: 9, epoch: 1, floor: 9)]))
        #expect(desk.life.holdings[1].letter == "c", "another right is none")
        desk.feed(.taken(desk.taken))
        #expect(desk.life.holdings[1].letter == "m")
    }

    // MARK: Fencing

    @Test func whoIsLateIsFencedOnceThisMemberWasThereForALease() {
        let desk = play(
            LifeDesk([2, nil], others: [.sample(2, isLate: true)]), events: "................",
            calls: "0:rmsc 5:rm 10:rm 15:rmfc", shards: ["---------------m", "mmmmmmmmmmmmmmmm"])
        #expect(desk.life.figures.fenced == 1 && desk.life.map.members.map(\.id) == [1])
    }

    /// A database that was away makes everybody late.
    @Test func afterALostConnectionNobodyIsFencedForOneLease() {
        _ = play(
            LifeDesk([2, nil], others: [.sample(2)]),
            events: "................d.....................",
            database: "....................x",
            calls: "0:rmsc 5:rm 10:rm 15:rm 20:r 21:rms 26:rm 31:rm 36:rmfc",
            shards: ["------------------------------------mm", String(repeating: "m", count: 38)])
        _ = play(
            LifeDesk([2, nil], others: [.sample(2)]), events: "................A..d............",
            calls: "0:rmsc 5:rm 10:rm 15:rm 20:rms 25:rm 30:rm")
    }

    @Test func whoComesBackInTimeIsNotFenced() {
        _ = play(
            LifeDesk([2, nil], others: [.sample(2, isLate: true)]), events: "............b........",
            calls: "0:rmsc 5:rm 10:rm 15:rm 20:rm", shards: [String(repeating: "-", count: 21)])
    }

    // MARK: No answer

    @Test func withoutAnAnswerItKeepsItsShardsAndIsNotLeased() {
        let desk = play(
            LifeDesk([nil]), database: ".xxxxxxxxxxxxxxxxxxxxxxx..",
            calls: "0:rmsc " + (5...23).map { "\($0):r" }.joined(separator: " ") + " 24:rms",
            shards: ["mmmmmmmmmmmmmmmmmmmmmmmmmm"], leased: "+++++++++++++++---------++")
        #expect(desk.dropsOfAll == 0 && desk.life.figures.late == 1)
    }

    @Test func theLeaseCountsFromTheSendingOfItsRenewal() {
        var life = MemberLife(
            member: 1, shards: 1, tuning: MemberLife.Tuning(leaseSeconds: 1.5), joined: 1_000)
        #expect(life.isLeased(at: 1_500_000_999) && !life.isLeased(at: 1_500_001_000))
        _ = life.take(.timer, at: 2_000)
        let actions = life.take(
            .answered(.renewed(Renewal(clock: 0, version: 0))), at: 600_000_000)
        #expect(actions == [.leased(until: 1_500_002_000), .ask(.members)])
        #expect(life.isLeased(at: 1_500_001_999) && !life.isLeased(at: 1_500_002_000))
    }

    /// Hung lanes end a lease, and their answer brings it back.
    @Test func lanesThatHangEndTheLease() {
        let desk = play(
            LifeDesk([nil]), events: ".h" + String(repeating: ".", count: 75) + "a",
            calls: "0:rmsc "
                + stride(from: 5, through: 50, by: 5).map { "\($0):rm" }
                .joined(separator: " ") + " 77:rm",
            leased: String(repeating: "+", count: 65) + "------------+")
        #expect(desk.life.shardsHeld == 1 && desk.life.figures.late == 1)
    }

    // MARK: Lost

    @Test func lostItDropsAllAndJoinsAnew() {
        let desk = play(
            LifeDesk([nil, nil]), database: ".....!..........",
            calls: "0:rmsc 5:rj 6:jrms 7:rmc 12:rm",
            shards: ["mmmmm--mmmmmmmmm", "mmmmm--mmmmmmmmm"], leased: "+++++-++++++++++")
        #expect(desk.dropsOfAll == 1 && desk.life.figures.lost == 2)
        #expect(desk.life.member == 101 && desk.taken.map(\.epoch) == [1, 1, 2, 2])
    }

    @Test func aLostCommitEndsALifeAndOneOfAFormerLifeDoesNot() {
        var desk = play(
            LifeDesk([nil]), events: "......L...", calls: "0:rmsc 5:rm 10:jrms 11:rmc",
            shards: ["mmmmmm-----m"])
        desk.feed(.lost(member: 1))
        #expect(desk.dropsOfAll == 1 && desk.life.shardsHeld == 1)
    }

    @Test func aMemberThatIsGoneFromTheListIsLost() {
        var desk = play(LifeDesk([nil]), events: "..", calls: "0:rmsc", shards: ["mm"])
        desk.members = [.sample(1, state: .gone)]
        desk.now = 500_000_000
        desk.feed(.timer)
        #expect(desk.dropsOfAll == 1 && desk.life.shardsHeld == 0)
        desk.now = 1_000_000_000
        desk.feed(.timer)
        #expect(desk.dropsOfAll == 1 && desk.life.member == 101)
    }

    /// A call of the former life is under way: its answer means nothing to the next one.
    @Test func anAnswerToACallOfAFormerLifeIsLeftOut() {
        var life = MemberLife(
            member: 1, shards: 1, tuning: MemberLife.Tuning(leaseSeconds: 1.5), joined: 0)
        _ = life.take(.timer, at: 0)
        #expect(life.take(.lost(member: 1), at: 1_000) == [.dropAll])
        let late = Renewal(clock: 0, version: 0)
        let actions = life.take(.answered(.renewed(late)), at: 700_000_000)
        #expect(actions == [.ask(.join)])
        #expect(!life.isLeased(at: 700_000_000))
    }

    @Test func itDoesNotJoinWhileItsLanesHang() {
        let desk = play(
            LifeDesk([nil]),
            events: ".h" + String(repeating: ".", count: 53) + "L"
                + String(repeating: ".", count: 10)
                + "a",
            calls: "0:rmsc "
                + stride(from: 5, through: 50, by: 5).map { "\($0):rm" }
                .joined(separator: " ") + " 66:jrms")
        #expect(desk.life.member == 101)
    }
}
