import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// When a world rests, what it tells of it, and that nothing moves for ever or beyond all bounds.
@Suite struct WorldRestTests {
    private static let slick: Sheet = [
        "id": "slick", "kind": "item", "items": ["a"], "resistance": 0, "angular_resistance": 0,
    ]

    /// An item that nothing slows down, on its way.
    private func drifting(_ behaviors: [Sheet] = []) throws -> WorldStage {
        var stage = try worldStage([
            "items": [["id": "a", "center": [100, 200], "size": [20, 20]]],
            "behaviors": Sheet([Self.slick] + behaviors),
        ])
        try stage.command("add-velocity", ["item": "a", "dx": 5, "dy": 0, "angular": 1])
        return stage
    }

    @Test func wakeAndRestAreReportedOnce() throws {
        var stage = try worldStage(cardAtHome)
        #expect(stage.settle() != nil)
        let mark = stage.told.count
        try stage.command("add-velocity", ["item": "card", "dx": 100, "dy": 0])
        try stage.command("add-velocity", ["item": "card", "dx": 100, "dy": 0])
        stage.step(3)
        try stage.pan(.began, 160, 284)
        try stage.pan(.ended, 160, 284, velocity: .zero)
        #expect(stage.settle() != nil)
        #expect(
            stage.lines(since: mark) == ["wake began", "wake ended", "rest began", "rest ended"])
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
    }

    @Test func aWorldThatNothingDrivesIsPutToRest() throws {
        var stage = try drifting()
        #expect(stage.steps(until: { $0.phase == "resting" }, limit: 8_000) == 7_200)
        #expect(stage.restsForced == 1)
        #expect(stage.lines(since: stage.told.count - 2) == ["rest began", "rest ended"])
        let still = stage.picture
        stage.step(100)
        #expect(stage.picture == still)
        // A disturbance gives it another minute.
        try stage.command("add-velocity", ["item": "a", "dx": 0, "dy": 5])
        stage.step(100)
        #expect(stage.phase == "moving" && stage.picture != still)
    }

    /// A lasting force may keep a world awake for longer.
    @Test(
        arguments: [
            ["id": "x", "kind": "gravity", "items": ["a"]],
            ["id": "x", "kind": "push", "items": ["a"], "mode": "continuous", "dx": 1],
            ["id": "x", "kind": "field", "items": ["a"], "type": "vortex"],
        ] as [Sheet])
    func aWorldThatAForceDrivesIsNotPutToRest(behavior: Sheet) throws {
        var stage = try drifting([behavior])
        stage.step(7_300)
        #expect(stage.phase == "moving" && stage.restsForced == 0)
        try stage.command("remove-behavior", ["behavior": "x"])
        try stage.command("add-velocity", ["item": "a", "dx": 5, "dy": 0])
        #expect(stage.steps(until: { $0.phase == "resting" }, limit: 8_000) == 7_200)
    }

    /// Forces that could drive something, and drive nothing.
    @Test(
        arguments: [
            [["id": "x", "kind": "field", "items": ["a"], "type": "drag", "strength": 0]],
            [
                ["id": "x", "kind": "gravity", "items": ["b"]],
                ["id": "still", "kind": "item", "items": ["b"], "anchored": true],
            ],
        ] as [Sheet])
    func forcesThatDriveNothingKeepNoWorldAwake(behaviors: Sheet) throws {
        var stage = try drifting()
        try stage.command("add-item", ["item": ["id": "b", "center": [9, 9], "size": [9, 9]]])
        for behavior in behaviors.node.array ?? [] {
            try stage.command("add-behavior", ["behavior": Sheet(behavior)])
        }
        stage.step(7_300)
        #expect(stage.phase == "resting" && stage.restsForced == 1)
    }

    @Test func aHeldWorldIsNotPutToRest() throws {
        var stage = try drifting()
        try stage.pan(.began, 100, 200)
        for _ in 0..<40 {
            stage.step(240)
            try stage.pan(.changed, 100, 200)
        }
        #expect(stage.phase == "dragging" && stage.restsForced == 0)
    }

    @Test func aStillFingerShowsNothingNew() throws {
        var stage = try worldStage([
            "items": [["id": "a", "center": [100, 200], "size": [20, 20]]]
        ])
        try stage.pan(.began, 100, 200)
        var machine = stage.machine
        var effects = Effects(random: SplitMix64(seed: 1))
        for step in 1...50 {
            #expect(!machine.advance(to: stage.now + step, into: &effects))
        }
    }

    @Test func contactsNameWhoMeets() throws {
        var stage = try worldStage([
            "items": [
                ["id": "ball", "center": [100, 100], "size": [20, 20], "shape": "circle"],
                ["id": "wall", "center": [200, 100], "size": [20, 80]],
            ],
            "behaviors": [
                ["id": "fast", "kind": "item", "items": ["wall"], "anchored": true],
                ["id": "hard", "kind": "item", "items": ["ball", "wall"], "elasticity": 1],
                [
                    "id": "meet", "kind": "collision", "items": ["ball", "wall"],
                    "boundaries": [["id": "left", "from": [40, 0], "to": [40, 200]]],
                ],
            ],
        ])
        try stage.command("add-velocity", ["item": "ball", "dx": 600, "dy": 0])
        stage.step(60)
        let told = stage.lines(since: 0).filter { $0.hasPrefix("contact") }
        #expect(
            told == [
                "contact began ball+wall", "contact ended ball+wall", "contact began ball+left",
                "contact ended ball+left",
            ])
    }

    // MARK: Out of hand

    /// Random worlds of all that there is, at enormous speeds, with random commands.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func nothingLeavesTheNumbers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[random.whole(in: 0...elements.count - 1)]
        }
        let names = (0..<8).map { "i\($0)" }
        let reaches = [0.01, 1, 100, 1_000_000.0]
        func number() -> Sheet { Sheet((random.unit() * 2 - 1) * pick(reaches)) }
        func size() -> Sheet { Sheet(pick([0.001, 0.5, 20, 300, 1_000_000.0])) }
        var stage = try worldStage([
            "items": Sheet(
                names.map { name in
                    [
                        "id": Sheet(name), "center": [number(), number()],
                        "size": [size(), size()], "rotation": number(),
                        "shape": pick(["box", "circle"]),
                    ]
                })
        ])
        for round in 0..<40 {
            let behavior = Self.behavior("b\(round)", names, &random)
            _ = refusal { () throws(Rejection) in
                try stage.command("add-behavior", ["behavior": behavior])
            }
            _ = refusal { () throws(Rejection) in
                try stage.command(
                    "add-velocity",
                    [
                        "item": Sheet(pick(names)), "dx": number(), "dy": number(),
                        "angular": number(),
                    ])
            }
            if round % 5 == 4 {
                let name = Sheet("b\(random.whole(in: 0...round))")
                _ = refusal { () throws(Rejection) in
                    try stage.command("remove-behavior", ["behavior": name])
                }
            }
            stage.step(6)
            #expect(stage.picture.isFinite, "seed \(seed), round \(round)")
        }
    }

    private static func behavior(
        _ id: String, _ names: [String], _ random: inout SplitMix64
    ) -> Sheet {
        func pick(_ elements: [Sheet]) -> Sheet {
            elements[random.whole(in: 0...elements.count - 1)]
        }
        let (a, b) = (pick(names.map { Sheet($0) }), pick(names.map { Sheet($0) }))
        let all = Sheet(names.map { Sheet($0) })
        let strength = pick([0.1, 1, 1_000_000, -1_000_000])
        return pick([
            ["id": Sheet(id), "kind": "attachment", "item": a, "to": b],
            ["id": Sheet(id), "kind": "attachment", "item": a, "anchor": [0, 0], "length": 0],
            [
                "id": Sheet(id), "kind": "attachment", "item": a, "to": b, "frequency": 1_000_000,
                "damping": strength,
            ],
            [
                "id": Sheet(id), "kind": "attachment", "item": a, "to": b, "type": "pin",
                "friction_torque": 1_000_000, "range": [0, 0],
            ],
            ["id": Sheet(id), "kind": "attachment", "item": a, "to": b, "type": "fixed"],
            [
                "id": Sheet(id), "kind": "attachment", "item": a, "to": b, "type": "sliding",
                "axis": [1, 0.001], "range": [0, 0],
            ],
            ["id": Sheet(id), "kind": "snap", "item": a, "point": [1_000_000, strength]],
            [
                "id": Sheet(id), "kind": "push", "items": all, "mode": "continuous",
                "dx": strength, "offset": [1_000_000, 3],
            ],
            [
                "id": Sheet(id), "kind": "item", "items": [a], "density": 0.000_001,
                "resistance": 1_000_000, "elasticity": 1,
            ],
            ["id": Sheet(id), "kind": "collision", "items": all, "bounds": true],
            [
                "id": Sheet(id), "kind": "field", "items": all, "type": "vortex",
                "strength": strength,
            ],
            [
                "id": Sheet(id), "kind": "field", "items": all, "type": "radial-gravity",
                "falloff": 16, "strength": strength,
            ],
            [
                "id": Sheet(id), "kind": "field", "items": all, "type": "turbulence",
                "strength": strength,
            ],
            ["id": Sheet(id), "kind": "gravity", "items": all, "magnitude": strength],
            ["id": Sheet(id), "kind": "group", "items": [a, b]],
        ])
    }
}
