import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Every published contact ends, whatever removes one of its items.
@Suite struct WorldContactTests {
    /// Two boxes on each other and on the floor.
    private static let stack: Sheet = [
        "items": [
            ["id": "low", "center": [160, 537], "size": [60, 60]],
            ["id": "high", "center": [160, 476], "size": [60, 60]],
        ],
        "behaviors": [
            ["id": "gravity", "kind": "gravity", "items": ["low", "high"]],
            [
                "id": "touch", "kind": "collision", "items": ["low", "high"],
                "boundaries": [["id": "floor", "from": [0, 568], "to": [320, 568]]],
            ],
        ],
    ]

    /// Contacts that began and did not end.
    private func open(_ stage: WorldStage) -> [String] {
        var open: [String] = []
        for line in stage.lines(since: 0) {
            let words = line.split(separator: " ").map(String.init)
            guard words[0] == "contact" else { continue }
            if words[1] == "began" {
                open.append(words[2])
            } else if let place = open.firstIndex(of: words[2]) {
                open.remove(at: place)
            } else {
                Issue.record("\(line) without a beginning")
            }
        }
        return open.sorted()
    }

    @Test(
        arguments: [
            ("remove-item", ["item": "low"], []),
            ("remove-item", ["item": "high"], ["low+floor"]),
            ("remove-behavior", ["behavior": "touch"], []),
            ("set", ["behavior": "touch", "values": ["items": ["low"]]], ["low+floor"]),
            ("set", ["behavior": "touch", "values": ["mode": "items"]], ["low+high"]),
            ("set", ["behavior": "touch", "values": ["boundaries": []]], ["low+high"]),
            (
                "set",
                [
                    "behavior": "touch",
                    "values": [
                        "boundaries": [["id": "floor", "from": [0, 900], "to": [9, 900]]]
                    ],
                ], ["low+high"]
            ),
            ("set", ["behavior": "touch", "values": ["bounds": true]], ["low+floor", "low+high"]),
        ] as [(String, Sheet, [String])])
    func contactsEndWhenTheirItemsOrBoundariesAreRemoved(change: (String, Sheet, [String])) throws {
        var stage = try worldStage(Self.stack)
        #expect(stage.settle() != nil)
        #expect(open(stage) == ["low+floor", "low+high"])
        try stage.command(change.0, change.1)
        stage.step()
        #expect(open(stage).filter { !$0.hasSuffix("bounds") } == change.2)
    }

    /// Between two steps nothing parts.
    @Test func aCollisionSetBackBetweenStepsKeepsItsContacts() throws {
        var stage = try worldStage(Self.stack)
        #expect(stage.settle() != nil)
        let mark = stage.told.count
        for mode in ["items", "boundaries", "everything"] {
            try stage.command("set", ["behavior": "touch", "values": ["mode": Sheet(mode)]])
        }
        stage.step(3)
        #expect(open(stage) == ["low+floor", "low+high"])
        #expect(!stage.lines(since: mark).contains { $0.hasPrefix("contact") })
    }

    @Test func aCollisionAddedAgainReportsItsContacts() throws {
        var stage = try worldStage(Self.stack)
        #expect(stage.settle() != nil)
        let touch = try #require(Self.stack["behaviors"]?.node.array?.last)
        try stage.command("remove-behavior", ["behavior": "touch"])
        #expect(open(stage) == [])
        try stage.command("add-behavior", ["behavior": Sheet(touch)])
        stage.step(3)
        #expect(open(stage) == ["low+floor", "low+high"])
    }

    /// Whether the material or the collision was first does not matter.
    @Test(arguments: [("elasticity", 1.0), ("friction", 5)])
    func materialsMayComeAfterCollisions(key: String, value: Double) throws {
        let ball: Sheet = ["id": "ball", "center": [100, 500], "size": [40, 40]]
        let rules: [Sheet] = [
            ["id": "gravity", "kind": "gravity", "items": ["ball"], "dx": 0.3, "dy": 1],
            ["id": "touch", "kind": "collision", "items": ["ball"], "bounds": true],
        ]
        var made: Sheet = ["id": "made", "kind": "item", "items": ["ball"]]
        made[key] = Sheet(value)
        var stages: [WorldStage] = []
        for behaviors in [rules + [made], [made] + rules, rules] {
            stages.append(
                try worldStage(["items": [ball], "behaviors": Sheet(behaviors)]))
        }
        var late = try worldStage(["items": [ball], "behaviors": Sheet(rules)])
        try late.command("add-behavior", ["behavior": made])
        stages.append(late)
        for index in stages.indices { stages[index].step(60) }
        #expect(stages[0].picture.views == stages[1].picture.views)
        #expect(stages[3].picture.views == stages[1].picture.views)
        #expect(stages[2].picture.views != stages[1].picture.views)
    }
}

/// A contact's transition says how hard it is where it begins.
@Suite struct WorldImpulseTests {
    private func contacts(_ steps: Int) throws -> [Transition] {
        let table: Sheet = [
            "items": [["id": "ball", "center": [160, 400], "size": [50, 50], "shape": "circle"]],
            "behaviors": [
                ["id": "gravity", "kind": "gravity", "items": ["ball"]],
                ["id": "hard", "kind": "item", "items": ["ball"], "elasticity": 0.9],
                ["id": "walls", "kind": "collision", "items": ["ball"], "bounds": true],
            ],
        ]
        var world = World(try WorldParameters(table.node), viewport: .phone, tracker: .uikit)
        var effects = Effects(random: SplitMix64(seed: 1))
        world.opened(at: .zero, into: &effects)
        for step in 1...steps { _ = world.advance(to: Step(step), into: &effects) }
        return effects.transitions.filter { $0.name == "contact" }
    }

    @Test func eachBounceIsSofterAndEndsTellNothing() throws {
        let contacts = try contacts(360)
        let impulses = contacts.filter { $0.event == .began }.map { $0.meeting?.impulse ?? 0 }
        #expect(impulses.count > 2)
        #expect(zip(impulses, impulses.dropFirst()).allSatisfy { $0 > $1 }, "\(impulses)")
        // A circle of 50 pt has a mass of π/16; it falls 143 pt and bounces with 0.9.
        let mass = Double.pi / 16
        #expect(abs(impulses[0] - mass * (2_000.0 * 143).squareRoot() * 1.9) < 0.1 * impulses[0])
        #expect(contacts.filter { $0.event == .ended }.allSatisfy { $0.meeting?.impulse == nil })
    }
}
