import Gestures
import Interactions
import Motion
import Notation
import Protocol
import Sessions

/// `common.json`: what several messages have in common.
enum CommonSchema {
    static let nameCharacters = "[A-Za-z0-9._~-]"

    /// Some readers of patterns let `$` pass over a last line break; the end of this one does not.
    static let end = "$(?!\\n)"

    static let name: Schema = [
        "type": "string",
        "pattern": .text("^\(nameCharacters){1,\(Name.bytesMax)}\(end)"),
    ]

    /// A session's name: `-` stands for none in the topics of refusals.
    static let sessionCharacters = "(?!-(/|\(end)))\(nameCharacters){1,\(Name.bytesMax)}"

    static let session: Schema = [
        "type": "string", "pattern": .text("^\(sessionCharacters)\(end)"),
    ]

    /// The definitions that scenes have too.
    static var geometry: [(String, Schema)] {
        let (point, size) = (ValueShape.point.schema(""), ValueShape.size.schema(""))
        let frame = ValueShape.rect.schema("")
        return [
            ("name", name.about("A name of a session, component, kind of counts, screen or item.")),
            ("point", point.about("[x, y], in points.")),
            ("size", size.about("[w, h], both above 0, in points.")),
            (
                "frame",
                frame.about("[x, y, w, h], w and h above 0, in points.")
            ),
        ]
    }

    static var schema: Schema {
        [
            "description": "Definitions that several messages have in common.",
            "$defs": .table(geometry + events + updates + replies),
        ]
    }

    // MARK: Events

    private static var events: [(String, Schema)] {
        [
            ("session", session.about("A name of a session; it cannot be - alone.")),
            ("coordinate", Schema.number(in: .coordinate).about("Points, or points per second.")),
            (
                "rate",
                Schema.number(in: .coordinate).about(
                    "Multiples per second of a pinch, radians per second of a rotation.")
            ),
            ("phase", Schema.choice(Phase.self).about("Where a sample stands in its gesture.")),
            (
                "whole",
                Schema.whole(from: Int.min, to: Int.max).about("A whole number of 64 bits.")
            ),
            ("time", Schema.number.about("Milliseconds since the Unix epoch, with fractions.")),
            ("id", id),
        ]
    }

    private static let id: Schema = [
        "description": .text(
            "Names this event: where one was applied with the same id, nothing happens again. "
                + "1 to \(Limits.idBytesMax) bytes."),
        "type": "string", "minLength": 1, "maxLength": Schema(.integer(Limits.idBytesMax)),
    ]

    // MARK: Updates

    private static var updates: [(String, Schema)] {
        let curves = TimingCurve.allCases.map { Schema.text($0.rawValue) }
        return [
            (
                "epoch",
                [
                    "description": "One life: of the daemon, or of a session, `<daemon>.<n>`.",
                    "type": "string", "minLength": 1,
                ]
            ),
            (
                "session-epoch",
                [
                    "description": "One life of a session: `<daemon>.<n>`; a larger n is newer.",
                    "type": "string", "pattern": .text("^.+\\.[0-9]+\(end)"),
                ]
            ),
            (
                "seq",
                Schema.whole(from: 0).about(
                    "Counts the updates of this topic in this epoch, from 1; 0 in a snapshot "
                        + "where none was sent.")
            ),
            ("code", Schema.choice(RejectionCode.self).about("Why it was refused.")),
            (
                "curve",
                Schema.anyOf([
                    .table([("enum", .list(curves + [.null]))]),
                    .record("A spring on a mass of 1.", [.must("spring", spring)]),
                ]).about("The curve of an animation; null: none, or more than one.")
            ),
            ("badge", badge),
            (
                "variables",
                .record(
                    "The values of a scene's variables, all of them.",
                    [
                        .must("version", .whole(from: 0), "Grows with each change."),
                        .must("values", values, "The value of each variable by its name."),
                    ])
            ),
            ("values", values),
        ]
    }

    private static var values: Schema {
        [
            "type": "object", "maxProperties": Schema(.integer(Limits.variablesMax)),
            "additionalProperties": ReactionSchema.value,
        ]
    }

    private static var spring: Schema {
        let (above, any) = (Schema.number.with(["exclusiveMinimum": 0]), Schema.number)
        return Schema.row([above, above, any]).about(
            "Stiffness in 1/s², damping in 1/s, and the speed at the beginning in shares of the "
                + "way per second.")
    }

    private static var badge: Schema {
        let count = Schema.whole(from: 0, to: BadgeCounts.countMax)
        return .record(
            "The counts of a session.",
            [
                .must("version", .whole(from: 0), "Grows with each change, and never repeats."),
                .must("total", .whole(from: 0), "The sum of all counts."),
                .must(
                    "counts", ["type": "object", "additionalProperties": count],
                    "The count of each kind of notification."),
            ])
    }

    // MARK: Replies

    /// A member of a cluster.
    static var member: [Field] {
        [
            .must("name", .ref("common.json#/$defs/name"), "Its name; a restart keeps it."),
            .must("daemon", .ref("common.json#/$defs/epoch"), "The epoch of its own topics."),
        ]
            + ["events", "push", "updates", "control"].map {
                .must($0, .list(of: .string), "The endpoints of its socket.")
            }
    }

    private static var replies: [(String, Schema)] {
        [
            (
                "hit",
                .anyOf([
                    ["type": "null"],
                    .record(
                        nil,
                        [
                            .must("component", .ref("#/$defs/name"), "The component."),
                            .must(
                                "view", .orNull("string"),
                                "Null where no view lies, only the frame or a transition."),
                        ]),
                ]).about("The view at the point; null: there is none.")
            ),
            (
                "failure",
                .record(
                    "A request that was refused.",
                    [
                        .must("ok", .constant(false), "Whether it was done."),
                        .must(
                            "error",
                            .record(
                                nil,
                                [
                                    .must("code", .ref("#/$defs/code")),
                                    .must(
                                        "message", ["type": "string", "minLength": 1],
                                        "One sentence for a person."),
                                    .may("owner", .ref("#/$defs/owner"), "With moved alone."),
                                ]), "The reason."),
                    ])
            ),
            (
                "owner",
                .anyOf([["type": "null"], .record(nil, member)]).about(
                    "The member of a cluster at which a session lives; null: none at this moment.")
            ),
            (
                "exported",
                .record(
                    "A whole session, to be imported.",
                    [
                        .must("gestured-session", .constant(1), "The version of the layout."),
                        .must("scene", .ref("scene.json"), "Its scene."),
                        .must(
                            "state", .object,
                            "The daemon's own: its numbers are exact, so pass it on unchanged."),
                    ])
            ),
        ]
    }
}
