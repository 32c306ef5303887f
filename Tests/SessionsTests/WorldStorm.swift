import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport

/// Random events for a world of cards that fall, collide and hang on each other.
struct WorldStorm {
    var random: SplitMix64

    mutating func number(_ low: Double, _ high: Double) -> Double {
        low + random.unit() * (high - low)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    static let scene: Sheet = [
        "items": [
            ["id": "a", "center": [60, 100], "size": [60, 40]],
            ["id": "b", "center": [160, 100], "size": [50, 50], "shape": "circle"],
            ["id": "c", "center": [240, 120], "size": [40, 80], "rotation": 0.4],
            ["id": "d", "center": [160, 300], "size": [80, 30]],
            ["id": "e", "center": [120, 200], "size": [30, 30]],
            ["id": "f", "center": [200, 210], "size": [30, 30], "scale": 1.5],
        ],
        "behaviors": [
            ["id": "pair", "kind": "group", "items": ["e", "f"]],
            ["id": "fall", "kind": "gravity", "items": ["a", "b", "c"], "dx": 0.1, "dy": 1],
            [
                "id": "walls", "kind": "collision", "items": ["a", "b", "c", "d", "pair"],
                "bounds": true,
            ],
            [
                "id": "bounce", "kind": "item", "items": ["b", "c"], "elasticity": 0.6,
                "density": 2,
            ],
            [
                "id": "chain", "kind": "attachment", "item": "a", "to": "d", "type": "limit",
                "length": 160,
            ],
            [
                "id": "hinge", "kind": "attachment", "item": "c", "anchor": [240, 120],
                "type": "pin", "friction_torque": 0.1, "range": [-2, 2],
            ],
            ["id": "home", "kind": "snap", "item": "d", "point": [160, 300]],
            [
                "id": "wind", "kind": "field", "items": ["b", "pair"], "type": "noise",
                "strength": 0.5, "animation_speed": 2,
                "region": ["shape": "circle", "radius": 200],
            ],
            [
                "id": "kick", "kind": "push", "items": ["pair"], "mode": "instantaneous",
                "dx": 2, "dy": -3, "offset": [3, 4],
            ],
        ],
    ]

    private static let fields: [Sheet] = [
        ["type": "linear-gravity", "direction": [0.1, -0.2]],
        ["type": "radial-gravity", "position": [160, 250], "falloff": 1, "minimum_radius": 30],
        ["type": "spring", "position": [100, 300], "strength": 0.5],
        ["type": "electric", "position": [200, 100], "strength": 2, "falloff": 2],
        ["type": "magnetic", "position": [60, 60], "strength": 0.3],
        [
            "type": "vortex", "position": [160, 300], "strength": 0.5,
            "region": ["shape": "circle", "center": [0, 0], "radius": 300],
        ],
        ["type": "drag", "strength": 0.2],
        [
            "type": "velocity", "direction": [0.02, 0.03],
            "region": ["shape": "rectangle", "center": [0, 0], "size": [50, 50]],
        ],
        ["type": "noise", "strength": 0.2, "smoothness": 0.5, "animation_speed": 1],
        ["type": "turbulence", "strength": 0.1, "smoothness": 0.2, "animation_speed": 3],
    ]

    /// A world of whatever ties, pushes and draws items, in all their kinds.
    static let ties: Sheet = {
        var sheet: Sheet = [
            "items": [
                ["id": "a", "center": [60, 100], "size": [90, 90]],
                ["id": "b", "center": [160, 100], "size": [50, 50], "shape": "circle"],
                ["id": "c", "center": [240, 120], "size": [40, 80], "rotation": 0.4],
                ["id": "d", "center": [160, 300], "size": [80, 30]],
                ["id": "e", "center": [120, 200], "size": [30, 30]],
                ["id": "f", "center": [200, 210], "size": [30, 30], "scale": 1.5],
                ["id": "h", "center": [60, 420], "size": [40, 40]],
                ["id": "i", "center": [140, 430], "size": [40, 40]],
            ],
            "behaviors": [],
        ]
        let names: Sheet = ["a", "b", "d", "e", "h"]
        var behaviors: [Sheet] = fields.enumerated().map { number, field in
            var field = field
            (field["id"], field["kind"], field["items"]) = (Sheet("f\(number)"), "field", names)
            return field
        }
        behaviors += [
            ["id": "plus", "kind": "item", "items": ["a", "b"], "charge": 0.5],
            ["id": "minus", "kind": "item", "items": ["b", "d"], "charge": -1, "resistance": 2],
            tie("e", "f", ["type": "fixed"]),
            tie("h", "i", ["type": "fixed", "frequency": 3, "damping": 0.2]),
            tie("c", "f", ["type": "sliding", "axis": [1, 0.2], "range": [-30, 30]]),
            tie("b", "d", ["frequency": 2, "damping": 0.3]),
            tie("b", "c", ["offset": [5, 0], "to_offset": [0, 8]]),
            ["id": "home", "kind": "attachment", "item": "a", "anchor": [60, 100]],
            [
                "id": "rail", "kind": "attachment", "item": "i", "anchor": [140, 400],
                "type": "sliding", "axis": [0, 1], "range": [-50, 50],
            ],
            [
                "id": "wind", "kind": "push", "items": ["d", "h"], "mode": "continuous",
                "dx": 1, "dy": 0.1, "offset": [3, 1],
            ],
            [
                "id": "kick", "kind": "push", "items": ["e"], "mode": "instantaneous",
                "dx": 2, "dy": -3, "offset": [3, 4],
            ],
            [
                "id": "walls", "kind": "collision", "items": ["b", "d", "h"], "bounds": true,
                "boundaries": [
                    ["id": "slope", "from": [0, 350], "to": [120, 380]],
                    ["id": "roof", "path": [[200, 300], [240, 320], [280, 300]]],
                ],
            ],
        ]
        sheet["behaviors"] = Sheet(behaviors)
        return sheet
    }()

    /// An attachment of the one item to the other.
    private static func tie(_ item: String, _ other: String, _ attachment: Sheet) -> Sheet {
        var tie = attachment
        tie["id"] = Sheet("\(item)-\(other)")
        (tie["kind"], tie["item"], tie["to"]) = ("attachment", Sheet(item), Sheet(other))
        return tie
    }

    mutating func payload() -> Event.Payload {
        let names = ["a", "b", "c", "d", "e", "f", "g"]
        func command(_ name: String, _ body: Sheet) -> Event.Payload {
            .command(component: "world", ComponentCommand(name, body.members))
        }
        let phase = pick([Phase.began, .changed, .changed, .changed, .ended, .cancelled])
        let place = Vector(number(20, 300), number(60, 500))
        switch random.whole(in: 0...11) {
        case 0...4:
            return .gesture(component: "world", .pan(Pan(phase: phase, location: place)))
        case 5:
            let pinch = Pinch(phase: phase, location: place, scale: number(0.5, 2))
            return .gesture(component: "world", .pinch(pinch))
        case 6:
            let turn = Rotation(phase: phase, location: place, angle: number(-2, 2))
            return .gesture(component: "world", .rotation(turn))
        case 7:
            return command(
                "add-velocity",
                ["item": Sheet(pick(names)), "dx": Sheet(number(-500, 500)), "dy": 40])
        case 8:
            let center: Sheet = [Sheet(place.x), Sheet(place.y)]
            return command(
                "add-item", ["item": ["id": "g", "center": center, "size": [20, 20]]])
        case 9: return command("remove-item", ["item": Sheet(pick(names))])
        case 10:
            let id = pick(["fall", "walls", "bounce", "chain", "hinge", "home", "wind", "pair"])
            return command("remove-behavior", ["behavior": Sheet(id)])
        default: return command("set", ["behavior": "kick", "values": ["active": true]])
        }
    }
}
