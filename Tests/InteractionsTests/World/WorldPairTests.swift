import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Two fingers on an item.
@Suite struct WorldPairTests {
    private let still: Sheet = [
        "items": [["id": "card", "center": [160, 284], "size": [100, 60]]]
    ]

    /// A scale of the fingers, and of the item then.
    @Test(arguments: [
        (2.0, 2.0), (0.5, 0.5), (50.0, 10.0), (1e-6, 0.1), (1_000_000.0, 10.0), (1.0, 1.0),
    ])
    func aPinchScalesWithinItsBounds(fingers: Double, item: Double) throws {
        var stage = try worldStage(still)
        try stage.pinch(.began, Vector(150, 280), 1)
        #expect(stage.phase == "dragging" && stage.needsPublish)
        try stage.pinch(.changed, nil, fingers)
        #expect(stage.needsPublish)
        try stage.pinch(.ended, nil, fingers)
        let card = try #require(stage.view("card"))
        #expect(card.scale == item && card.size == Size(100, 60))
        #expect(stage.settle() != nil)
        #expect(stage.view("card") == card)
    }

    @Test func aSecondPinchGoesOnFromTheFirst() throws {
        var stage = try worldStage(still)
        for _ in 0..<2 {
            try stage.pinch(.began, Vector(160, 284), 1)
            try stage.pinch(.ended, nil, 2)
        }
        #expect(stage.view("card")?.scale == 4)
    }

    /// An item of twice the size has four times the mass: a push moves it a quarter as fast.
    @Test func aScaledItemIsAsHeavyAsItIsLarge() throws {
        var ways: [Double] = []
        for scale in [1.0, 2.0] {
            var stage = try worldStage(still)
            try stage.pinch(.began, Vector(160, 284), 1)
            try stage.pinch(.ended, nil, scale)
            try stage.command(
                "add-behavior",
                [
                    "behavior": [
                        "id": "p", "kind": "push", "items": ["card"], "mode": "instantaneous",
                        "dx": 6,
                    ]
                ])
            stage.step()
            ways.append(try #require(stage.view("card")).center.x - 160)
        }
        #expect(abs(ways[0] - 4 * ways[1]) < 1e-9 && ways[1] > 1, "\(ways)")
    }

    @Test func aScaledItemIsHitWhereItIsShown() throws {
        var stage = try worldStage(still)
        try stage.pinch(.began, Vector(160, 284), 1)
        try stage.pinch(.ended, nil, 2)
        try stage.pan(.began, 250, 330)
        #expect(stage.field("dragged") == .text("card"))
    }

    @Test func aTurnTurnsTheItemAsFarAsTheFingers() throws {
        var stage = try worldStage(still)
        try stage.turn(.began, Vector(160, 284), 0)
        try stage.turn(.changed, nil, 0.5)
        #expect(stage.needsPublish && stage.phase == "dragging")
        stage.step(7)
        try stage.turn(.changed, nil, 7)
        #expect(stage.view("card")?.rotation == 7)
        try stage.turn(.ended, nil, 7.5)
        #expect(stage.view("card")?.rotation == 7.5)
        #expect(stage.settle() != nil)
    }

    @Test func pinchAndTurnGoOnTogether() throws {
        var stage = try worldStage(still)
        try stage.pinch(.began, Vector(160, 284), 1)
        try stage.turn(.began, Vector(160, 284), 0)
        try stage.pinch(.changed, nil, 1.5)
        try stage.turn(.changed, nil, 1)
        try stage.pinch(.ended, nil, 1.5)
        #expect(stage.phase == "dragging")
        try stage.turn(.cancelled, nil, 1)
        #expect(stage.phase != "dragging")
        let card = try #require(stage.view("card"))
        #expect(card.scale == 1.5 && card.rotation == 1)
    }

    @Test func aPinchOrTurnWithoutAnItemIsRefused() throws {
        var stage = try worldStage(still)
        let before = stage.machine
        #expect(
            refusal { () throws(Rejection) in try stage.pinch(.began, nil, 1) } == .missingField)
        #expect(
            refusal { () throws(Rejection) in try stage.turn(.began, Vector(1, 1), 0) }
                == .badValue)
        #expect(
            refusal { () throws(Rejection) in try stage.pinch(.changed, nil, 2) } == .outOfOrder)
        #expect(refusal { () throws(Rejection) in try stage.turn(.ended, nil, 2) } == .outOfOrder)
        #expect(stage.machine == before)
    }

    @Test func aGroupIsTurnedAsAWholeAndHasOneSize() throws {
        var stage = try worldStage([
            "items": [
                ["id": "a", "center": [100, 100], "size": [20, 20]],
                ["id": "b", "center": [140, 100], "size": [20, 20]],
            ],
            "behaviors": [["id": "pair", "kind": "group", "items": ["a", "b"]]],
        ])
        #expect(
            refusal { () throws(Rejection) in try stage.pinch(.began, Vector(100, 100), 1) }
                == .badValue)
        try stage.turn(.began, Vector(100, 100), 0)
        try stage.turn(.ended, nil, Double.pi)
        let (a, b) = (try #require(stage.view("a")), try #require(stage.view("b")))
        #expect((a.center - Vector(140, 100)).length < 1e-9)
        #expect((b.center - Vector(100, 100)).length < 1e-9)
    }
}
