import Notation
import Protocol
import Testing

@testable import Bridges

@Suite struct HouseRemnantTests {
    private static let gone = [
        "g/gone/availability": "online", "g/gone/badges/total": "3",
        "g/gone/badges/counts/likes": "3", "g/gone/tips/phase": "resting",
        "g/gone/tabs/shown": "news",
    ]

    @Test func whatIsGoneIsClearedAtTheStart() throws {
        for owner in ["me", nil] {
            var house = try House()
            house.keep(Self.gone, of: owner)
            house.join()
            #expect(house.shown == House.own)
        }
    }

    @Test func whatIsGoneOfASessionThatIsThereIsCleared() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        try house.take("badge/a", #"{"total":1,"counts":{"mail":1}}"#)
        try house.take("state/a/t", #"{"phase":"resting"}"#)
        let before = house.shown
        // A component of a former scene, and a kind that is counted no more.
        let former = ["g/a/old/phase": "resting", "g/a/badges/counts/likes": "3"]
        house.keep(former.merging(before.filter { House.own[$0.key] == nil }) { $1 }, of: "me")
        house.join()
        #expect(house.shown == before)
    }

    @Test func aSessionThatComesWithinAMomentStays() throws {
        var house = try House()
        house.keep(["g/a/availability": "online", "g/a/t/phase": "resting"], of: "me")
        house.mirror.join(at: Moment(steady: 0, wall: 0))
        house.mirror.tick(at: Moment(steady: HouseMirror.startMilliseconds - 1, wall: 0))
        try house.take("scene/a", tabs)
        try house.take("state/a/t", #"{"phase":"moving"}"#)
        house.join()
        #expect(!house.told.contains { house.shown[$0] == nil })
        #expect(house.shown["g/a/t/phase"] == "moving")
    }

    @Test func whatAnotherBridgeShowsStays() throws {
        var house = try House()
        house.meet("other")
        house.keep(Self.gone, of: "other")
        house.join()
        #expect(house.shown["g/gone/tips/phase"] == "resting")
        #expect(house.mirror.isElsewhere("gone") && !house.mirror.isElsewhere("a"))
        // It leaves: its bridge has cleared it.
        _ = house.mirror.take(
            value: "g/gone/availability", [], of: "other", isRetained: false)
        #expect(!house.mirror.isElsewhere("gone"))
    }

    /// A bridge of some sessions clears these, and what it showed itself; nothing of others.
    @Test func namedSessionsAreOwn() throws {
        for (owner, isCleared) in [("other", true), (nil, true), ("me", true)] {
            var house = try House(sessions: ["gone"])
            house.keep(Self.gone, of: owner)
            house.join()
            #expect((house.shown["g/gone/tips/phase"] == nil) == isCleared)
        }
        for (owner, isCleared) in [("other", false), (nil, false), ("me", true)] {
            var house = try House(sessions: ["a"])
            house.keep(Self.gone, of: owner)
            house.join()
            #expect((house.shown["g/gone/tips/phase"] == nil) == isCleared)
        }
    }

    @Test func entitiesThatAreGoneAreCleared() throws {
        var former = try House(discovery: "h")
        try former.take("scene/a", tabs)
        try former.take("badge/a", #"{"total":3,"counts":{"likes":3}}"#)
        let entities = former.shown.filter { $0.key.hasPrefix("h/") }
        #expect(entities.count > 5)
        let foreign = [
            "h/sensor/g_x/total/config": #"{"name":"another program's"}"#,
            "h/sensor/lamp/power/config": #"{"state_topic":"lamp/power"}"#,
            "h/sensor/g_x/y/config": "no JSON",
        ]
        // Also a bridge that tells Home Assistant nothing clears what an earlier one told.
        for discovery in ["h", nil] {
            var house = try House(discovery: discovery, formerDiscovery: "h")
            #expect(house.mirror.formerTopics.contains("h/event/+/+/config"))
            house.keep(entities.merging(foreign) { $1 }, of: "me")
            house.join()
            #expect(house.shown == House.own.merging(foreign) { $1 })
        }
    }

    /// They are gone even if the bridge is stopped a second later.
    @Test func withoutDiscoveryEntitiesAreClearedAtOnce() throws {
        var former = try House(discovery: "h")
        try former.take("scene/a", tabs)
        let entities = former.shown.filter { $0.key.hasPrefix("h/") }
        var house = try House(discovery: nil, formerDiscovery: "h")
        house.keep(entities, of: "me")
        house.tell()
        #expect(house.shown == House.own)
        var other = try House(discovery: nil, formerDiscovery: "h")
        other.meet("another")
        other.keep(entities, of: "another")
        other.tell()
        #expect(other.shown.count == entities.count + 4)
    }

    @Test func whatIsNoValueOfASessionIsNone() throws {
        var house = try House(discovery: "h")
        for topic in [
            "g/bridges", "g/a/notify", "g/a/t/command", "g/a/command", "x/a/availability",
            "g/a/b/c/d", "g/a/badges/counts/x/y", "g/a b/availability", "g/rejected",
            "g/bridges/b/other", "g/bridges/a b/availability",
        ] {
            let isTaken = house.mirror.take(value: topic, [1], of: "me", isRetained: true)
            #expect(!isTaken, "\(topic)")
        }
        house.join()
        #expect(Set(house.told) == Set(House.own.keys))
    }

    @Test func whatWaitsIsBounded() throws {
        var house = try House()
        for number in 0..<HouseRemnants.waitingMax + 5 {
            _ = house.mirror.take(
                value: "g/s\(number)/availability", [1], of: "me", isRetained: true)
        }
        #expect(house.mirror.counters[.valuesUnread] == 5)
        house.join()
        #expect(house.told.count <= HouseRemnants.waitingMax + House.own.count)
    }

    /// A topic that is longer than any of ours is none of ours, whatever stands in it.
    @Test func aTopicThatIsTooLongIsPassedOver() throws {
        func entity(_ bytes: Int) -> String {
            let (start, end) = ("h/sensor/g_x/", "/config")
            return start + String(repeating: "a", count: bytes - start.count - end.count) + end
        }
        var former = try House(discovery: "h")
        try former.take("scene/a", tabs)
        let payload = try #require(former.shown.first { $0.key.hasPrefix("h/sensor/") }).value
        var house = try House(discovery: "h")
        for (count, isUnread) in [(HouseTopics.topicBytesMax, false), (1_025, true)] {
            let topic = entity(count)
            #expect(topic.utf8.count == count)
            house.keep([topic: payload], of: "me")
            #expect(house.mirror.counters[.valuesUnread] == (isUnread ? 1 : 0))
        }
        house.join()
        #expect(house.shown[entity(HouseTopics.topicBytesMax)] == nil)
        #expect(house.shown[entity(1_025)] == payload)
        // A message that is no value is left to those who tell of it.
        let isTaken = house.mirror.take(value: entity(1_025), [1], of: nil, isRetained: false)
        #expect(!isTaken)
    }

    /// The longest topic of a bridge is within the bound.
    @Test func theLongestTopicOfOursIsKnown() throws {
        let dots = String(repeating: ".", count: Name.bytesMax)
        let prefix = String(repeating: ".", count: HouseTopics.prefixBytesMax)
        let topics = try #require(HouseTopics(prefix: prefix))
        var mirror = HouseMirror(
            topics: topics, sessions: [], discovery: prefix, version: "1", identity: dots)
        let menu = #"[{"id":"\#(dots)","title":"a"}]"#
        let body = #"""
            {"epoch":"d.1","scene":"p","components":[
            {"id":"\#(dots)","kind":"list","parameters":{"menu":\#(menu)}}]}
            """#
        mirror.take(
            topic: "scene/\(dots)", try Document.json(Array(body.utf8)),
            at: Moment(steady: 0, wall: 0))
        var longest = 0
        while let (topic, _) = mirror.outbox.next() {
            longest = max(longest, topic.utf8.count)
            mirror.outbox.sent(topic, as: 1)
            mirror.outbox.acknowledge(1, isAllowed: true)
        }
        #expect(longest == 860 && longest < HouseTopics.topicBytesMax)
    }

    @Test func topicsThatWaitAreBoundedInBytes() throws {
        var house = try House(discovery: "h")
        let session = String(repeating: "s", count: Name.bytesMax)
        let rest = String(repeating: "a", count: 900)
        let each = "h/sensor/g_x/00000\(rest)/config".utf8.count + session.utf8.count
        let payload = #"""
            {"origin":{"name":"gestured"},"availability":[{"topic":"g/availability"},
            {"topic":"g/\#(session)/availability"}]}
            """#
        let (room, more) = (HouseRemnants.waitingBytesMax / each, 100)
        for number in 10_000..<10_000 + room + more {
            house.keep(["h/sensor/g_x/\(number)\(rest)/config": payload], of: "me")
        }
        #expect(room + more < HouseRemnants.waitingMax)
        #expect(house.mirror.counters[.valuesUnread] == more)
        house.join()
        #expect(house.told.count == room + House.own.count)
        // There is room again.
        house.keep(["h/sensor/g_x/again/config": payload], of: "me")
        #expect(house.mirror.counters[.valuesUnread] == more)
    }

    /// Values of others take no room of those that are own.
    @Test func valuesOfOthersDoNotWait() throws {
        var house = try House()
        house.meet("other")
        for number in 0..<HouseRemnants.waitingMax + 5 {
            _ = house.mirror.take(
                value: "g/s\(number)/t/phase", [1], of: "other", isRetained: true)
        }
        #expect(house.mirror.counters[.valuesUnread] == 0)
        house.keep(Self.gone, of: "me")
        house.join()
        #expect(house.shown == House.own.merging(["g/bridges/other/availability": "online"]) { $1 })
    }

    @Test func topicsThatTheBrokerShallForgetAreBoundedInBytes() {
        var outbox = HouseOutbox()
        let rest = String(repeating: "a", count: 1_000)
        let room = HouseOutbox.endingBytesMax / (rest.utf8.count + 5)
        func topic(_ number: Int) -> String { "\(10_000 + number)\(rest)" }
        for number in 0..<room + 3 { outbox.forget(topic(number)) }
        #expect(outbox.counters[.unsent] == 3)
        // A topic counts once, and no more when the broker has forgotten it.
        outbox.forget(topic(0))
        #expect(outbox.counters[.unsent] == 3)
        while let (topic, _) = outbox.next() {
            outbox.sent(topic, as: 1)
            outbox.acknowledge(1, isAllowed: true)
        }
        for number in 0..<room { outbox.forget(topic(number)) }
        #expect(outbox.counters[.unsent] == 3)
        // A value that is shown again counts off.
        outbox.set(topic(0), "x")
        outbox.forget(topic(room))
        #expect(outbox.counters[.unsent] == 3)
    }
}

@Suite struct HouseEventsTests {
    private static func scene(_ kind: String, _ parameters: String = "{}") -> String {
        #"{"scene":"p","components":[{"id":"c","kind":"\#(kind)","parameters":\#(parameters)}]}"#
    }

    @Test(arguments: [
        ("list", "open"), ("list", "action"), ("tips", "page"), ("toss", "toss"),
        ("navigation", "pop"), ("profile", "pull"), ("reader", "page"), ("tabs", "select"),
        ("dynamics", "contact"),
    ])
    func transitionsLeaveAsEvents(kind: String, name: String) throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", Self.scene(kind))
        for event in ["began", "ended", "cancelled"] {
            try house.take(
                "transition/a/c",
                """
                {"epoch":"d.1","seq":1,"t":1,"session":"a","component":"c","name":"\(name)",\
                "event":"\(event)","row":2}
                """)
        }
        let types = house.events.map { $0.body["event_type"]?.string }
        #expect(types == [name, "\(name)-ended", "\(name)-cancelled"])
        #expect(house.events.allSatisfy { $0.topic == "g/a/c/event" && $0.body["row"]?.int == 2 })
        #expect(house.events.allSatisfy { $0.body["epoch"] == nil })
        let entity = try Document.json(
            Array(try #require(house.shown["h/event/g_a/event_c/config"]).utf8))
        let known = entity["event_types"]?.array?.map(\.string) ?? []
        #expect(types.allSatisfy(known.contains))
        #expect(entity["state_topic"]?.string == "g/a/c/event")
    }

    /// A kind that this bridge does not know yet.
    @Test func anUnknownTransitionBecomesAType() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", Self.scene("wheel"))
        #expect(house.shown["h/event/g_a/event_c/config"] == nil)
        try house.take("transition/a/c", #"{"name":"turn","event":"began"}"#)
        #expect(house.shown["h/event/g_a/event_c/config"]?.contains(#"["turn"]"#) == true)
        #expect(house.events.count == 1)
    }

    @Test func aStormOfEventsIsBounded() throws {
        var house = try House()
        try house.take("scene/a", Self.scene("dynamics"))
        let max = HouseMirror.Component.eventsPerSecondMax
        for steady in 0..<2_000 {
            try house.take(
                "transition/a/c", #"{"name":"contact","event":"began"}"#, steady: steady)
        }
        #expect(house.events.count == 2 * max)
        #expect(house.mirror.outbox.counters[.events] == 2 * max)
        #expect(house.mirror.outbox.counters[.eventsDropped] == 2_000 - 2 * max)
    }

    @Test func eventsDoNotWaitForAnAbsentBroker() {
        var outbox = HouseOutbox()
        for _ in 0..<HouseOutbox.eventsMax + 1 { outbox.tell("e", [1]) }
        outbox.dropEvents()
        let none = outbox.nextEvent()
        #expect(none == nil && outbox.counters[.eventsDropped] == HouseOutbox.eventsMax + 1)
    }

    @Test func aScreenThatTheSceneDoesNotNameBecomesAChoiceBeforeItShows() throws {
        var house = try House(discovery: "h")
        let scene = Self.scene("navigation", #"{"root":"home"}"#)
        try house.take("scene/a", scene)
        try house.take("state/a/c", #"{"model":{"stack":["home"]}}"#)
        let entity = "h/select/g_a/shown_c/config"
        #expect(house.shown[entity] == nil, "there is nothing to choose")
        house.told = []
        try house.take("state/a/c", #"{"model":{"stack":["home","guest"]}}"#)
        #expect(house.shown["g/a/c/shown"] == "guest")
        #expect(house.shown[entity]?.contains(#"["home","guest"]"#) == true)
        let order = house.told.filter { $0 == entity || $0 == "g/a/c/shown" }
        #expect(order == [entity, "g/a/c/shown"])
        // The scene changes, and the stack stays.
        try house.take("scene/a", scene)
        #expect(house.shown[entity]?.contains(#"["home","guest"]"#) == true)
    }

    @Test func aScreenBeyondAllChoicesIsNone() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", Self.scene("navigation", #"{"root":"home"}"#))
        for number in 0..<2 * HouseMirror.Component.choicesMax {
            try house.take("state/a/c", #"{"model":{"stack":["s\#(number)"]}}"#)
        }
        #expect(house.shown["g/a/c/shown"] == HouseMirror.Component.unknown)
    }

    @Test func aSelectWithNothingToChooseGoes() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", Self.scene("tabs", #"{"items":[{"id":"x"},{"id":"y"}]}"#))
        #expect(house.shown["h/select/g_a/shown_c/config"] != nil)
        try house.take("scene/a", Self.scene("tabs", #"{"items":[{"id":"x"}]}"#))
        #expect(house.shown["h/select/g_a/shown_c/config"] == nil)
        #expect(house.shown["h/event/g_a/event_c/config"] != nil)
    }

    @Test func actionsOfAMenuHaveButtonsWhileTheyAreThere() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", Self.scene("list", #"{"menu":[{"id":"off"},{"id":"on"}]}"#))
        let button = try #require(house.shown["h/button/g_a/do_c_action_off/config"])
        #expect(button.contains(#"{\"command\":\"action\",\"action\":\"off\"}"#))
        try house.take("scene/a", Self.scene("list", #"{"menu":[{"id":"on"}]}"#))
        #expect(house.shown["h/button/g_a/do_c_action_off/config"] == nil)
        #expect(house.shown["h/button/g_a/do_c_action_on/config"] != nil)
    }
}
