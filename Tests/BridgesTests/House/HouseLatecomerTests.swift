import Notation
import Protocol
import Testing

@testable import Bridges

private func moment(_ steady: Int) -> Moment { Moment(steady: steady, wall: 0) }

/// The daemon's answer to the request `snapshot`, for a session with a phase.
private func snapshot(_ session: String, total: Int, phase: String = "resting") throws -> Node {
    let text = """
        {"updates":[
        {"topic":"badge/\(session)","body":{"epoch":"d.1","total":\(total),"counts":{}}},
        {"topic":"state/\(session)/t","body":{"epoch":"d.1","phase":"\(phase)"}},
        {"topic":"frame/\(session)","body":{"epoch":"d.1","states":[]}},
        {"topic":"scene/\(session)","body":{"epoch":"d.1","components":[
        {"id":"t","kind":"toss"}]}}]}
        """
    return try Document.json(Array(text.utf8))
}

extension House {
    /// Takes room in the outbox.
    fileprivate mutating func fill(_ numbers: Range<Int>) {
        for number in numbers { mirror.outbox.set("t/\(number)", "x") }
    }

    /// The session that the daemon is asked for.
    fileprivate mutating func next(at steady: Int) -> String? {
        mirror.nextLatecomer(at: moment(steady))
    }

    fileprivate mutating func answer(_ session: String, total: Int, at steady: Int) throws {
        mirror.take(snapshot: try snapshot(session, total: total), of: session, at: moment(steady))
        tell()
    }
}

@Suite struct HouseLatecomerTests {
    /// A house with as many sessions as are shown, and two that wait.
    private func full() throws -> House {
        var house = try House()
        for number in 0..<HouseMirror.sessionsMax + 2 {
            try house.take("badge/s\(number)", #"{"total":1,"counts":{}}"#)
        }
        return house
    }

    private let late = "s\(HouseMirror.sessionsMax)"
    private let later = "s\(HouseMirror.sessionsMax + 1)"

    @Test func aSessionBeyondTheBoundIsShownWhenAnotherOneCloses() throws {
        var house = try full()
        #expect(house.next(at: 0) == nil)
        try house.take("session/s7", #"{"event":"closed"}"#)
        // An update alone would show a part of it.
        try house.take("badge/\(late)", #"{"total":2,"counts":{}}"#)
        #expect(house.shown["g/\(late)/badges/total"] == nil)
        #expect(house.next(at: 0) == late)
        #expect(house.next(at: 1) == nil, "one is asked for at a time")
        try house.answer(late, total: 2, at: 2)
        #expect(house.shown["g/\(late)/badges/total"] == "2")
        #expect(house.shown["g/\(late)/t/phase"] == "resting")
        // There is no room for the next one, until another one closes.
        #expect(house.next(at: 5_000) == nil)
        try house.take("session/s8", #"{"event":"expired"}"#)
        #expect(house.next(at: 5_000) == later)
    }

    @Test func whatComesMeanwhileIsNewerThanTheAnswer() throws {
        var house = try full()
        try house.take("session/s7", #"{"event":"closed"}"#)
        #expect(house.next(at: 0) == late)
        try house.take("badge/\(late)", #"{"total":9,"counts":{}}"#)
        try house.answer(late, total: 2, at: 1)
        #expect(house.shown["g/\(late)/badges/total"] == "9")
        #expect(house.shown["g/\(late)/t/phase"] == "resting")
        // It is a session as any other now.
        try house.take("badge/\(late)", #"{"total":10,"counts":{}}"#)
        #expect(house.shown["g/\(late)/badges/total"] == "10")
    }

    /// The topics of the sessions that are shown leave no room for all of one more.
    @Test func aSessionBeyondTheTopicsIsCompletedWhenThereIsRoom() throws {
        var house = try House()
        try house.take("badge/a", #"{"total":1,"counts":{}}"#)
        let count = house.shown.count
        house.fill(count..<HouseOutbox.topicsMax - 2)
        try house.take("scene/b", #"{"components":[{"id":"t","kind":"toss"}]}"#)
        try house.take("badge/b", #"{"total":5,"counts":{}}"#)
        try house.take("state/b/t", #"{"phase":"resting"}"#)
        #expect(house.shown["g/b/badges/total"] == "5" && house.shown["g/b/t/phase"] == nil)
        #expect(house.next(at: 0) == nil)
        try house.take("session/a", #"{"event":"closed"}"#)
        #expect(house.next(at: 0) == "b")
        try house.answer("b", total: 5, at: 1)
        #expect(house.shown["g/b/t/phase"] == "resting")
        #expect(house.next(at: 10_000) == nil, "nothing waits")
    }

    /// No difference tells of them: the daemon says the same as before.
    @Test func entitiesThatFoundNoRoomAreAnnouncedWhenThereIsSome() throws {
        var (house, roomy) = (try House(discovery: "h"), try House(discovery: "h"))
        house.fill(0..<HouseOutbox.topicsMax - 6)
        let updates = [
            ("scene/b", #"{"components":[{"id":"t","kind":"toss"}]}"#),
            ("badge/b", #"{"total":5,"counts":{"likes":5}}"#),
            ("state/b/t", #"{"phase":"resting"}"#),
        ]
        for (topic, body) in updates {
            try house.take(topic, body)
            try roomy.take(topic, body)
        }
        func entities(_ house: House) -> Set<String> {
            Set(house.shown.keys.filter { $0.hasPrefix("h/") })
        }
        #expect(entities(house).count < entities(roomy).count)
        for number in 0..<100 { house.mirror.outbox.set("t/\(number)", nil) }
        #expect(house.next(at: 0) == "b")
        try house.answer("b", total: 5, at: 1)
        #expect(entities(house) == entities(roomy))
    }

    /// A session that finds too little room again waits until a topic is removed, and for a while.
    @Test func anAttemptThatFailsIsNotRepeatedAtOnce() throws {
        var house = try House()
        house.fill(0..<HouseOutbox.topicsMax - 3)
        try house.take("badge/b", #"{"total":5,"counts":{}}"#)
        #expect(house.mirror.outbox.refusals > 0)
        house.mirror.outbox.set("t/0", nil)
        #expect(house.next(at: 0) == "b")
        try house.answer("b", total: 5, at: 1)
        #expect(house.shown["g/b/t/phase"] == nil)
        #expect(house.next(at: 10_000) == nil)
        for number in 1...5 { house.mirror.outbox.set("t/\(number)", nil) }
        #expect(house.next(at: HouseLatecomers.pauseMilliseconds) == nil)
        #expect(house.next(at: HouseLatecomers.pauseMilliseconds + 1) == "b")
    }

    @Test func aDaemonThatDoesNotAnswerIsAskedForTheNextOne() throws {
        var house = try full()
        try house.take("session/s7", #"{"event":"closed"}"#)
        #expect(house.next(at: 0) == late)
        let end = HouseLatecomers.answerMilliseconds
        #expect(house.next(at: end) == nil)
        #expect(house.next(at: end + HouseLatecomers.pauseMilliseconds) == later)
        // The answer comes after all: nobody waits for it.
        try house.answer(late, total: 2, at: end + 1_001)
        #expect(house.shown["g/\(late)/badges/total"] == nil)
    }

    @Test func aSessionThatIsGoneWaitsNoMore() throws {
        var house = try full()
        try house.take("session/\(late)", #"{"event":"closed"}"#)
        try house.take("session/s7", #"{"event":"closed"}"#)
        #expect(house.next(at: 0) == later)
        house.mirror.forget(latecomer: later)
        #expect(house.next(at: 10_000) == nil)
    }

    @Test func whatWaitsIsBounded() {
        var latecomers = HouseLatecomers()
        for number in 0...HouseLatecomers.countMax { latecomers.add("s\(number)") }
        #expect(latecomers.contains("s0"))
        #expect(!latecomers.contains("s\(HouseLatecomers.countMax)"))
        // So is what is held of the session that is asked for: then the answer is passed over.
        let name = latecomers.next(removals: 1, at: moment(0)) { _ in true }
        #expect(name == "s0")
        for number in 0..<HouseLatecomers.heldMax {
            let isHeld = latecomers.hold("state/s0/c\(number)", Node(.null), of: "s0")
            #expect(isHeld)
        }
        let isHeld = latecomers.hold("state/s0/more", Node(.null), of: "s0")
        let held = latecomers.takeHeld(of: "s0")
        #expect(!isHeld && held == nil && latecomers.contains("s0"))
    }
}
