import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Whatever comes whenever, a world's bodies are exactly those of its items, and nothing jumps.
@Suite struct WorldChangeStormTests {
    @Test(arguments: 0..<120 as Range<UInt64>)
    func whateverComesNothingJumps(seed: UInt64) throws {
        var random = SplitMix64(seed: seed ^ 77)
        let (first, viewport) = try Self.scene(&random)
        let stage = Stage(World(first, viewport: viewport, tracker: .uikit))
        var storm = ChangeStorm(stage, Self.events, seed: seed)
        // A finger may pull as far as it jumped.
        try storm.run(changes: 40, reach: 1_400, scene: Self.scene)
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
        #expect(storm.cuts > 0 && storm.kept > 0)
    }

    private static let ids = ["a", "b", "c", "d", "e"]

    private static func scene(
        _ random: inout SplitMix64
    ) throws -> (WorldParameters, Size) {
        func chance(_ of: Int) -> Bool { random.whole(in: 1...of) == 1 }
        var ids = ids.filter { _ in !chance(4) }
        if ids.isEmpty { ids = ["a"] }
        let viewport = Size(Double(random.whole(in: 2...5)) * 100, 568)
        let items: [Sheet] = ids.enumerated().map { place, id in
            var item: Sheet = ["id": Sheet(id), "size": [60, chance(4) ? 30 : 40]]
            item["center"] = [Sheet(Double(60 + 50 * place)), chance(5) ? 200 : 120]
            if chance(4) { item["shape"] = "circle" }
            if chance(5) { item["scale"] = 1.5 }
            if chance(6) { item["rotation"] = 0.5 }
            return item
        }
        let grouped =
            ids.count > 2 && chance(2) ? Array(ids.prefix(2 + random.whole(in: 0...1))) : []
        let names = ids.filter { !grouped.contains($0) } + (grouped.isEmpty ? [] : ["all"])
        var behaviors: [Sheet] = []
        if !grouped.isEmpty {
            behaviors.append(
                ["id": "all", "kind": "group", "items": Sheet(grouped.map { Sheet($0) })])
        }
        let all = Sheet(names.map { Sheet($0) })
        func add(_ id: String, _ kind: String, _ rest: Sheet, items: Bool = true) {
            guard !chance(4) else { return }
            var behavior: Sheet = rest
            (behavior["id"], behavior["kind"]) = (Sheet(id), Sheet(kind))
            if items { behavior["items"] = all }
            behaviors.append(behavior)
        }
        add("walls", "collision", ["bounds": chance(3) ? [10, 20, 30, 40] : true])
        add("down", "gravity", chance(2) ? [:] : ["dx": 0.5, "dy": 0.2])
        add("up", "gravity", ["dx": 0, "dy": -0.3])
        add("kick", "push", ["mode": "instantaneous", "dx": chance(2) ? 1 : 2])
        add("wind", "push", ["mode": "continuous", "dx": 0.1])
        add("soft", "item", ["elasticity": chance(2) ? 0.5 : 0.2, "resistance": 1])
        add("swirl", "field", ["type": "vortex", "strength": chance(2) ? 0.1 : 0.2])
        let (one, other) = (Sheet(names[0]), Sheet(names[names.count - 1]))
        add("home", "snap", ["item": one, "point": [150, 250]], items: false)
        if names.count > 1 {
            add("rope", "attachment", ["item": one, "to": other], items: false)
        }
        add("rod", "attachment", ["item": other, "anchor": [100, 20]], items: false)
        if chance(2) { behaviors.reverse() }
        let table: Sheet = [
            "items": Sheet(items), "behaviors": Sheet(behaviors),
            "drag": Sheet(booleanLiteral: !chance(8)),
        ]
        return (try WorldParameters(table.node, viewport: viewport), viewport)
    }

    private static let events: [Grid.Row.Event] =
        ids.flatMap { id -> [Grid.Row.Event] in
            let item = Sheet(id)
            return [
                .init(.command("remove-item", ["item": item])),
                .init(
                    .command(
                        "add-item", ["item": ["id": item, "center": [150, 60], "size": [50, 50]]])),
                .init(
                    .command(
                        "add-item",
                        ["item": ["id": Sheet("x\(id)"), "center": [90, 90], "size": [9, 9]]])),
                .init(.command("set", ["item": item, "values": ["center": [100, 200]]])),
                .init(.command("set", ["item": item, "values": ["scale": 2]])),
                .init(.command("add-velocity", ["item": item, "dx": 500, "dy": -300])),
                .init(.pan(.began, 100, 120)), .init(.pan(.changed, 150, 250)),
                .init(.pan(.ended, 150, 250)),
            ]
        } + more

    private static let more: [Grid.Row.Event] = [
        .init(.pinch(.began, Vector(110, 120), 1)), .init(.pinch(.changed, nil, 1.5)),
        .init(.rotation(.began, Vector(110, 120), 0)), .init(.rotation(.changed, nil, 1)),
        .init(.command("remove-behavior", ["behavior": "walls"])),
        .init(.command("remove-behavior", ["behavior": "kick"])),
        .init(.command("remove-behavior", ["behavior": "all"])),
        .init(
            .command(
                "add-behavior",
                ["behavior": ["id": "mine", "kind": "group", "items": ["d", "e"]]])),
        .init(
            .command(
                "add-behavior",
                ["behavior": ["id": "pull", "kind": "gravity", "items": ["a", "c"], "dy": 2]])),
        .init(
            .command(
                "add-behavior",
                [
                    "behavior": [
                        "id": "chain", "kind": "attachment", "item": "c", "to": "d",
                    ]
                ])),
        .init(.command("set", ["behavior": "walls", "values": ["items": ["a", "xa"]]])),
        .init(.command("set", ["behavior": "walls", "values": ["bounds": [5, 5, 5, 5]]])),
        .init(.command("set", ["behavior": "home", "values": ["item": "d"]])),
        .init(.command("set", ["behavior": "kick", "values": ["active": true]])),
    ]
}
