import Notation
import Protocol
import Sessions

/// The requests of the control socket, and their replies, by their operations.
enum RequestSchemas {
    /// One operation.
    struct Operation {
        var name: String
        var about: String
        var request: [Field]
        /// More keywords of the request.
        var rules: [(String, Schema)] = []
        var reply: [Field]
        var replyRules: [(String, Schema)] = []
    }

    static func request(_ operation: Operation) -> Schema {
        Schema.record(
            "The request `\(operation.name)`: \(operation.about)",
            [.must("op", .constant(.text(operation.name)), "The operation."), id]
                + operation.request
        ).with(operation.rules)
    }

    static func reply(_ operation: Operation) -> Schema {
        let success = Schema.record(nil, [done(.constant(true))] + operation.reply)
            .with(operation.replyRules)
        return Schema.record(
            "The reply to `\(operation.name)`.", [id, done(.bool)]
        ).with([
            "if": ["properties": ["ok": .constant(true)]],
            "then": success, "else": .common("failure"),
        ])
    }

    private static func done(_ schema: Schema) -> Field {
        .must("ok", schema, "Whether it was done.")
    }

    private static let id = Field.may(
        "id", [:],
        "Any value of at most \(Limits.requestIdBytesMax) bytes; the reply carries it back.")

    private static let session = Field.must("session", .common("session"))
    /// An earlier version could store one under `-`, which may be found and closed.
    private static let formerSession = Field.must(
        "session", .common("name"), "A name of a session.")
    private static let epoch = Field.must("epoch", .common("session-epoch"))
    private static let time = Field.must("t", .common("time"), "The daemon's wall clock.")

    static var all: [Operation] { [hello] + sessions + publishing + pages + watching }

    // MARK: Daemon

    private static var hello: Operation {
        let endpoints = Schema.record(
            nil,
            ["events", "updates", "control"].map {
                .must(
                    $0, Schema.list(of: .string).with(["minItems": 1]),
                    "The endpoints of its socket.")
            } + [.must("push", .list(of: .string), "Where a PUSH sends events.")])
        return Operation(
            name: "hello", about: "who the daemon is, and its bounds.", request: [],
            reply: [
                .must("name", .constant("gestured"), "The name of the program."),
                .must("version", .string, "The version of the program."),
                .must("protocol", .constant(1), "The version of this contract."),
                .must("epoch", .common("epoch")), time,
                .must("clock", .constant("unix-milliseconds"), "The unit of t and its beginning."),
                .must("endpoints", endpoints, "The places where its sockets are reached."),
                .must("limits", numbers, "Bounds by their names."),
            ])
    }

    private static let numbers: Schema = [
        "type": "object", "additionalProperties": ["type": "integer"],
        "propertyNames": ["pattern": "^[a-z][a-z0-9_]*$"],
    ]

    // MARK: Sessions

    private static var sessions: [Operation] {
        let scene = Schema.anyOf([.string, .ref("scene.json")])
        let described = Schema.ref("update-scene.json")
        return [
            Operation(
                name: "open", about: "opens a session, or finds it open.",
                request: [
                    session, .must("scene", scene, "A scene's name, or a scene."),
                    .may("describe", flag, "Whether the reply shall tell the scene."),
                    .may("replace", flag, "Whether an open session becomes the scene."),
                ],
                reply: [
                    .must("created", .bool, "Whether the session is new."), epoch,
                    .may("scene", described),
                ]),
            Operation(
                name: "close", about: "ends a session.", request: [formerSession], reply: []),
            Operation(
                name: "scene", about: "a session's scene, or one of the configuration's.",
                request: [
                    .may("session", .common("session")),
                    .may("scene", .string, "A scene's name, instead of the session."),
                ],
                rules: [
                    ("oneOf", [["required": ["session"]], ["required": ["scene"]]])
                ],
                reply: [
                    .must(
                        "scene",
                        .anyOf([described, .ref("update-scene.json#/$defs/described")]),
                        "As on its topic; of a scene by its name without epoch, seq and t.")
                ]),
            Operation(
                name: "hit", about: "what lies at a point of the viewport.",
                request: [session] + ["x", "y"].map { .must($0, .common("coordinate")) },
                reply: [.must("hit", .common("hit"))]),
            Operation(
                name: "time", about: "the daemon's wall clock, and the instant of a session.",
                request: [.may("session", .common("session"))],
                reply: [
                    time, .may("session", .common("session")),
                    .may("instant", .common("time"), "The instant that the session shows."),
                ],
                replyRules: [
                    ("dependentRequired", ["session": ["instant"], "instant": ["session"]])
                ]),
            Operation(
                name: "snapshot", about: "all current updates of a session.",
                request: [session],
                reply: [
                    session,
                    .must("scene", .orNull("string"), "Its scene's name; null: it has none."),
                    epoch, .must("updates", .list(of: update), "One for each of its topics."),
                ]),
            Operation(
                name: "export", about: "the whole session, to be imported.", request: [session],
                reply: [session, .must("document", .common("exported"))]),
            Operation(
                name: "import", about: "opens a session that goes on from a document.",
                request: [session, .must("document", .common("exported"))],
                reply: [.must("created", .constant(true), "The session is new."), epoch]),
        ]
    }

    private static let flag = Schema.bool.with(["default": false])

    /// One update of a snapshot.
    private static var update: Schema {
        let words = [
            "scene", "state", "rows", "badge", "variables", "touches", "session", "frame",
        ]
        return Schema.record(
            nil,
            [
                .must(
                    "topic", ["type": "string", "pattern": .text(topicPattern(words))],
                    "The update's topic."),
                .must("body", .object, "The update's body."),
            ]
        ).with([
            "allOf": .list(
                words.map {
                    .when(
                        "topic", ["pattern": .text("^\($0)/")],
                        then: ["properties": ["body": .ref("update-\($0).json")]])
                })
        ])
    }

    private static func topicPattern(_ words: [String]) -> String {
        "^(\(words.joined(separator: "|")))/"
    }

    // MARK: Events

    private static var publishing: [Operation] {
        let name = "\(CommonSchema.nameCharacters){1,\(Name.bytesMax)}"
        let (one, component) = ("/\(CommonSchema.sessionCharacters)", "/\(name)")
        let badges = Session.badgesComponent
        let topics =
            "^((gesture|command)\(one)(\(component))?|notification\(one))\(CommonSchema.end)"
        func body(_ pattern: String, _ schema: String) -> Schema {
            .when(
                "topic", ["pattern": .text("^\(pattern)\(CommonSchema.end)")],
                then: ["properties": ["body": .ref(schema)]])
        }
        return [
            Operation(
                name: "publish", about: "one event, answered once it is applied and durable.",
                request: [
                    .must(
                        "topic", ["type": "string", "pattern": .text(topics)], "The event's topic."
                    ),
                    .must("body", .object, "The event's body."),
                ],
                rules: [
                    (
                        "allOf",
                        [
                            body("gesture/.*", "event-gesture.json"),
                            body("notification/.*", "event-notification.json"),
                            body("command\(one)", "event-command.json#/$defs/session"),
                            body("command\(one)/\(badges)", "event-command.json#/$defs/badges"),
                            body(
                                "command\(one)/(?!\(badges)$)\(name)",
                                "event-command.json#/$defs/component"),
                        ]
                    )
                ],
                reply: [
                    .may(
                        "duplicate", .constant(true),
                        "Whether an event with the same id was applied before."),
                    .may("hit", .common("hit")),
                    .may(
                        "created", .constant(true),
                        "Whether the event opened its session, by the session's name."),
                ])
        ]
    }

    private static var tapped: Schema {
        .record(
            nil,
            [
                .must("t", ["type": "integer"], "Milliseconds since 1970."),
                .must("topic", ["type": "string"], "The event's topic."),
                .may("body", .object, "The event's body, where it was taken and is short."),
                .may("excerpt", ["type": "string"], "The beginning of any other body."),
                .must("from", .orNull("string"), "The name of the sender's key, or its address."),
                .may(
                    "duplicate", .constant(true),
                    "Whether an event with the same id was applied before."),
                .may("code", .common("code"), "Why it was refused."),
                .may("message", ["type": "string"], "The reason of the refusal, in words."),
            ])
    }

    private static var peer: Schema {
        .record(
            nil,
            [
                .must(
                    "socket", .choice(["events", "push", "updates", "control"]),
                    "The daemon's socket that it is connected to."),
                .must("address", ["type": "string"], "Address and port, or process and user."),
                .must("received", .orNull("integer"), "Bytes; null where no system counts them."),
                .must("sent", .orNull("integer"), "Bytes that it has taken."),
                .may("client", ["type": "string"], "The name of its key."),
                .may("subscriptions", .whole(from: 0), "How many it has; on updates alone."),
                .may(
                    "prefixes", .list(of: ["type": "string"]),
                    "The first of its subscriptions; on updates alone."),
            ])
    }

    private static var member: Schema {
        .record(
            nil,
            CommonSchema.member + [
                .must(
                    "state", .choice(["live", "leaving"]),
                    "Leaving: it hands its shards over to others."),
                .must(
                    "weight", .whole(from: 0), "Its share of the shards, beside those of others."),
                .must("shards", .whole(from: 0), "How many it owns."),
            ])
    }

    // MARK: Pages

    private static var pages: [Operation] {
        let entry = Schema.record(
            nil,
            [
                .must("session", .common("name"), "The session's name."),
                .must(
                    "state", .choice(["open", "parked"]),
                    "Whether it is in memory, or in the store alone."),
                .may("scene", .orNull("string"), "Told to those who may read it, as the rest is."),
                .may("moving", .bool, "Whether it moves; told of open ones, as updates is."),
                .may("updates", .whole(from: 0), "Updates that were published in its epoch."),
                .may(
                    "step_us", ["type": "number", "minimum": 0],
                    "Microseconds of the processor for one step."),
            ])
        return [
            Operation(
                name: "sessions", about: "the names of all sessions, a page at a time.",
                request: [
                    .may("after", .orNull("string"), "The page begins after this name."),
                    .may(
                        "limit",
                        Schema.whole(from: 1, to: Limits.sessionsListedMax)
                            .with(["default": 100]), "The most names of a page."),
                    .may("detail", flag, "Whether each one's state and scene are told."),
                    .may(
                        "only", .choice(["all", "open", "moving"]),
                        "Those in memory, or those that move."),
                ],
                reply: [
                    .must("sessions", .list(of: .common("name")), "In the order of bytes."),
                    .must("next", .orNull("string"), "The last one if there are more."),
                    .may("entries", .list(of: entry), "With detail: one for each name."),
                ]),
            Operation(
                name: "scenes", about: "the names of the configuration's scenes.", request: [],
                reply: [.must("scenes", .list(of: .common("name")), "The names.")]),
            Operation(
                name: "locate", about: "the member of the cluster at which a session lives.",
                request: [formerSession],
                reply: [
                    formerSession,
                    .must("shard", .whole(from: 0), "The group of sessions that it belongs to."),
                    .must("version", .whole(from: 0), "The map's: a greater one is later."),
                    .must("here", .bool, "Whether it is this daemon."),
                    .must("owner", .common("owner")),
                ]),
            Operation(
                name: "members", about: "the daemons of the cluster.", request: [],
                reply: [
                    .must(
                        "cluster", .orNull("string"), "Its name for itself; null: there is none."),
                    .must("shards", .whole(from: 1), "How many the cluster has."),
                    .must("version", .whole(from: 0), "The map's: a greater one is later."),
                    .must("members", .list(of: member), "All that have not gone."),
                ]),
            Operation(
                name: "stats", about: "counters, bounds and latencies by name.", request: [],
                reply: [.must("stats", numbers, "The figures by their names.")]),
        ]
    }

    /// Requests of a person who watches the daemon.
    private static var watching: [Operation] {
        [
            Operation(
                name: "peers", about: "the connections to the daemon's sockets.", request: [],
                reply: [
                    .must("peers", .list(of: peer), "Those with the most traffic first."),
                    .must("more", .whole(from: 0), "Connections that have no room here."),
                ]),
            Operation(
                name: "tap", about: "events that the daemon took or refused, from all senders.",
                request: [
                    .may(
                        "after", ["type": ["integer", "null"], "minimum": 0],
                        "The `next` of the last answer; without it the answer has no events, and "
                            + "those that come are kept for some seconds.")
                ],
                reply: [
                    .must("events", .list(of: tapped), "In their order, from all senders."),
                    .must("next", .whole(from: 0), "Ask after it next."),
                    .must("lost", .whole(from: 0), "Events that came too fast to be told."),
                ]),
        ]
    }
}
