import GesturedCore
import Testing

private let card: Value = [
    "viewport": [320, 568], "components": [["id": "card", "kind": "toss"]],
]

/// A hand that throws the card to the right.
private func flick(_ session: inout LocalSession) throws {
    try session.send(.pointer(.began, number: 1, at: Point(160, 284)), at: 10)
    for step in 1...6 {
        let point = Point(160 + 20 * Double(step), 284)
        try session.send(
            .pointer(.changed, number: 1, at: point), at: 10 + 16 * Double(step))
    }
    try session.send(.pointer(.ended, number: 1, at: Point(300, 284)), at: 122)
}

@Suite struct LocalSessionTests {
    @Test func aThrownViewFliesOffAndComesBack() throws {
        var session = try LocalSession(scene: card)
        try flick(&session)
        let frames = try session.frames(to: 20_000)
        var phases: [String] = []
        for state in frames.flatMap(\.states) where state.phase != phases.last {
            phases.append(state.phase)
        }
        #expect(phases == ["resting", "dragging", "thrown", "returning", "resting"])
        #expect(frames.flatMap(\.transitions).contains { $0.name == "toss" && $0.event == .began })
        #expect(!session.isMoving && session.time <= 20_000)
        #expect(session.states.map(\.views.first?.center) == [Point(160, 223)])
    }

    @Test func theSameEventsGiveTheSameFrames() throws {
        var (one, other) = (try LocalSession(scene: card), try LocalSession(scene: card))
        try flick(&one)
        let copy = one
        try flick(&other)
        let frames = try one.frames(to: 5_000)
        #expect(try other.frames(to: 5_000) == frames && frames.count > 20)
        // Looked at often or once, it moves alike.
        var often = copy
        var parts: [Frame] = []
        for time in stride(from: 200.0, through: 5_000, by: 37) {
            parts += try often.frames(to: time)
        }
        parts += try often.frames(to: 5_000)
        #expect(parts.last == frames.last)
    }

    @Test func rowsAreToldWithWhatTheySay() throws {
        var session = try LocalSession(scene: [
            "viewport": [320, 100], "variables": ["price": 3.5],
            "components": [
                [
                    "id": "dishes", "kind": "list", "row_height": 50,
                    "rows": [
                        ["id": "soup", "content": ["text": "Soup {price:.2f}"]],
                        ["id": "salad", "menu": [["id": "order"]]],
                    ],
                ]
            ],
        ])
        let first = try #require(session.frames(to: 100).first?.rows.first)
        #expect(first.component == "dishes" && first.count == 2 && first.from == 0)
        #expect(first.rows.map(\.id) == ["soup", "salad"])
        #expect(first.rows[0].content == ["text": "Soup 3.50"])
        #expect(first.rows[1].content == [:] && first.rows[1].menu?.count == 1)
        try session.assign(["price": 4], at: 200)
        let told = try session.frames(to: 1_000).flatMap(\.rows)
        #expect(told.map { $0.rows[0].content } == [["text": "Soup 4.00"]])
    }

    @Test func aReactionLeadsToAnotherScene() throws {
        let scene: Value = [
            "viewport": [320, 100], "components": [["id": "go", "kind": "button"]],
            "reactions": [
                [
                    "when": ["component": "go", "transition": "tap"],
                    "do": ["session": "update", "scene": "end"],
                ]
            ],
        ]
        let end: Value = [
            "viewport": [320, 100],
            "components": [["id": "thanks", "kind": "label", "text": "Thanks"]],
        ]
        var session = try LocalSession(scene: scene, scenes: ["end": end])
        try session.command("tap", to: "go", at: 10)
        #expect(session.states.map(\.component) == ["thanks"])
        #expect(throws: Refusal.self) { try LocalSession(scene: scene, scenes: ["end": [:]]) }
    }

    @Test func aMistakeIsNamedAndChangesNothing() throws {
        #expect(throws: Refusal.self) { try LocalSession(scene: [:]) }
        #expect(throws: Refusal.self) { try LocalSession(scene: card, frameRate: 7) }
        #expect(throws: Refusal.self) { try LocalSession(scene: card, at: .infinity) }
        var deep: Value = 1
        for _ in 0..<200 { deep = [deep] }
        #expect(throws: Refusal.self) { try LocalSession(scene: ["content": deep]) }
        var session = try LocalSession(scene: card)
        let states = session.states
        for (code, gesture, component) in [
            ("unknown-component", Gesture.tap(at: Point(1, 1)), "nobody"),
            ("unknown-gesture", .swipe(.left, at: Point(1, 1)), "card"),
            ("bad-value", .pan(.began, at: Point(.nan, 1)), "card"),
            ("bad-value", .pan(.began, at: Point(1e300, 1)), "card"),
            ("bad-value", .pinch(.began, scale: 0), "card"),
            ("out-of-order", .pan(.changed, at: Point(1, 1)), "card"),
        ] {
            let refusal = #expect(throws: Refusal.self) {
                try session.send(gesture, to: component, at: 5)
            }
            #expect(refusal?.code == code)
        }
        #expect(throws: Refusal.self) { try session.frames(to: 1e300) }
        #expect(session.states == states)
    }

    @Test func framesThatNobodyTakesAreBounded() throws {
        var session = try LocalSession(
            scene: [
                "viewport": [320, 568], "frame_rate": 120,
                "components": [
                    [
                        "id": "world", "kind": "dynamics",
                        "items": [["id": "a", "center": [50, 50], "size": [10, 10]]],
                        "behaviors": [
                            [
                                "id": "p", "kind": "push", "items": ["a"], "mode": "continuous",
                                "dx": 1, "dy": 0,
                            ]
                        ],
                    ]
                ],
            ])
        let frames = try session.frames(to: 60_000)
        #expect(frames.count == LocalSession.framesMax && session.framesDropped > 0)
        #expect(session.time >= 59_990)
    }

    @Test func countsAndCommandsAndChangesOfTheScene() throws {
        var session = try LocalSession(
            scene: [
                "viewport": [320, 568],
                "components": [
                    [
                        "id": "tabs", "kind": "tabs",
                        "items": [["id": "a"], ["id": "b", "bubble": ["likes"]]],
                    ]
                ],
            ])
        try session.notify("likes", add: 3, at: 0)
        #expect(session.counts == ["likes": 3])
        #expect(throws: Refusal.self) { try session.notify("a b", at: 0) }
        try session.command("select", ["index": 1], to: "tabs", at: 100)
        #expect(session.states[0].model["selected"] == 1)
        #expect(session.counts == ["likes": 0])
        #expect(session.hit(x: 10, y: 560)?.view == "item-a" && session.hit(x: 10, y: 10) == nil)
        try session.resize(width: 400, height: 800, at: 200)
        let bar = session.states[0].views.first { $0.name == "bar" }
        #expect(bar?.width == 400)
        try session.update(to: card, at: 300)
        #expect(session.states.map(\.component) == ["card"])
    }

    @Test func reactionsSetKeysOfAComponent() throws {
        var session = try LocalSession(
            scene: [
                "viewport": [320, 568],
                "components": [["id": "list", "kind": "list", "rows": 3]],
                "reactions": [
                    [
                        "when": ["notification": "more"],
                        "do": ["component": "list", "command": "set", "values": ["rows": 1]],
                    ]
                ],
            ])
        #expect(session.states[0].views.count == 3)
        try session.notify("more", at: 10)
        #expect(session.states[0].views.count == 1)
    }
}
