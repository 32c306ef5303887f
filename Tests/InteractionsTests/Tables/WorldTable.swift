import Geometry
import Gestures
import Interactions
import TestSupport

extension Tables {
    /// A card that a snap draws home and that follows a token, a wall, and a behavior that can go.
    private static let world: Sheet = [
        "items": [
            ["id": "wall", "center": [160, 500], "size": [320, 20]],
            ["id": "card", "center": [160, 284], "size": [100, 60], "token": 5],
        ],
        "behaviors": [
            ["id": "home", "kind": "snap", "item": "card", "point": [160, 284], "damping": 1],
            ["id": "fast", "kind": "item", "items": ["wall"], "anchored": true],
            ["id": "smooth", "kind": "item", "items": ["card"], "friction": 0],
        ],
    ]

    static func dynamics() throws -> Table<World> {
        Table(
            kind: "dynamics",
            remark: """
                A card on a snap, which follows token 5, and an anchored wall. Token 6 has no \
                item. *Beside* is a place without a movable item.
                """,
            phases: ["resting", "moving", "dragging"],
            columns: [
                .init(name: "resting", stage: try stage { (_) throws(Rejection) in }),
                .init(
                    name: "resting under a token",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.token(.began, 6, nowhere)
                    }),
                .init(
                    name: "moving",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.command("add-velocity", ["item": "card", "dx": 500, "dy": 0])
                        stage.step(6)
                    }),
                .init(
                    name: "moving under a token",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.token(.began, 6, nowhere)
                        try stage.command("add-velocity", ["item": "card", "dx": 500, "dy": 0])
                        stage.step(6)
                    }),
                .init(
                    name: "dragging by a pan",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.pan(.began, 150, 280)
                        try stage.pan(.changed, 180, 290)
                        stage.step(6)
                    }),
                .init(
                    name: "dragging by a pinch",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.pinch(.began, home, 1)
                    }),
                .init(
                    name: "dragging by a turn",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.turn(.began, home, 0)
                    }),
                .init(
                    name: "dragging by a token",
                    stage: try stage { (stage) throws(Rejection) in
                        try stage.token(.began, 5, home)
                    }),
            ],
            rows: pans + pairs + tokens + taps + items + behaviors + [.init(.time)],
            jumping: { stimulus in
                switch stimulus {
                case .gesture(.pinch), .gesture(.rotation), .gesture(.token), .command: ["card"]
                default: []
                }
            })
    }

    private static var taps: [Grid.Row.Event] {
        [
            .init(.tap(.point(home)), "on the card"), .init(.tap(.point(nowhere)), "beside it"),
            .init(.tap(.row(1)), "on a row"),
        ]
    }

    private static let home = Vector(160, 284)
    private static let nowhere = Vector(20, 20)

    private static func stage(
        _ play: (inout WorldStage) throws(Rejection) -> Void
    ) throws -> WorldStage {
        var stage = try worldStage(world)
        // A snap that was added wakes what it holds.
        _ = stage.settle()
        try play(&stage)
        return stage
    }

    private static let pans: [Grid.Row.Event] = [
        .init(.pan(.began, 165, 284), "on the card"), .init(.pan(.began, 20, 20), "beside"),
        .init(.pan(.began, 160, 500), "on the wall"), .init(.pan(.changed, 190, 250)),
        .init(.pan(.ended, 190, 250, velocity: Vector(1_000, 0))),
        .init(.pan(.cancelled, 190, 250)),
    ]

    private static let pairs: [Grid.Row.Event] = [
        .init(.pinch(.began, home, 1), "on the card"), .init(.pinch(.began, nowhere, 1), "beside"),
        .init(.pinch(.began, nil, 1), "nowhere"), .init(.pinch(.changed, nil, 1.5)),
        .init(.pinch(.ended, nil, 1.5)), .init(.pinch(.cancelled, nil, 1.5)),
        .init(.rotation(.began, home, 0), "on the card"),
        .init(.rotation(.began, nowhere, 0), "beside"), .init(.rotation(.began, nil, 0), "nowhere"),
        .init(.rotation(.changed, nil, 1)), .init(.rotation(.ended, nil, 1)),
        .init(.rotation(.cancelled, nil, 1)),
    ]

    private static let tokens: [Grid.Row.Event] = [
        .init(.token(.began, 5, Vector(100, 200), 1), "of the card"),
        .init(.token(.began, 6, nowhere), "of no item"),
        .init(.token(.changed, 5, home), "at its place"),
        .init(.token(.changed, 5, Vector(100, 200), 0.1), "moved"),
        .init(.token(.changed, 5, home, 0.3), "turned by 17°"),
        .init(.token(.changed, 6, home), "of no item"),
        .init(.token(.ended, 5, Vector(100, 200)), "of the card"),
        .init(.token(.ended, 6, nowhere), "of no item"),
        .init(.token(.cancelled, 5, home), "of the card"),
        .init(.token(.cancelled, 6, nowhere), "of no item"),
    ]

    /// Added items lie where no finger of a storm comes.
    private static let items: [Grid.Row.Event] = [
        .init(
            .command(
                "add-item", ["item": ["id": "dot", "center": [900_000, 900_000], "size": [1, 1]]]),
            "new"),
        .init(
            .command("add-item", ["item": ["id": "wall", "center": [0, 0], "size": [1, 1]]]),
            "of a taken id"),
        .init(.command("add-item"), "without its field"),
        .init(.command("remove-item", ["item": "card"]), "there"),
        .init(.command("remove-item", ["item": "none"]), "not there"),
        .init(.command("remove-item"), "without its field"),
        .init(.command("add-velocity", ["item": "card", "dx": 10, "dy": 500]), "there"),
        .init(.command("add-velocity", ["item": "none", "dx": 1, "dy": 1]), "not there"),
        .init(.command("add-velocity", ["item": "card"]), "without its field"),
        .init(.command("set", ["item": "card", "values": ["center": [100, 200]]]), "an item"),
        .init(.command("set", ["item": "card", "values": ["centre": [100, 200]]]), "nonsense"),
        .init(.command("set", ["values": [:]]), "without its field"),
    ]

    private static let behaviors: [Grid.Row.Event] = [
        .init(
            .command(
                "add-behavior",
                [
                    "behavior": [
                        "id": "kick", "kind": "push", "mode": "instantaneous", "items": ["card"],
                        "dy": 3,
                    ]
                ]), "new"),
        .init(
            .command("add-behavior", ["behavior": ["id": "home", "kind": "group", "items": []]]),
            "nonsense"),
        .init(.command("add-behavior"), "without its field"),
        .init(.command("remove-behavior", ["behavior": "smooth"]), "there"),
        .init(.command("remove-behavior", ["behavior": "none"]), "not there"),
        .init(.command("remove-behavior"), "without its field"),
        .init(
            .command("set", ["behavior": "home", "values": ["point": [150, 300]]]), "a behavior"),
    ]
}
