import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// One finger on the items of a world.
@Suite struct WorldDragTests {
    /// Each column is 10 steps. `b`egan, `c`hanged, `e`nded, `x` cancelled.
    @Test(arguments: [
        ("b--e--------", "dddmmmmmmmmr"), ("b--x--------", "dddmmmmmmmmr"),
        ("b-c-c-e-----", "ddddddmmmmmm"), ("b-b-e-------", "ddddmmmmmmmr"),
    ])
    func aCardIsDraggedAndSnapsBack(script: String, phases: String) throws {
        var stage = try worldStage(cardAtHome)
        let played = try stage.timeline(script, column: 10) { (letter, stage) throws(Rejection) in
            switch letter {
            case "b": try stage.pan(.began, 160, 284)
            case "c": try stage.pan(.changed, 190, 300)
            case "e": try stage.pan(.ended, 190, 300, velocity: .zero)
            default: try stage.pan(.cancelled, 190, 300)
            }
        }
        #expect(played.count == phases.count)
        #expect(played.first == "d")
        #expect(stage.settle() != nil)
        let card = try #require(stage.view("card"))
        #expect((card.center - Vector(160, 284)).length < 1)
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func theTouchedPointStaysUnderTheFinger(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = try worldStage([
            "items": [
                [
                    "id": "card", "center": [160, 284], "size": [120, 80],
                    "rotation": Sheet(random.unit() * 6 - 3),
                ]
            ]
        ])
        let before = try #require(stage.view("card"))
        let offset = Vector(random.unit() * 100 - 50, random.unit() * 60 - 30)
        var finger = before.place(of: offset)
        try stage.pan(.began, finger.x, finger.y)
        #expect(stage.view("card") == before, "seed \(seed): it jumps")
        for _ in 0..<60 {
            finger += Vector(random.unit() * 16 - 8, random.unit() * 16 - 8)
            try stage.pan(.changed, finger.x, finger.y)
            stage.step()
            let card = try #require(stage.view("card"))
            #expect((card.place(of: offset) - finger).length < 1, "seed \(seed)")
        }
    }

    @Test func theTopmostItemIsDragged() throws {
        var stage = try worldStage([
            "items": [
                ["id": "under", "center": [100, 100], "size": [50, 50]],
                ["id": "over", "center": [120, 100], "size": [50, 50]],
            ]
        ])
        #expect(stage.picture.names == ["under", "over"])
        #expect(stage.view("under")?.z == 0 && stage.view("over")?.z == 1)
        try stage.pan(.began, 110, 100)
        #expect(stage.field("dragged") == .text("over"))
        try stage.pan(.cancelled, 110, 100)
        try stage.pan(.began, 80, 100)
        #expect(stage.field("dragged") == .text("under"))
    }

    /// A point, and which of a turned box and a circle is there.
    @Test(
        arguments: [
            (Vector(100, 100), "box"), (Vector(138, 100), "box"), (Vector(130, 125), nil),
            (Vector(100, 138), "box"), (Vector(200, 100), "ball"), (Vector(219, 100), "ball"),
            (Vector(215, 115), nil), (Vector(300, 100), nil),
        ] as [(Vector, String?)])
    func itemsAreHitInTheirShapes(point: Vector, item: String?) throws {
        var stage = try worldStage([
            "items": [
                [
                    "id": "box", "center": [100, 100], "size": [56, 56],
                    "rotation": Sheet(Double.pi / 4),
                ],
                ["id": "ball", "center": [200, 100], "size": [40, 40], "shape": "circle"],
            ]
        ])
        if let item {
            try stage.pan(.began, point.x, point.y)
            #expect(stage.field("dragged") == .text(item))
        } else {
            #expect(
                refusal { () throws(Rejection) in
                    try stage.pan(.began, point.x, point.y)
                } == .badValue)
            #expect(stage.phase == "resting")
        }
    }

    @Test func fingersPassThroughAnchoredItems() throws {
        var stage = try worldStage([
            "items": [
                ["id": "under", "center": [100, 100], "size": [50, 50]],
                ["id": "wall", "center": [100, 100], "size": [80, 80]],
            ],
            "behaviors": [
                ["id": "fast", "kind": "item", "items": ["wall"], "anchored": true]
            ],
        ])
        try stage.pan(.began, 100, 100)
        #expect(stage.field("dragged") == .text("under"))
        try stage.pan(.cancelled, 100, 100)
        #expect(refusal { () throws(Rejection) in try stage.pan(.began, 135, 100) } == .badValue)
        try stage.command(
            "set", ["behavior": "fast", "values": ["anchored": false]])
        try stage.pan(.began, 135, 100)
        #expect(stage.field("dragged") == .text("wall"))
        try stage.command(
            "set", ["behavior": "fast", "values": ["anchored": true]])
        #expect(stage.field("dragged") == .text(nil), "an anchored item stays in a hand")
    }

    @Test func aReleaseThrowsWithItsVelocityAndACancellationDoesNot() throws {
        for phase in [Phase.ended, .cancelled] {
            var stage = try worldStage([
                "items": [["id": "chip", "center": [100, 100], "size": [40, 40]]]
            ])
            try stage.pan(.began, 100, 100)
            try stage.pan(phase, 100, 100, velocity: Vector(600, -300))
            stage.step()
            let chip = try #require(stage.view("chip"))
            let way = phase == .ended ? Vector(600, -300) / 120 : .zero
            #expect((chip.center - Vector(100, 100) - way).length < 0.01, "\(phase)")
        }
    }

    @Test func aSoftGripComesAfterTheFinger() throws {
        var table = cardAtHome
        table["drag_frequency"] = 3
        table["drag_damping"] = 1
        table["behaviors"] = []
        var stage = try worldStage(table)
        try stage.pan(.began, 160, 284)
        try stage.pan(.changed, 200, 284)
        stage.step()
        let early = try #require(stage.view("card")).center.x
        #expect(early > 160 && early < 190)
        stage.step(240)
        #expect(abs(try #require(stage.view("card")).center.x - 200) < 0.5)
    }

    @Test func aWorldThatIsNotDraggedKnowsNoPan() throws {
        var table = cardAtHome
        table["drag"] = false
        var stage = try worldStage(table)
        #expect(
            refusal { () throws(Rejection) in try stage.pan(.began, 160, 284) } == .unknownGesture)
        #expect(stage.machine.recognizers == [.tap, .pinch, .rotation])
        try stage.pinch(.began, Vector(160, 284), 1)
    }

    @Test func aSilentFingerLetsGo() throws {
        var stage = try worldStage(cardAtHome)
        try stage.pan(.began, 160, 284)
        #expect(stage.steps(until: { $0.phase != "dragging" }) == 360)
        #expect(stage.settle() != nil)
    }

    /// A contact is recognised as a pan only after 10 points, when it may have left a small item.
    @Test func aPanDragsWhatItsContactLandedOn() throws {
        var stage = try worldStage([
            "items": [["id": "dot", "center": [100, 100], "size": [8, 8]]]
        ])
        stage.touch(.down(Vector(101, 100)))
        try stage.pan(.began, 112, 100)
        #expect(stage.field("dragged") == .text("dot"))
        stage.step(30)
        #expect(stage.view("dot") == ViewState(center: Vector(100, 100), size: Size(8, 8), z: 0))
        try stage.pan(.changed, 122, 100)
        stage.step(30)
        #expect(try #require(stage.view("dot")).center.x > 101)
    }

    /// Whichever behavior was set last says whether an item is anchored.
    @Test func anItemThatWasAnchoredLastCannotBeHeld() throws {
        var table = cardAtHome
        table["behaviors"] = [
            ["id": "first", "kind": "item", "items": ["card"], "anchored": false],
            ["id": "second", "kind": "item", "items": ["card"], "anchored": false],
        ]
        var stage = try worldStage(table)
        try stage.pan(.began, 160, 284)
        try stage.pinch(.began, Vector(160, 284), 1)
        try stage.turn(.began, Vector(160, 284), 0)
        try stage.command("set", ["behavior": "first", "values": ["anchored": true]])
        #expect(stage.phase == "resting")
        for refused in [
            refusal { () throws(Rejection) in try stage.pan(.changed, 1, 1) },
            refusal { () throws(Rejection) in try stage.pinch(.changed, nil, 2) },
            refusal { () throws(Rejection) in try stage.turn(.changed, nil, 2) },
        ] { #expect(refused == .outOfOrder) }
        #expect(refusal { () throws(Rejection) in try stage.pan(.began, 160, 284) } == .badValue)
    }
}

extension ViewState {
    /// Where a point of the view is, given from its center in its own coordinates.
    func place(of offset: Vector) -> Vector {
        let (sine, cosine) = Angle.sineCosine(rotation)
        return center + offset.rotated(sine: sine, cosine: cosine)
    }
}
