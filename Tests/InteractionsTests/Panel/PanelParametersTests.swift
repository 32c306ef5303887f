import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@Suite struct PanelParametersTests {
    private func read(_ sheet: Sheet) throws -> PanelParameters {
        var reader = try TableReader(Node(.object(sheet.members)), path: "component sheet")
        let parameters = try PanelParameters(&reader, viewport: .phone)
        try reader.finish()
        return parameters
    }

    private static let anchors: Sheet = [
        ["name": "low", "at": 500], ["name": "high", "at": "25%"],
    ]

    @Test func aShareIsOneOfTheFrame() throws {
        let parameters = try read(["anchors": Self.anchors])
        #expect(parameters.anchors.map(\.place) == [.points(500), .percent(25)])
        #expect(parameters.node["anchors"]?.array?[1]["at"]?.string == "25%")
        let panel = Panel(parameters, viewport: .phone, tracker: .uikit)
        #expect(panel.saved.anchor == "low")
    }

    private static let mistakes: [(Sheet, String?, String)] = [
        ([:], "anchors", "is required"),
        (["anchors": []], "anchors", "must have 1 to 16 entries"),
        (["anchors": [["name": "a", "at": 1], ["name": "a", "at": 2]]], "name", "is taken"),
        (["anchors": [["name": "a", "at": 1], ["name": "b", "at": 1]]], "anchors", "in order"),
        (["anchors": [["name": "a", "at": "1"]]], "at", "\"40%\""),
        (["anchors": [["name": "a", "at": "nan%"]]], "at", "\"40%\""),
        (["anchors": [["name": "a"]]], "at", "is required"),
        (["anchors": anchors, "start": "hihg"], "start", "high"),
        (["anchors": anchors, "drag": "handle"], "drag", "handle"),
        (["anchors": anchors, "spring": ["bounce": 1]], "bounce", "-0.9 to 0.9"),
        (["anchors": anchors, "spring": ["stiffness": 1]], nil, "unknown key \"stiffness\""),
    ]

    @Test(arguments: mistakes)
    func mistakesAreTold(sheet: Sheet, key: String?, words: String) {
        let error = #expect(throws: TableError.self) { try read(sheet) }
        #expect(error?.key == key && error?.message.contains(words) == true, "\(error as Any)")
    }
}
