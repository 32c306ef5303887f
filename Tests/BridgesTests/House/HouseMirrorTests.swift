import Notation
import Protocol
import Testing

@testable import Bridges

/// A mirror of the session `a`, and the broker that it tells.
struct House {
    /// The values by which it says that it is there, and what it carries.
    static let own = [
        "g/availability": "online", "g/bridges/me/availability": "online",
        "g/bridges/me/sessions": "+",
    ]

    var mirror: HouseMirror
    var shown: [String: String] = [:]
    /// The events that left, oldest first.
    var events: [(topic: String, body: Node)] = []
    /// The topics in the order in which they were told.
    var told: [String] = []
    private var number = 0

    init(
        sessions: [String] = [], discovery: String? = nil, formerDiscovery: String? = nil
    ) throws {
        let topics = try #require(HouseTopics(prefix: "g"))
        mirror = HouseMirror(
            topics: topics, sessions: sessions, discovery: discovery, version: "1",
            formerDiscovery: formerDiscovery, identity: "me")
    }

    /// Takes what a broker has kept, by its topics and who published it.
    mutating func keep(_ values: [String: String], of owner: String?) {
        for (topic, value) in values {
            shown[topic] = value
            let isTaken = mirror.take(
                value: topic, Array(value.utf8), of: owner, isRetained: true)
            #expect(isTaken, "\(topic)")
        }
    }

    /// The daemon has told everything, and the time for those who are late is over.
    mutating func join() {
        mirror.join(at: Moment(steady: 0, wall: 0))
        mirror.tick(at: Moment(steady: HouseMirror.startMilliseconds, wall: 0))
        tell()
    }

    /// A neighbour says at the broker whether it is there, and what it carries.
    mutating func meet(
        _ bridge: String, _ word: String = "online", carries sessions: String? = nil,
        isRetained: Bool = true
    ) {
        for (level, value) in [("availability", word), ("sessions", sessions)] {
            guard let value else { continue }
            let topic = "g/bridges/\(bridge)/\(level)"
            if isRetained { shown[topic] = value }
            let isTaken = mirror.take(
                value: topic, Array(value.utf8), of: bridge, isRetained: isRetained)
            #expect(isTaken, "\(topic)")
        }
    }

    /// The bridge is at its broker, and carries its sessions.
    mutating func carry(at steady: Int = 0) {
        mirror.ask()
        mirror.hasAsked(at: Moment(steady: steady, wall: 0))
        mirror.carry(at: Moment(steady: steady, wall: 0))
    }

    mutating func take(_ topic: String, _ body: String, steady: Int = 0) throws {
        let start = body.contains("epoch") ? body : #"{"epoch":"d.1","# + body.dropFirst()
        mirror.take(
            topic: topic, try Document.json(Array(start.utf8)),
            at: Moment(steady: steady, wall: 0))
        tell()
    }

    mutating func tell() {
        while let (topic, value) = mirror.outbox.next() {
            number += 1
            mirror.outbox.sent(topic, as: number)
            mirror.outbox.acknowledge(number, isAllowed: true)
            shown[topic] = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
            told.append(topic)
        }
        while let (topic, value) = mirror.outbox.nextEvent() {
            number += 1
            mirror.outbox.sentEvent(as: number)
            mirror.outbox.acknowledge(number, isAllowed: true)
            events.append((topic, (try? Document.json(value)) ?? Node(.null)))
        }
    }
}

let tabs = """
    {"scene":"p","components":[{"id":"t","kind":"tabs","parameters":\
    {"items":[{"id":"x"},{"id":"y"}]}}]}
    """

@Suite struct HouseMirrorTests {
    @Test func countsPhasesAndChoicesAreShown() throws {
        var house = try House()
        try house.take("scene/a", tabs)
        try house.take("badge/a", #"{"total":3,"counts":{"likes":3}}"#)
        try house.take(
            "state/a/t",
            #"{"phase":"resting","model":{"items":[{"id":"x"},{"id":"y","selected":true}]}}"#)
        #expect(
            house.shown
                == House.own.merging([
                    "g/a/availability": "online", "g/a/badges/total": "3",
                    "g/a/badges/counts/likes": "3", "g/a/t/phase": "resting", "g/a/t/shown": "y",
                ]) { $1 })
        try house.take("badge/a", #"{"total":0,"counts":{}}"#)
        #expect(house.shown["g/a/badges/counts/likes"] == "0")
    }

    @Test func aClosedSessionLeavesNothingBehind() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        try house.take("badge/a", #"{"total":3,"counts":{"likes":3}}"#)
        try house.take("state/a/t", #"{"phase":"resting"}"#)
        #expect(house.shown.count > 8)
        try house.take("session/a", #"{"event":"closed"}"#)
        #expect(house.shown == House.own)
    }

    @Test func otherSessionsAreNotShown() throws {
        var house = try House(sessions: ["a"])
        #expect(
            house.mirror.prefixes == [
                "scene/a", "state/a/", "badge/a", "variables/a", "session/a", "transition/a/",
            ])
        try house.take("badge/ab", #"{"total":1,"counts":{}}"#)
        #expect(house.shown == House.own.merging(["g/bridges/me/sessions": "a"]) { $1 })
    }

    @Test func aRestartedDaemonHasSomeTimeToShowASessionAgain() throws {
        var house = try House()
        try house.take("badge/a", #"{"total":1,"counts":{}}"#)
        try house.take("badge/b", #"{"epoch":"e.1","total":1,"counts":{}}"#, steady: 100)
        house.mirror.tick(at: Moment(steady: 10_099, wall: 0))
        house.tell()
        #expect(house.shown["g/a/availability"] == "online")
        house.mirror.tick(at: Moment(steady: 10_100, wall: 0))
        house.tell()
        #expect(house.shown["g/a/availability"] == "offline")
        #expect(house.shown["g/b/availability"] == "online")
    }

    @Test func sessionsHaveABound() throws {
        var house = try House()
        for number in 0...HouseMirror.sessionsMax {
            try house.take("badge/s\(number)", #"{"total":1,"counts":{}}"#)
        }
        #expect(house.mirror.sessionCount == HouseMirror.sessionsMax)
        #expect(house.mirror.counters[.sessionsRefused] == 1)
    }

    @Test func namesAreToldApartInHomeAssistant() {
        let names = ["a.b", "a_b", "a~b", "a-b", "ab", "a_2Eb"]
        #expect(Set(names.map(HomeAssistant.word)).count == names.count)
        #expect(HomeAssistant.word("a.b_c") == "a_2Eb_5Fc")
        #expect(HomeAssistant.word("Zz9-\u{E9}\u{1}") == "Zz9-_C3_A9_01")
    }

    /// A scene may change many times a second, mostly in what no entity says.
    @Test func entitiesThatSayTheSameAreNotMadeAgain() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        let entity = "h/sensor/g_a/phase_t/config"
        #expect(house.shown[entity] != nil)
        // It comes back when it is made again.
        house.mirror.outbox.set(entity, nil)
        try house.take("scene/a", tabs)
        #expect(house.shown[entity] == nil)
        // Another component changes.
        try house.take("scene/a", String(tabs.dropLast(2)) + #",{"id":"u","kind":"tips"}]}"#)
        #expect(house.shown["h/sensor/g_a/phase_u/config"] != nil)
        try house.take("scene/a", tabs)
        #expect(house.shown["h/sensor/g_a/phase_u/config"] == nil)
        #expect(house.shown[entity] == nil)
        // All entities say the scene's name.
        try house.take("scene/a", #"{"scene":"q""# + String(tabs.dropFirst(#"{"scene":"p""#.count)))
        #expect(house.shown[entity]?.contains(#""model":"q""#) == true)
    }
}

@Suite struct HouseOutboxTests {
    @Test func onlyTheNewestValueIsSent() {
        var outbox = HouseOutbox()
        outbox.set("a", "1")
        outbox.set("b", "1")
        outbox.set("a", "2")
        #expect(outbox.counters[.merged] == 1)
        let first = outbox.next()
        #expect(first.map { $0.topic + String(decoding: $0.value, as: UTF8.self) } == "a2")
        outbox.set("a", "2")
        #expect(outbox.next()?.topic == "b")
        let rest = outbox.next()
        #expect(rest == nil)
    }

    @Test func aNewConnectionIsToldEverything() {
        var outbox = HouseOutbox()
        outbox.set("a", "1")
        outbox.set("b", "1")
        while outbox.next() != nil {}
        outbox.set("b", nil)
        outbox.reconnect()
        let told = [outbox.next(), outbox.next(), outbox.next()]
        #expect(told.map { $0?.topic } == ["a", "b", nil] && told[1]?.value.isEmpty == true)
    }

    @Test func unacknowledgedMessagesHaveABound() {
        var outbox = HouseOutbox()
        for number in 0...HouseOutbox.unacknowledgedMax { outbox.set("t\(number)", "x") }
        for number in 0..<HouseOutbox.unacknowledgedMax {
            let topic = outbox.next()?.topic ?? ""
            outbox.sent(topic, as: number + 1)
        }
        let none = outbox.next()
        #expect(none == nil)
        outbox.acknowledge(1, isAllowed: false)
        let next = outbox.next()
        #expect(outbox.counters[.unsent] == 1 && next != nil)
    }

    @Test func bytesHaveABound() {
        var outbox = HouseOutbox()
        outbox.set("a", [UInt8](repeating: 0, count: HouseOutbox.bytesMax))
        outbox.set("b", "x")
        #expect(outbox.value("b") == nil && outbox.counters[.unsent] == 1)
        outbox.set("a", nil)
        outbox.set("b", "x")
        #expect(outbox.value("b") != nil)
    }

    /// A session may count ever new kinds, where those at 0 make room.
    @Test func kindsThatAreCountedNoMoreMakeRoom() throws {
        var house = try House(discovery: "h")
        for number in 0..<1_000 {
            try house.take("badge/a", #"{"total":1,"counts":{"k\#(number)":1}}"#)
        }
        let counts = house.shown.keys.filter { $0.hasPrefix("g/a/badges/counts/") }
        #expect(counts.count == HouseMirror.kindsMax)
        #expect(house.shown["g/a/badges/counts/k999"] == "1")
        #expect(house.shown.count < 3 * HouseMirror.kindsMax)
    }

    @Test func whatAnAbsentBrokerShallForgetIsBounded() {
        var outbox = HouseOutbox()
        for number in 0..<3 * HouseOutbox.topicsMax {
            outbox.set("t/\(number)", "1")
            outbox.set("t/\(number)", nil)
        }
        #expect(outbox.counters[.unsent] == 2 * HouseOutbox.topicsMax)
        outbox.reconnect()
        var told = 0
        while let (topic, value) = outbox.next() {
            #expect(value.isEmpty)
            told += 1
            outbox.sent(topic, as: told)
            outbox.acknowledge(told, isAllowed: true)
        }
        #expect(told == HouseOutbox.topicsMax && outbox.isEmpty)
    }
}
