import Gestures
import Interactions
import Notation
import Sessions

/// The bodies of events: `event-gesture.json` and `event-notification.json`.
enum EventSchemas {
    /// The members that every body may have.
    private static let time = Field.may(
        "t", .common("time"),
        "When it happened at its source; only velocities use it. Absent: when it is received.")
    static let envelope = [time, Field.may("id", .common("id"))]

    // MARK: Gestures

    static var gesture: Schema {
        let names = GestureKind.allCases.map(\.rawValue)
        return Schema.record(
            "A sample of a gesture: topic gesture/<session> or gesture/<session>/<component>.",
            [
                .must("gesture", .choice(names), "Which gesture; the other fields depend on it."),
                time,
            ]
        ).with([
            "allOf": .list(names.map { .when("gesture", is: $0, then: .ref("#/$defs/\($0)")) }),
            "$defs": .table(GestureKind.allCases.map { ($0.rawValue, schema(of: $0)) }),
        ])
    }

    private static let phase = Field.must("phase", .common("phase"))
    private static func place(isRequired: Bool) -> [Field] {
        ["x", "y"].map {
            Field(
                name: $0, schema: Schema.common("coordinate").about(Words.events[$0] ?? ""),
                isRequired: isRequired)
        }
    }

    private static let bothOrNone: Schema = ["x": ["y"], "y": ["x"]]

    private static func schema(of kind: GestureKind) -> Schema {
        switch kind {
        case .pan: pan
        case .swipe: swipe
        case .tap: tap
        case .scroll:
            .record(
                Words.gestures[kind],
                [phase, .must("offset", .common("coordinate"), Words.events["offset"])])
        case .wheel: wheel
        case .pointer:
            .record(
                Words.gestures[kind],
                [phase, .must("pointer", .common("whole"), Words.events["pointer"])]
                    + place(isRequired: true) + [
                        .may("kind", .choice(PointerKind.self), Words.events["kind"]),
                        .may(
                            "pressure", ["type": "number", "minimum": 0, "maximum": 1],
                            Words.events["pressure"]),
                        .may("user", .common("name"), Words.events["user"]),
                    ])
        case .longpress:
            Schema.record(Words.gestures[kind], [phase] + place(isRequired: false))
                .with(["dependentRequired": bothOrNone])
        case .pinch:
            twoFingers(
                kind,
                .must(
                    "scale",
                    ["$ref": "common.json#/$defs/coordinate", "exclusiveMinimum": 0],
                    Words.events["scale"]))
        case .rotation:
            twoFingers(kind, .must("angle", .common("coordinate"), Words.events["angle"]))
        case .token:
            .record(
                Words.gestures[kind],
                [phase, .must("symbol", .symbol, Words.events["symbol"])]
                    + place(isRequired: true) + [
                        .must("angle", .common("coordinate"), Words.events["token-angle"]),
                        .may("user", .common("name"), Words.events["user"]),
                    ])
        }
    }

    private static var pan: Schema {
        let velocity = ["vx", "vy"].map {
            Field.may($0, .common("coordinate"), Words.events[$0])
        }
        return Schema.record(Words.gestures[.pan], [phase] + place(isRequired: true) + velocity)
            .with(["dependentRequired": ["vx": ["vy"], "vy": ["vx"]]])
    }

    private static var wheel: Schema {
        let turns = ["dx", "dy"].map { Field.may($0, .common("coordinate"), Words.events[$0]) }
        return Schema.record(
            Words.gestures[.wheel],
            turns + place(isRequired: false) + [
                .may("phase", .common("phase")),
                .may("momentum", .bool, Words.events["momentum"]),
            ]
        ).with([
            "dependentRequired": bothOrNone,
            "anyOf": [["required": ["dx"]], ["required": ["dy"]]],
        ])
    }

    /// A number wins over a point, and an index over a row: what loses is not read.
    private static func aim(_ numbers: [String]) -> Schema {
        numbers.reversed().reduce(Schema.record(nil, place(isRequired: true))) { rest, number in
            [
                "if": ["required": .texts([number])],
                "then": .record(
                    nil,
                    [.must(number, .whole(from: 0, to: Int.max), Words.events[number])]),
                "else": rest,
            ]
        }
    }

    private static var tap: Schema { aim(["index", "row"]).about(Words.gestures[.tap] ?? "") }

    private static var swipe: Schema {
        Schema.record(
            Words.gestures[.swipe],
            [.must("direction", .choice(Direction.self), Words.events["direction"])]
        ).with(["allOf": [aim(["row"])]])
    }

    private static func twoFingers(_ kind: GestureKind, _ measure: Field) -> Schema {
        Schema.record(
            Words.gestures[kind],
            [phase, measure] + place(isRequired: false)
                + [.may("velocity", .common("rate"))]
        ).with([
            "dependentRequired": bothOrNone,
            "allOf": [.when("phase", is: "began", then: ["required": ["x", "y"]])],
        ])
    }

    // MARK: Notifications

    static var notification: Schema {
        Schema.record(
            "Something happened that the user should know: topic notification/<session>.",
            [
                .must("kind", .common("name"), "The kind that is counted."),
                .may("add", .whole(from: 0), "How many more there are; 1 without add and set."),
                .may(
                    "set", .whole(from: 0, to: BadgeCounts.countMax), "How many there are now."),
                .may(
                    "data", .object,
                    "What reactions of the scene may use, at most "
                        + "\(Limits.notificationDataBytesMax) bytes as JSON; it is not kept."),
            ] + envelope
        ).with(["not": ["required": ["add", "set"]]])
    }
}
