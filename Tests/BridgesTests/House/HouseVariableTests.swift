import Notation
import Protocol
import Testing

@testable import Bridges

private let values = """
    {"version":1,"values":{"lamp":true,"blind":25,"heating":21.5,"mood":""}}
    """

private let configs: Set = [
    "h/switch/g_a/variable_lamp/config", "h/number/g_a/variable_blind/config",
    "h/number/g_a/variable_heating/config", "h/text/g_a/variable_mood/config",
]

@Suite struct HouseVariableTests {
    @Test func variablesAreShownAsJSON() throws {
        var house = try House()
        try house.take("variables/a", values)
        #expect(
            house.shown
                == House.own.merging([
                    "g/a/availability": "online", "g/a/variables/lamp/value": "true",
                    "g/a/variables/blind/value": "25", "g/a/variables/heating/value": "21.5",
                    "g/a/variables/mood/value": #""""#,
                ]) { $1 })
        try house.take("variables/a", #"{"version":2,"values":{"lamp":false,"blind":25}}"#)
        #expect(house.shown["g/a/variables/lamp/value"] == "false")
        #expect(house.shown["g/a/variables/mood/value"] == nil)
    }

    @Test func eachTypeIsAnEntityThatCanBeSet() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        try house.take("variables/a", values)
        #expect(Set(house.shown.keys.filter { $0.contains("/variable_") }) == configs)
        for topic in configs {
            let config = try Document.json(Array(try #require(house.shown[topic]).utf8))
            let name = config["name"]?.string ?? ""
            #expect(config["state_topic"]?.string == "g/a/variables/\(name)/value")
            #expect(config["command_topic"]?.string == "g/a/variables/\(name)/command")
            #expect(config["unique_id"]?.string == "g_a_variable_\(name)")
            #expect(config["qos"]?.int == 1 && config["device"]?["name"]?.string == "a")
        }
        let lamp = try #require(house.shown["h/switch/g_a/variable_lamp/config"])
        #expect(lamp.contains(#""payload_on":"true","payload_off":"false""#))
        // Home Assistant learns of the entity before it hears of its value.
        let order = house.told.filter { $0.contains("variable") }
        #expect(
            try #require(order.firstIndex(of: "h/switch/g_a/variable_lamp/config"))
                < #require(order.firstIndex(of: "g/a/variables/lamp/value")))
    }

    @Test func anotherTypeIsAnotherEntity() throws {
        var house = try House(discovery: "h")
        try house.take("variables/a", #"{"values":{"lamp":true}}"#)
        try house.take("variables/a", #"{"values":{"lamp":3}}"#)
        #expect(house.shown["h/switch/g_a/variable_lamp/config"] == nil)
        #expect(house.shown["h/number/g_a/variable_lamp/config"] != nil)
        #expect(house.shown["g/a/variables/lamp/value"] == "3")
    }

    @Test func whatIsGoneLeavesNothingBehind() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        let before = house.shown
        try house.take("variables/a", values)
        #expect(house.shown.count == before.count + 8)
        try house.take("variables/a", #"{"version":2,"values":{}}"#)
        #expect(house.shown == before)
        try house.take("variables/a", values)
        try house.take("session/a", #"{"event":"closed"}"#)
        #expect(house.shown == House.own)
    }

    @Test func entitiesOfVariablesStayWhereTheSceneChanges() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        try house.take("variables/a", values)
        try house.take("scene/a", #"{"scene":"q""# + String(tabs.dropFirst(#"{"scene":"p""#.count)))
        for topic in configs {
            #expect(house.shown[topic]?.contains(#""model":"q""#) == true)
        }
    }

    private func number(_ content: String) throws -> Node {
        var house = try House(discovery: "h")
        try house.take("variables/a", #"{"values":{"blind":25}}"#)
        let blank = try #require(house.shown["h/number/g_a/variable_blind/config"])
        #expect(blank.contains(#""mode":"box""#))
        try house.take("scene/a", #"{"scene":"p","components":[],"content":\#(content)}"#)
        let shown = try #require(house.shown["h/number/g_a/variable_blind/config"])
        // In whichever order both come.
        try house.take("variables/a", #"{"values":{}}"#)
        try house.take("variables/a", #"{"values":{"blind":50}}"#)
        #expect(house.shown["h/number/g_a/variable_blind/config"] == shown)
        return try Document.json(Array(shown.utf8))
    }

    @Test func aSceneMaySayBetweenWhichNumbersOneChooses() throws {
        let config = try number(
            #"{"variables":{"blind":{"min":0,"max":100,"step":25,"unit":"%"},"lamp":{"min":1}}}"#)
        #expect(config["min"]?.double == 0 && config["max"]?.double == 100)
        #expect(config["step"]?.double == 25 && config["unit_of_measurement"]?.string == "%")
        #expect(config["mode"]?.string == "auto")
        let plain = try number(#"{"variables":{"blind":{"min":-1.5,"max":2}}}"#)
        #expect(plain["step"]?.double == 1 && plain["unit_of_measurement"] == nil)
    }

    @Test(arguments: [
        "{}", #"{"variables":7}"#, #"{"variables":{"blind":7}}"#,
        #"{"variables":{"blind":{"min":0}}}"#, #"{"variables":{"blind":{"min":2,"max":1}}}"#,
        #"{"variables":{"blind":{"min":0,"max":"9"}}}"#,
        #"{"variables":{"blind":{"min":0,"max":9,"step":0}}}"#,
        #"{"variables":{"blind":{"min":0,"max":9,"step":-1}}}"#,
    ])
    func contentThatIsNoRangeIsPassedOver(_ content: String) throws {
        let config = try number(content)
        #expect(config["mode"]?.string == "box" && config["step"]?.double == 0.01)
    }

    @Test func aLongUnitIsLeftOut() throws {
        let unit = String(repeating: "x", count: 33)
        let config = try number(
            #"{"variables":{"blind":{"min":0,"max":9,"unit":"\#(unit)"}}}"#)
        #expect(config["mode"]?.string == "auto" && config["unit_of_measurement"] == nil)
    }

    @Test func variablesOfAnEarlierRunAreCleared() throws {
        var former = try House(discovery: "h")
        try former.take("scene/a", tabs)
        try former.take("variables/a", values)
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        try house.take("variables/a", #"{"values":{"lamp":true}}"#)
        let kept = house.shown
        let ghosts = former.shown.filter { $0.key.contains("variable") }
        house.keep(
            ghosts.merging(kept.filter { House.own[$0.key] == nil }) { $1 }, of: "me")
        house.join()
        #expect(house.shown == kept)
    }

    @Test func whatIsNoVariableIsPassedOver() throws {
        var house = try House(discovery: "h")
        try house.take("scene/a", tabs)
        let before = house.shown
        try house.take("variables/a", #"{"values":{"a b":1,"x":null,"y":[1],"z":{}}}"#)
        try house.take("variables/a", #"{"values":7}"#)
        try house.take("variables/a/b", values)
        #expect(house.shown == before)
        let many = (0..<100).map { #""v\#($0)":1"# }.joined(separator: ",")
        try house.take("variables/a", "{\"values\":{\(many)}}")
        let count = house.shown.keys.count { $0.hasSuffix("/value") }
        #expect(count == HouseMirror.Variable.countMax)
    }
}
