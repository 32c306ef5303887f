import Notation
import Protocol
import Testing

@testable import Bridges

private let topics = HouseTopics(prefix: "gestured")

private func event(_ topic: String, _ payload: String) -> Result<HouseEvent, HouseFault> {
    guard let topics else { return .failure(.badTopic) }
    do throws(HouseFault) {
        return .success(try HouseEvent(topic: topic, payload: Array(payload.utf8), topics))
    } catch {
        return .failure(error)
    }
}

@Suite struct HouseEventTests {
    @Test(arguments: [
        ("gestured/a/notify", "likes", "notification/a", #"{"kind":"likes"}"#),
        ("gestured/a/notify", " likes\n", "notification/a", #"{"kind":"likes"}"#),
        (
            "gestured/a/notify", #" {"kind":"x","id":"1"}"#, "notification/a",
            #"{"kind":"x","id":"1"}"#
        ),
        ("gestured/a/tabs/command", "hide", "command/a/tabs", #"{"command":"hide"}"#),
        ("gestured/a/command", #"{"command":"close"}"#, "command/a", #"{"command":"close"}"#),
        // A component may have any name.
        ("gestured/a/variables/command", "hide", "command/a/variables", #"{"command":"hide"}"#),
    ])
    func aMessageBecomesAnEvent(
        _ topic: String, _ payload: String, _ wanted: String, _ body: String
    )
        throws
    {
        let event = try event(topic, payload).get()
        #expect(event.topic == wanted)
        #expect(Node(.object(event.body)).json() == Array(body.utf8))
    }

    @Test(arguments: [
        ("other/a/notify", "x", HouseFault.badTopic), ("gestured/notify", "x", .badTopic),
        ("gestured/a b/notify", "x", .badTopic), ("gestured/a/b/c/command", "x", .badTopic),
        ("gestured/a/b/notify", "x", .badTopic), ("gestured//command", "x", .badTopic),
        ("gestured/a/notify", "", .badPayload), ("gestured/a/notify", "{", .badPayload),
        ("gestured/a/notify", "a b", .badPayload), ("gestured/a/notify", "[]", .badPayload),
        ("gestured/a/notify", String(repeating: "x", count: 65_409), .tooLarge),
    ])
    func nonsenseHasAReason(_ topic: String, _ payload: String, _ fault: HouseFault) {
        #expect(throws: fault) { try event(topic, payload).get() }
    }

    @Test(arguments: [
        ("true", "true"), (" 21.5\n", "21.5"), ("-0.5e1", "-5.0"), (#""film""#, #""film""#),
        ("film", #""film""#), ("two words", #""two words""#), (#""true""#, #""true""#),
        (#""""#, #""""#), ("ON", #""ON""#), ("{", #""{""#), ("é", #""é""#),
        (String(repeating: "x", count: 4_096), "\"" + String(repeating: "x", count: 4_096) + "\""),
    ])
    func aPayloadIsTheValueOfAVariable(_ payload: String, _ value: String) throws {
        let event = try event("gestured/a/variables/lamp/command", payload).get()
        #expect(event.topic == "command/a")
        #expect(event.toldTopic == "gestured/a/variables/lamp/command")
        let body = Node(.object(event.body)).json()
        let wanted = #"{"command":"assign","values":{"lamp":\#(value)}}"#
        #expect(String(decoding: body, as: UTF8.self) == wanted)
    }

    @Test(arguments: [
        ("", HouseFault.badValue), ("null", .badValue), ("[1]", .badValue),
        (#"{"a":1}"#, .badValue), ("1e999", .badValue),
        (String(repeating: "x", count: 4_097), .valueTooLong),
        ("\"" + String(repeating: "é", count: 2_049) + "\"", .valueTooLong),
        (String(repeating: "[", count: 30_000), .valueTooLong),
        (String(repeating: "1", count: 65_409), .tooLarge),
    ])
    func whatIsNoValueOfAVariableHasAReason(_ payload: String, _ fault: HouseFault) {
        #expect(throws: fault) { try event("gestured/a/variables/lamp/command", payload).get() }
    }

    @Test func bytesThatAreNoTextAreNoValue() throws {
        let topics = try #require(topics)
        #expect(throws: HouseFault.badValue) {
            try HouseEvent(
                topic: "gestured/a/variables/lamp/command", payload: [0xFF, 0xFE], topics)
        }
    }

    @Test(arguments: ["", "a/", "/a", "a//b", "a/+", "#", "$SYS", "a b", "é"])
    func aPrefixThatIsNoTopicIsRefused(_ prefix: String) {
        #expect(HouseTopics(prefix: prefix) == nil)
    }
}

@Suite struct HouseInboxTests {
    private let start = Moment(steady: 0, wall: 0)

    private func after(_ milliseconds: Int) -> Moment {
        Moment(steady: milliseconds, wall: Double(milliseconds))
    }

    private func taken(_ payload: String = "likes") throws -> (HouseInbox, Int) {
        var inbox = HouseInbox()
        inbox.take(try event("gestured/a/notify", payload).get(), id: "i", at: start)
        let key = try #require(inbox.requests(at: start).first?.key)
        return (inbox, key)
    }

    @Test func itIsSettledOnceTheDaemonHasIt() throws {
        var (inbox, key) = try taken()
        let early = inbox.requests(at: after(4_999))
        #expect(!inbox.isSettled && early.isEmpty)
        let refused = inbox.settle(key, .applied(isDuplicate: false), at: start)
        #expect(refused == nil)
        #expect(inbox.isSettled && inbox.counters[.applied] == 1)
    }

    @Test func silenceAsksAgainWithTheSameId() throws {
        var (inbox, key) = try taken()
        let again = inbox.requests(at: after(5_000))
        #expect(again.map(\.key) == [key] && inbox.counters[.retries] == 1)
        #expect(again.first?.body.last?.value.string == "i")
    }

    @Test func theSendersOwnIdStays() throws {
        var inbox = HouseInbox()
        inbox.take(
            try event("gestured/a/notify", #"{"kind":"x","id":"own"}"#).get(), id: "i", at: start)
        let request = inbox.requests(at: start).first
        #expect(request?.body.map(\.name) == ["kind", "id"])
    }

    /// A full disk, or a session on its way to another member of a cluster.
    @Test(arguments: ["internal", "moved"])
    func aRefusalSettlesButOneThatPassesDoesNot(code: String) throws {
        var (inbox, key) = try taken()
        let passing = HouseAnswer.refused(code: code, message: "")
        let none = inbox.settle(key, passing, at: start)
        #expect(none == nil && !inbox.isSettled)
        let again = inbox.requests(at: after(500))
        #expect(again.map(\.key) == [key])
        let refusal = HouseAnswer.refused(code: "bad-value", message: "")
        let refused = inbox.settle(key, refusal, at: start)
        #expect(refused?.topic == "notification/a")
        #expect(inbox.isSettled && inbox.counters[.refused] == 1)
    }

    /// A session that cannot be read stands in the way of all others.
    @Test func oneThatFailsForLongWhileOthersSucceedIsRefused() throws {
        let failing = HouseAnswer.refused(code: "internal", message: "")
        let late = HouseInbox.failingMilliseconds
        var (inbox, key) = try taken()
        var refused = inbox.settle(key, failing, at: after(10 * late))
        #expect(refused == nil, "nothing else succeeds: the disk may be full")
        inbox.take(try event("gestured/b/notify", "x").get(), id: "j", at: after(late))
        let other = try #require(inbox.requests(at: after(late)).last?.key)
        _ = inbox.settle(other, .applied(isDuplicate: false), at: after(late))
        refused = inbox.settle(key, failing, at: after(late - 1))
        #expect(refused == nil && !inbox.isSettled)
        refused = inbox.settle(key, failing, at: after(late))
        #expect(refused?.topic == "notification/a" && inbox.isSettled)
    }

    /// All others wait meanwhile.
    @Test func aBusySessionIsWaitedForOnceAndNotForLong() throws {
        let busy = HouseAnswer.refused(code: "busy", message: "")
        var (inbox, key) = try taken()
        let early = inbox.settle(key, busy, at: after(HouseInbox.busyMilliseconds - 1))
        #expect(early == nil && !inbox.isSettled)
        let refused = inbox.settle(key, busy, at: after(HouseInbox.busyMilliseconds))
        #expect(refused?.topic == "notification/a" && inbox.isSettled)

        func settle(_ answer: HouseAnswer, _ topic: String = "a") throws -> Bool {
            inbox.take(try event("gestured/\(topic)/notify", "x").get(), id: "j", at: start)
            let key = try #require(inbox.requests(at: start).last?.key)
            _ = inbox.settle(key, answer, at: start)
            return inbox.isSettled
        }
        #expect(try settle(busy), "it was busy for long a moment ago")
        #expect(try settle(.applied(isDuplicate: false)))
        #expect(try !settle(busy), "it has taken one since")
        inbox.drop()
        #expect(try !settle(busy, "b"), "another session")
    }

    @Test func aSteadyStreamSettlesNowAndThen() throws {
        var inbox = HouseInbox()
        let event = try event("gestured/a/notify", "x").get()
        for _ in 0..<HouseInbox.unsettledMax {
            #expect(inbox.hasRoom)
            inbox.take(event, id: "i", at: start)
        }
        let keys = inbox.requests(at: start).map(\.key)
        // Room comes only when all are settled: one answer is not enough.
        for key in keys {
            #expect(!inbox.hasRoom)
            _ = inbox.settle(key, .applied(isDuplicate: false), at: start)
        }
        #expect(inbox.hasRoom && inbox.isSettled)
    }
}
