import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// How commands change a world, and that what they refuse changes nothing.
@Suite struct WorldCommandTests {
    /// Everything that a behavior can be, on items `a`, `b` and `c`.
    static let behaviors: [Sheet] = [
        ["id": "x", "kind": "attachment", "item": "a", "anchor": [50, 50]],
        [
            "id": "x", "kind": "attachment", "item": "a", "offset": [3, 4], "to": "b",
            "to_offset": [1, 2], "length": 40, "frequency": 2, "damping": 0.5,
        ],
        [
            "id": "x", "kind": "attachment", "item": "a", "to": "b", "type": "fixed",
            "frequency": 3, "damping": 1,
        ],
        [
            "id": "x", "kind": "attachment", "item": "a", "anchor": [100, 100], "type": "pin",
            "friction_torque": 2, "range": [-1, 1],
        ],
        [
            "id": "x", "kind": "attachment", "item": "a", "to": "b", "type": "sliding",
            "axis": [3, 1], "range": [-20, 20],
        ],
        ["id": "x", "kind": "attachment", "item": "a", "to": "b", "type": "limit", "length": 90],
        ["id": "x", "kind": "snap", "item": "a", "point": [10, 20], "damping": 0],
        [
            "id": "x", "kind": "push", "items": ["a", "b"], "mode": "instantaneous",
            "angle": 1, "magnitude": -2, "offset": [5, 5],
        ],
        ["id": "x", "kind": "push", "items": ["a"], "mode": "continuous", "dx": 1, "dy": 2],
        ["id": "x", "kind": "gravity", "items": ["a", "b"]],
        ["id": "x", "kind": "gravity", "items": ["a"], "angle": 0.3],
        [
            "id": "x", "kind": "collision", "items": ["a", "b"], "mode": "everything",
            "bounds": [0, 10, 20, -30],
            "boundaries": [
                ["id": "floor", "from": [0, 400], "to": [320, 420]],
                ["id": "ring", "path": [[10, 10], [300, 10], [150, 300], [10, 10]]],
            ],
        ],
        [
            "id": "x", "kind": "item", "items": ["a"], "elasticity": 1, "friction": 0,
            "density": 5, "resistance": 2, "angular_resistance": 3, "allows_rotation": false,
            "charge": -1, "anchored": false,
        ],
        [
            "id": "x", "kind": "field", "items": ["a"], "type": "noise", "position": [100, 100],
            "strength": 2, "falloff": 1, "minimum_radius": 5, "smoothness": 0.5,
            "animation_speed": 2,
            "region": [
                "shape": "difference",
                "of": [
                    ["shape": "rectangle", "size": [500, 500]],
                    [
                        "shape": "union",
                        "of": [
                            ["shape": "circle", "radius": 3, "center": [1, 1]],
                            ["shape": "inverse", "of": [["shape": "infinite"]]],
                        ],
                    ],
                ],
            ],
        ],
        ["id": "x", "kind": "field", "items": ["b"], "type": "velocity", "direction": [1, 0]],
        ["id": "x", "kind": "group", "items": ["a", "b"]],
    ]

    static let three: Sheet = [
        "items": [
            ["id": "a", "center": [100, 100], "size": [40, 30]],
            ["id": "b", "center": [160, 110], "size": [30, 30], "shape": "circle"],
            ["id": "c", "center": [240, 300], "size": [20, 20], "rotation": 1],
        ]
    ]

    /// A world that a scene describes moves as one to which commands add the same.
    @Test(arguments: behaviors)
    func aCommandAddsWhatASceneDescribes(behavior: Sheet) throws {
        var table = Self.three
        table["behaviors"] = [behavior]
        var scene = try worldStage(table)
        var changed = try worldStage([:])
        for item in try #require(Self.three["items"]?.node.array) {
            try changed.command("add-item", ["item": Sheet(item)])
        }
        try changed.command("add-behavior", ["behavior": behavior])
        for _ in 0..<120 {
            #expect(scene.picture.views == changed.picture.views, "\(behavior.node)")
            #expect(scene.picture.isFinite)
            scene.step()
            changed.step()
        }
        #expect(scene.machine.description == changed.machine.description)
    }

    /// The description of a resting world makes the same world again.
    @Test(arguments: behaviors)
    func aDescriptionMakesTheSameWorld(behavior: Sheet) throws {
        var table = Self.three
        table["behaviors"] = [behavior]
        let stage = try worldStage(table)
        var again = Stage(World(stage.machine.description, viewport: .phone, tracker: .uikit))
        var first = stage
        for _ in 0..<60 {
            #expect(first.picture.views == again.picture.views, "\(behavior.node)")
            first.step()
            again.step()
        }
    }

    @Test(arguments: behaviors)
    func aBehaviorGoesAsItCame(behavior: Sheet) throws {
        var stage = try worldStage(Self.three)
        let before = stage.picture
        try stage.command("add-behavior", ["behavior": behavior])
        #expect(
            refusal { () throws(Rejection) in
                try stage.command("add-behavior", ["behavior": behavior])
            } == .badValue)
        try stage.command("remove-behavior", ["behavior": "x"])
        #expect(stage.settle() != nil)
        #expect(stage.picture == before, "\(behavior.node)")
        #expect(
            refusal { () throws(Rejection) in
                try stage.command("remove-behavior", ["behavior": "x"])
            } == .badValue)
    }

    /// Every behavior survives that an item that it names goes, in the midst of its motion.
    @Test(arguments: behaviors)
    func anItemGoesOutOfEveryBehavior(behavior: Sheet) throws {
        var stage = try worldStage(Self.three)
        try stage.command("add-behavior", ["behavior": behavior])
        stage.step(5)
        let isGroup = behavior["kind"] == "group"
        for item in ["a", "b", "c"] {
            let code = refusal { () throws(Rejection) in
                try stage.command("remove-item", ["item": Sheet(item)])
            }
            #expect(code == (isGroup && item != "c" ? .badValue : nil))
            stage.step(5)
            #expect(stage.picture.isFinite)
        }
        #expect(stage.picture.names == (isGroup ? ["a", "b"] : []))
    }

    // MARK: Setting

    @Test func aVectorIsSetByItsSidesOrByItsAngle() throws {
        var stage = try worldStage([
            "items": [["id": "a", "center": [0, 0], "size": [100, 100]]],
            "behaviors": [
                [
                    "id": "wind", "kind": "push", "items": ["a"], "mode": "continuous",
                    "dx": 3, "dy": 4,
                ],
                [
                    "id": "still", "kind": "item", "items": ["a"], "resistance": 0,
                    "angular_resistance": 0,
                ],
            ],
        ])
        func change(_ stage: inout WorldStage) throws -> Vector {
            let before = try #require(stage.view("a")).center
            stage.step()
            let middle = try #require(stage.view("a")).center
            stage.step()
            let after = try #require(stage.view("a")).center
            return ((after - middle) - (middle - before)) * 14_400 / 100
        }
        func expect(_ vector: Vector, _ x: Double, _ y: Double) {
            #expect((vector - Vector(x, y)).length < 1e-6, "\(vector)")
        }
        stage.step()
        expect(try change(&stage), 3, 4)
        try stage.command("set", ["behavior": "wind", "values": ["dx": 0]])
        stage.step()
        expect(try change(&stage), 0, 4)
        try stage.command("set", ["behavior": "wind", "values": ["angle": 0]])
        stage.step()
        expect(try change(&stage), 4, 0)
        try stage.command("set", ["behavior": "wind", "values": ["magnitude": 7]])
        stage.step()
        expect(try change(&stage), 7, 0)
        try stage.command("set", ["behavior": "wind", "values": ["dy": 1]])
        stage.step()
        expect(try change(&stage), 7, 1)
        #expect(
            refusal { () throws(Rejection) in
                try stage.command("set", ["behavior": "wind", "values": ["dx": 1, "angle": 1]])
            } == .badValue)
    }

    @Test func aPushFiresOnceAndAgainWhenItIsMadeActive() throws {
        var stage = try worldStage([
            "items": [["id": "a", "center": [0, 0], "size": [100, 100]]],
            "behaviors": [
                ["id": "kick", "kind": "push", "items": ["a"], "mode": "instantaneous", "dx": 1],
                ["id": "ice", "kind": "item", "items": ["a"], "resistance": 0],
            ],
        ])
        func speed() throws -> Double {
            let before = try #require(stage.view("a")).center.x
            stage.step()
            return (try #require(stage.view("a")).center.x - before) * 120
        }
        #expect(abs(try speed() - 100) < 1e-9)
        try stage.command("set", ["behavior": "kick", "values": ["magnitude": 2]])
        #expect(abs(try speed() - 100) < 1e-9, "a change fires it")
        let spent = Stage(World(stage.machine.description, viewport: .phone, tracker: .uikit))
        #expect(spent.phase == "resting" || spent.view("a") == stage.view("a"))
        try stage.command("set", ["behavior": "kick", "values": ["active": true]])
        #expect(abs(try speed() - 300) < 1e-9)
        var again = spent
        again.step(3)
        #expect(again.view("a") == spent.view("a"), "what is made again fires again")
    }

    /// A length computed when an attachment is added stays, unless it is set.
    @Test func anAttachmentsLengthStaysWhileItIsChanged() throws {
        var stage = try worldStage([
            "items": [["id": "a", "center": [100, 200], "size": [20, 20]]],
            "behaviors": [
                ["id": "rod", "kind": "attachment", "item": "a", "anchor": [100, 100]]
            ],
        ])
        try stage.command("set", ["behavior": "rod", "values": ["anchor": [100, 140]]])
        stage.step(240)
        #expect(abs(try #require(stage.view("a")).center.y - 240) < 1)
        try stage.command("set", ["behavior": "rod", "values": ["length": 30]])
        stage.step(240)
        #expect(abs(try #require(stage.view("a")).center.y - 170) < 1)
        try stage.command(
            "add-item", ["item": ["id": "b", "center": [100, 100], "size": [9, 9]]])
        try stage.command("set", ["behavior": "rod", "values": ["to": "b", "length": 60]])
        stage.step(600)
        let (a, b) = (try #require(stage.view("a")), try #require(stage.view("b")))
        #expect(abs((a.center - b.center).length - 60) < 1)
    }

    @Test func itemsAreSetInPlaceAndSize() throws {
        var stage = try worldStage(Self.three)
        try stage.command(
            "set",
            [
                "item": "c",
                "values": ["center": [7, 8], "rotation": 2, "size": [5, 6], "scale": 3],
            ])
        #expect(
            stage.view("c")
                == ViewState(
                    center: Vector(7, 8), size: Size(5, 6), rotation: 2, scale: 3, z: 2, cut: 1))
        for (key, value) in [("shape", Sheet("box")), ("id", "d"), ("weight", 1)] {
            var values: Sheet = ["center": [1, 1]]
            values[key] = value
            let before = stage.machine
            #expect(
                refusal { () throws(Rejection) in
                    try stage.command("set", ["item": "c", "values": values])
                } == .badValue)
            #expect(stage.machine == before, "\(key)")
        }
    }

    // MARK: Groups

    @Test func aGroupMovesAsOneAndItsMembersAreNotNamed() throws {
        var table = Self.three
        table["behaviors"] = [
            ["id": "pull", "kind": "snap", "item": "pair", "point": [200, 300], "damping": 1],
            ["id": "pair", "kind": "group", "items": ["a", "b"]],
        ]
        var stage = try worldStage(table)
        let before = try #require(stage.view("b")).center - #require(stage.view("a")).center
        #expect(stage.settle() != nil)
        let (a, b) = (try #require(stage.view("a")), try #require(stage.view("b")))
        #expect((b.center - a.center - before).length < 0.5)
        // The middle of both, from 80 to 175 and from 85 to 125, is where the snap draws it.
        #expect((a.center - Vector(172.5, 295)).length < 1, "\(a.center)")
        for (command, body) in [
            ("remove-item", ["item": "a"]), ("remove-behavior", ["behavior": "pair"]),
            ("set", ["item": "a", "values": ["center": [0, 0]]]),
            ("add-velocity", ["item": "a", "dx": 1, "dy": 1]),
            ("set", ["behavior": "pair", "values": ["items": ["a"]]]),
            (
                "add-behavior",
                ["behavior": ["id": "s", "kind": "snap", "item": "a", "point": [0, 0]]]
            ),
            ("add-behavior", ["behavior": ["id": "g", "kind": "group", "items": ["b", "c"]]]),
            ("add-item", ["item": ["id": "pair", "center": [0, 0], "size": [1, 1]]]),
        ] as [(String, Sheet)] {
            let before = stage.machine
            #expect(
                refusal { () throws(Rejection) in try stage.command(command, body) } == .badValue,
                "\(command)")
            #expect(stage.machine == before)
        }
        try stage.command("remove-behavior", ["behavior": "pull"])
        try stage.command("add-velocity", ["item": "pair", "dx": 60, "dy": 0])
        try stage.command("remove-behavior", ["behavior": "pair"])
        stage.step()
        let moved = try #require(stage.view("a")).center - a.center
        #expect(abs(moved.x - 0.5) < 0.01, "its members go on as it did: \(moved)")
    }

    /// Members of unequal masses, held beside the center of mass.
    @Test func aGroupHangsOnTheFingerByTheTouchedPoint() throws {
        var stage = try worldStage([
            "items": [
                ["id": "a", "center": [100, 100], "size": [60, 60]],
                ["id": "b", "center": [170, 120], "size": [20, 20], "shape": "circle"],
            ],
            "behaviors": [["id": "pair", "kind": "group", "items": ["a", "b"]]],
        ])
        try stage.pan(.began, 172, 116)
        for step in 1...60 {
            let finger = Vector(172 + Double(step), 116 - 2 * Double(step))
            try stage.pan(.changed, finger.x, finger.y)
            stage.step()
            let b = try #require(stage.view("b"))
            #expect((b.place(of: Vector(2, -4)) - finger).length < 1.5, "step \(step)")
        }
    }

    @Test func aFingerLosesWhatBecomesAnotherBody() throws {
        var stage = try worldStage(Self.three)
        try stage.pan(.began, 100, 100)
        try stage.command(
            "add-behavior", ["behavior": ["id": "pair", "kind": "group", "items": ["a", "b"]]])
        #expect(stage.phase != "dragging")
        try stage.pan(.began, 100, 100)
        #expect(stage.field("dragged") == .text("a"))
        try stage.pan(.changed, 130, 120)
        stage.step(10)
        #expect(try #require(stage.view("b")).center.x > 170)
        try stage.command("remove-behavior", ["behavior": "pair"])
        #expect(
            refusal { () throws(Rejection) in try stage.pan(.changed, 1, 1) } == .outOfOrder)
    }
}
