import Geometry
import Interactions
import Notation
import TestSupport
import Testing

/// One declaration of a kind's parameters reads them, lists them and writes them out again.
@Suite struct ParameterTests {
    private static func defaults<Kind: Machine>(_: Kind.Type) -> any KindParameters {
        Kind.Parameters(viewport: .phone)
    }

    /// Written out, the parameters read back as the same.
    private static func isReadBack<Parameters: KindParameters>(
        _ parameters: Parameters
    ) throws -> Bool {
        var reader = try TableReader(parameters.node, path: "component x")
        let read = try Parameters(&reader, viewport: .phone)
        try reader.finish()
        return read == parameters
    }

    private static var unusual: [any KindParameters] {
        var tips = TipsParameters.counting(2)
        (tips.tips[1].image, tips.fade, tips.presented) = ("eye", 1.25, false)
        var toss = TossParameters(viewport: .phone)
        (toss.frame, toss.spin) = (Rect(0.5, 1, 2, 3), -3...(-1))
        var navigation = NavigationParameters(root: "home")
        (navigation.duration, navigation.removalLead, navigation.queue) = (0.01, 0.005, 0)
        navigation.screens = [NavigationScreen("home", title: "Home"), NavigationScreen("mail")]
        navigation.screens[1].back = .toTop
        navigation.screens[1].origin = Vector(1, 2)
        var profile = ProfileParameters(viewport: .phone)
        (profile.headerStop, profile.labelOffset) = (1, -7.5)
        var list = ListParameters(rows: 3)
        list.style = .push
        var reader = ReaderParameters(pages: .titles(["A", "B"]), viewport: .phone)
        reader.start = 1
        return [
            tips, toss, navigation, profile, list, reader,
            ReaderParameters(pages: .count(9), viewport: .phone), TabsParameters.five,
        ]
    }

    @Test func writtenParametersReadBack() throws {
        for parameters in Self.unusual {
            #expect(try Self.isReadBack(parameters), "\(parameters)")
        }
    }

    @Test func aWorldIsWrittenOutWithItsItemsAndBehaviors() throws {
        let table: Sheet = [
            "items": [["id": "ball", "center": [10, 20], "size": [30, 40]]],
            "behaviors": [["id": "home", "kind": "snap", "item": "ball", "point": [1, 2]]],
            "drag": false, "drag_frequency": 2,
        ]
        #expect(try Self.isReadBack(try WorldParameters(table.node)))
    }

    @Test func everyKeyIsListedOnceWithItsDefault() {
        for kind in Kinds.all {
            let list = Self.defaults(kind).list
            #expect(!list.isEmpty && Set(list.map(\.key)).count == list.count, "\(kind)")
        }
        let tips = TipsParameters(viewport: .phone).list
        #expect(tips.filter(\.isRequired).map(\.key) == ["tips"])
        guard case .list(.table(let tip), 0...Tips.tipsMax)? = tips.first?.shape else {
            Issue.record("the tips are no list of tables")
            return
        }
        #expect(tip.entries.map(\.key) == ["title", "summary", "image", "content"])
        #expect(tips.first { $0.key == "exit_duration" }?.value == Node(.number(0.4)))
        let profile = ProfileParameters(viewport: .phone).list
        #expect(profile.filter { $0.value == nil }.map(\.key).count == 2)
    }

    @Test func everyKindHasANameAndCommandsOfItsOwn() {
        #expect(Set(Kinds.all.map { $0.kind }).count == Kinds.all.count)
        for kind in Kinds.all {
            #expect(Kinds.named(kind.kind).map { $0 == kind } == true)
            #expect(Name.isValid(kind.kind) && kind.commands.allSatisfy(Name.isValid))
            #expect(Set(kind.commands).count == kind.commands.count)
        }
    }
}
