import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Marked objects that lie on a world.
@Suite struct WorldTokenTests {
    /// A lens that follows token 5, and a photo.
    private let table: Sheet = [
        "items": [
            ["id": "lens", "center": [160, 284], "size": [100, 60], "token": 5],
            ["id": "photo", "center": [60, 100], "size": [80, 80]],
        ]
    ]

    /// The transitions of tokens so far, as `token began 5 lens`.
    private func told(_ stage: WorldStage) -> [String] {
        stage.transitions.filter { $0.token != nil }.map { transition in
            let words = [
                transition.name, transition.event.rawValue, "\(transition.token ?? -1)",
                transition.item ?? "-",
            ]
            return words.joined(separator: " ")
        }
    }

    private func lens(_ stage: WorldStage) throws -> ViewState {
        try #require(stage.view("lens"))
    }

    // MARK: Items

    @Test func anItemStandsWhereItsTokenLies() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(100, 200), 0.5)
        #expect(try lens(stage).center == Vector(100, 200))
        #expect(try lens(stage).rotation == 0.5)
        #expect(stage.needsPublish && stage.phase == "dragging")
        #expect(stage.field("dragged") == .text(nil))
        for (x, y, angle) in [(101.0, 203.0, 0.75), (240, 90, 3.0), (240, 90, -3), (10, 500, -1)] {
            try stage.token(.changed, 5, Vector(x, y), angle)
            let shown = try lens(stage)
            #expect(shown.center == Vector(x, y))
            #expect(abs(Angle.wrapped(shown.rotation - angle)) < 1e-12)
            stage.step(7)
            #expect(try lens(stage).center == Vector(x, y))
        }
        try stage.token(.ended, 5, Vector(20, 480), -1)
        #expect(try lens(stage).center == Vector(20, 480))
        // It stays where it was let go, and has no velocity.
        stage.step(120)
        #expect(try lens(stage).center == Vector(20, 480))
        #expect(stage.phase == "resting")
        #expect(told(stage).first == "token began 5 lens")
        #expect(told(stage).last == "token ended 5 lens")
    }

    @Test func aTokenTurnsItsItemTheShortWay() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(160, 284), 3)
        try stage.token(.changed, 5, Vector(160, 284), -3)
        let rotation = try lens(stage).rotation
        #expect(abs(rotation - (2 * Double.pi - 3)) < 1e-12)
    }

    @Test func itPushesOthers() throws {
        var pushing = table
        pushing["behaviors"] = [
            ["id": "walls", "kind": "collision", "items": ["lens", "photo"], "mode": "items"]
        ]
        var stage = try worldStage(pushing)
        try stage.token(.began, 5, Vector(100, 130))
        stage.step(60)
        #expect(try lens(stage).center == Vector(100, 130))
        let photo = try #require(stage.view("photo"))
        #expect((photo.center - Vector(60, 100)).length > 1, "\(photo.center)")
    }

    @Test func aTokenWithoutAnItemIsToldAndShown() throws {
        var stage = try worldStage(table)
        _ = stage.settle()
        #expect(stage.field("tokens.0.symbol") == nil)
        try stage.token(.began, 9, Vector(30, 40), 7)
        #expect(stage.phase == "resting" && stage.needsPublish)
        #expect(stage.field("tokens.0.symbol") == .whole(9))
        #expect(stage.field("tokens.0.x") == .points(30))
        #expect(stage.field("tokens.0.y") == .points(40))
        #expect(stage.field("tokens.0.angle") == .points(Angle.wrapped(7)))
        try stage.token(.began, 5, Vector(160, 284))
        #expect(stage.field("tokens.1.symbol") == .whole(5))
        try stage.token(.cancelled, 9, .zero)
        #expect(stage.field("tokens.0.symbol") == .whole(5) && stage.field("tokens.1.x") == nil)
        #expect(told(stage) == ["token began 9 -", "token began 5 lens", "token ended 9 -"])
    }

    @Test func aFingerDragsBesideATokenThatMoves() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(160, 142))
        try stage.pan(.began, 60, 100)
        for number in 1...7 {
            try stage.pan(.changed, 60, 100 + 10 * Double(number))
            try stage.token(.changed, 5, Vector(160, 142 + 4 * Double(number)))
        }
        stage.step(60)
        let photo = try #require(stage.view("photo"))
        #expect(abs(photo.center.y - 170) < 2, "\(photo.center)")
        #expect(try lens(stage).center == Vector(160, 170))
    }

    @Test func aSizeThatIsSetStaysUnderAToken() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(100, 200), 0.5)
        try stage.command("set", ["item": "lens", "values": ["scale": 3]])
        try stage.token(.changed, 5, Vector(130, 200), 0.5)
        #expect(try lens(stage).scale == 3 && lens(stage).center == Vector(130, 200))
        for (key, value) in [("center", [10, 10]), ("rotation", 1)] as [(String, Sheet)] {
            let message = objection { () throws(Rejection) in
                try stage.command("set", ["item": "lens", "values": [key: value]])
            }
            let start = "bad-value: item lens, key \(key): cannot be set while"
            #expect(message?.hasPrefix(start) == true, "\(message ?? "")")
        }
        try stage.token(.ended, 5, Vector(130, 200), 0.5)
        try stage.command("set", ["item": "lens", "values": ["center": [10, 10]]])
        #expect(try lens(stage).center == Vector(10, 10))
    }

    /// An item that a sample repeats, and a token that nothing follows, ask for no update.
    @Test func aRestingTokenShowsNothingNew() throws {
        var stage = try worldStage(table)
        for symbol in [5, 9] {
            try stage.token(.began, symbol, Vector(100, 200), 1)
            stage.step(2)
            try stage.token(.changed, symbol, Vector(100, 200), 1)
            #expect(!stage.needsPublish, "\(symbol)")
        }
    }

    /// A world is restless since its last gesture, and a token that lies there makes none.
    @Test func aRestingTokenKeepsNoWorldRestless() throws {
        var stage = try worldStage(table)
        let slick: Sheet = [
            "id": "slick", "kind": "item", "items": ["photo"], "resistance": 0,
            "angular_resistance": 0,
        ]
        try stage.command("add-behavior", ["behavior": slick])
        try stage.command("add-velocity", ["item": "photo", "dx": 5, "dy": 0, "angular": 1])
        try stage.token(.began, 9, Vector(10, 10))
        for _ in 0..<70 where stage.restsForced == 0 {
            stage.step(110)
            try stage.token(.changed, 9, Vector(10, 10))
        }
        #expect(stage.restsForced == 1 && stage.phase == "resting")
    }

    // MARK: Turns

    /// Angles in degrees one after the other, and after how many of them a turn was told.
    private static let turns: [([Double], [Int])] = [
        ([0, 5, 10, 14.9], []), ([0, 15.1], [2]), ([0, 10, 20, 30, 40], [3, 5]),
        ([0, -10, -16], [3]), ([350, 0, 4, 6], [4]), ([10, 350, 340], [2]),
        ([0, 170, 190], [2, 3]), ([90, 450, 830], [3]),
    ]

    @Test(arguments: turns)
    func aTurnIsToldEachTimeItIsLarge(degrees: [Double], turns: [Int]) throws {
        var stage = try worldStage(table)
        var found: [Int] = []
        for (count, angle) in degrees.enumerated() {
            let former = told(stage).count(where: { $0.hasPrefix("turn began") })
            try stage.token(
                count == 0 ? .began : .changed, 5, Vector(100, 100), angle * .pi / 180)
            let now = told(stage).count(where: { $0.hasPrefix("turn began") })
            if now > former { found.append(count + 1) }
        }
        #expect(found == turns)
        let ended = told(stage).filter { $0.hasPrefix("turn ended") }
        #expect(ended.count == turns.count)
    }

    // MARK: Hands

    @Test func aFingerHasNoHoldOfAnItemThatFollowsAToken() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(160, 284))
        let message = objection { () throws(Rejection) in
            try stage.pan(.began, 160, 284)
        }
        #expect(message == "bad-value: \"lens\" follows a token that lies there")
        try stage.pan(.began, 60, 100)
        try stage.pan(.ended, 60, 100)
        try stage.token(.ended, 5, Vector(160, 284))
        try stage.pan(.began, 160, 284)
        #expect(stage.field("dragged") == .text("lens"))
    }

    @Test func aTokenTakesItsItemFromFingers() throws {
        var stage = try worldStage(table)
        try stage.pan(.began, 160, 284)
        try stage.token(.began, 5, Vector(100, 100))
        let message = objection { () throws(Rejection) in
            try stage.pan(.changed, 200, 284)
        }
        #expect(message?.hasPrefix("out-of-order") == true)
        #expect(try lens(stage).center == Vector(100, 100))
    }

    // MARK: Order and bounds

    @Test(arguments: [Phase.changed, .ended, .cancelled])
    func whatWasNotPutIsOutOfOrder(phase: Phase) throws {
        var stage = try worldStage(table)
        try stage.token(.began, 6, .zero)
        let message = objection { () throws(Rejection) in
            try stage.token(phase, 5, .zero)
        }
        #expect(message?.hasPrefix("out-of-order") == true)
    }

    @Test func aTokenThatIsPutAgainIsLiftedFirst() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(10, 10))
        try stage.token(.began, 5, Vector(90, 90))
        #expect(
            told(stage) == ["token began 5 lens", "token ended 5 lens", "token began 5 lens"])
        #expect(try lens(stage).center == Vector(90, 90))
    }

    @Test func aSilentTokenIsLifted() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(100, 100))
        try stage.token(.began, 9, Vector(50, 50))
        stage.step(200)
        try stage.token(.changed, 9, Vector(50, 50))
        stage.step(159)
        #expect(told(stage).count == 2)
        stage.step()
        #expect(told(stage).last == "token ended 5 lens" && told(stage).count == 3)
        #expect(stage.needsPublish && stage.phase == "resting")
        stage.step(200)
        #expect(told(stage).last == "token ended 9 -")
    }

    @Test func tokensAreBounded() throws {
        var stage = try worldStage(table)
        for symbol in 0..<World.tokensMax { try stage.token(.began, symbol, Vector(10, 10)) }
        let message = objection { () throws(Rejection) in
            try stage.token(.began, 100, .zero)
        }
        #expect(message == "bad-value: symbol: at most 32 tokens lie on a component")
        // One that lies there may be put again.
        try stage.token(.began, 5, Vector(20, 20))
        try stage.token(.ended, 3, .zero)
        try stage.token(.began, 100, .zero)
    }

    // MARK: Changes

    @Test func itemsComeAndGoUnderATokenThatLiesThere() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 7, Vector(200, 300), 1)
        try stage.command(
            "add-item",
            ["item": ["id": "ring", "center": [10, 10], "size": [20, 20], "token": 7]])
        #expect(stage.view("ring")?.center == Vector(200, 300))
        try stage.command("remove-item", ["item": "ring"])
        try stage.token(.changed, 7, Vector(210, 300), 1)
        try stage.token(.ended, 7, Vector(210, 300), 1)
        #expect(told(stage) == ["token began 7 -", "token ended 7 -"])
        #expect(stage.settle() != nil)
    }

    @Test func anAnchoredItemFollowsNone() throws {
        var stage = try worldStage(table)
        try stage.command(
            "add-behavior",
            [
                "behavior": [
                    "id": "fast", "kind": "item", "items": ["lens"], "anchored": true,
                ]
            ])
        try stage.token(.began, 5, Vector(10, 10))
        #expect(try lens(stage).center == Vector(160, 284))
        try stage.command("set", ["behavior": "fast", "values": ["anchored": false]])
        #expect(try lens(stage).center == Vector(10, 10))
    }

    @Test func anotherSceneMayGiveATokenAnotherItem() throws {
        var stage = try worldStage(table)
        try stage.token(.began, 5, Vector(200, 300))
        let other: Sheet = [
            "items": [
                ["id": "lens", "center": [160, 284], "size": [100, 60]],
                ["id": "photo", "center": [60, 100], "size": [80, 80], "token": 5],
            ]
        ]
        stage.adapt(to: try WorldParameters(other.node))
        #expect(stage.view("photo")?.center == Vector(200, 300))
        try stage.token(.changed, 5, Vector(100, 100))
        #expect(stage.view("photo")?.center == Vector(100, 100))
        #expect(try lens(stage).center == Vector(200, 300))
    }

    /// Documents of before there were tokens read, and those without any write none.
    @Test func tokensAreEncodedWhereTheyLie() throws {
        var stage = try worldStage(table)
        #expect(Node(encoding: stage.machine)["tokens"] == nil)
        try stage.token(.began, 5, Vector(200, 300))
        #expect(Node(encoding: stage.machine)["tokens"]?.array?.count == 1)
        #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
    }

    /// Items and behaviors of a world, and a part of the error.
    private static let wrong: [(Sheet, Sheet, String)] = [
        (
            [
                ["id": "a", "center": [1, 1], "size": [9, 9], "token": 5],
                ["id": "b", "center": [1, 1], "size": [9, 9], "token": 5],
            ], [], "item b, key token: 5 is that of the item \"a\""
        ),
        (
            [["id": "a", "center": [1, 1], "size": [9, 9], "token": -1]], [],
            "key token: must be a whole number from 0 to 2147483647"
        ),
        (
            [
                ["id": "a", "center": [1, 1], "size": [9, 9], "token": 5],
                ["id": "b", "center": [1, 1], "size": [9, 9]],
            ], [["id": "g", "kind": "group", "items": ["a", "b"]]],
            "behavior g, key items: \"a\" follows a token, and cannot be a member of a group"
        ),
    ]

    @Test(arguments: wrong)
    func wrongTokensAreExplained(items: Sheet, behaviors: Sheet, message: String) {
        let table: Sheet = ["items": items, "behaviors": behaviors]
        let error = #expect(throws: TableError.self) { try WorldParameters(table.node) }
        let text = error?.description ?? ""
        #expect(text.contains(message), "\(text)")
    }

    @Test func theTokenOfAnItemCannotBeSet() throws {
        var stage = try worldStage(table)
        let message = objection { () throws(Rejection) in
            try stage.command("set", ["item": "lens", "values": ["token": 6]])
        }
        #expect(message?.contains("key token: cannot be set") == true, "\(message ?? "")")
    }
}
