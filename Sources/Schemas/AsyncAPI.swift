import Notation

/// The document of AsyncAPI 3: sockets, topics, requests, and the messages on them.
///
/// It speaks as the daemon: it receives events and requests, and sends updates and replies.
enum AsyncAPI {
    static var document: Schema {
        [
            "asyncapi": "3.0.0",
            "info": [
                "title": "gestured",
                "version": "1.0.0",
                "description":
                    """
                A motion server: it takes gestures, notifications and commands, and publishes \
                view states. A message on the sockets of events and updates has two frames: a \
                topic, which is the channel's address, and a body in JSON. A request has one.
                """,
                "license": ["name": "MIT"],
                "externalDocs": [
                    "description": "The contract in words.", "url": "protocol/README.md",
                ],
            ],
            "defaultContentType": "application/json",
            "servers": servers,
            "channels": .table(channels.map { ($0.name, $0.document) } + [("control", control)]),
            "operations": .table(
                channels.map { ($0.operation, $0.operationDocument) }
                    + RequestSchemas.all.map { ($0.name, operation($0)) }),
            "components": ["messages": .table(messages), "parameters": parameters],
        ]
    }

    // MARK: Servers

    private static var servers: Schema {
        func server(_ port: Int, _ about: String) -> Schema {
            [
                "host": .text("127.0.0.1:\(port)"), "protocol": "zmtp",
                "protocolVersion": "3.1", "description": .text(about),
            ]
        }
        return [
            "push": server(
                7_414, "A PULL of ZeroMQ, which those that push events connect to as PUSH."),
            "events": server(
                7_411, "A SUB of ZeroMQ, which publishers connect to as XPUB or PUB."),
            "updates": server(7_412, "An XPUB of ZeroMQ, which subscribers connect to as SUB."),
            "control": server(
                7_413, "A ROUTER of ZeroMQ, which clients connect to as DEALER or REQ."),
        ]
    }

    // MARK: Channels

    /// One topic.
    private struct Channel {
        var name: String
        var address: String
        var about: String
        var server: String
        /// The names of the messages, and of their schemas.
        var message: String

        /// Events are received, updates are sent.
        var isEvent: Bool { server == "events" }
        private var servers: [String] { isEvent ? ["push", server] : [server] }
        var operation: String { (isEvent ? "receive-" : "send-") + name }

        var document: Schema {
            var document: Schema = [
                "address": .text(address), "description": .text(about),
                "servers": .list(servers.map { .ref("#/servers/\($0)") }),
            ]
            let names = ["session", "component", "nonce"].filter { address.holds("{\($0)}") }
            if !names.isEmpty {
                document = document.with([
                    "parameters": .table(
                        names.map { ($0, .ref("#/components/parameters/\($0)")) })
                ])
            }
            return document.with([
                "messages": .table([(message, .ref("#/components/messages/\(message)"))])
            ])
        }

        var operationDocument: Schema {
            [
                "action": isEvent ? "receive" : "send",
                "channel": .ref("#/channels/\(name)"),
                "summary": .text(about),
                "messages": [.ref("#/channels/\(name)/messages/\(message)")],
            ]
        }
    }

    private static var channels: [Channel] {
        let events = [
            ("gesture", "gesture/{session}", "gesture", "A gesture at a point of the viewport."),
            (
                "gesture-on-component", "gesture/{session}/{component}", "gesture",
                "A gesture on a component, in its own coordinates."
            ),
            (
                "notification", "notification/{session}", "notification",
                "Something happened that the user should know."
            ),
            (
                "command", "command/{session}", "command",
                "Open or close the session, or change its scene."
            ),
            (
                "command-to-component", "command/{session}/{component}", "command",
                "Do something to a component, or to the session's counts."
            ),
        ].map { name, address, word, about in
            Channel(
                name: name, address: address, about: about, server: "events",
                message: "event-\(word)")
        }
        return events
            + UpdateSchemas.all.map { update in
                Channel(
                    name: update.word, address: update.topic,
                    about: (update.schema["description"]?.string ?? ""), server: "updates",
                    message: "update-\(update.word)")
            }
    }

    private static var control: Schema {
        let names = RequestSchemas.all.flatMap { ["request-\($0.name)", "reply-\($0.name)"] }
        return [
            "address": .null,
            "description":
                """
            Requests and their replies, one frame each. A reply carries the `id` of its \
            request; replies may overtake each other.
            """,
            "servers": [.ref("#/servers/control")],
            "messages": .table(names.map { ($0, .ref("#/components/messages/\($0)")) }),
        ]
    }

    private static func operation(_ operation: RequestSchemas.Operation) -> Schema {
        func message(_ name: String) -> Schema { .ref("#/channels/control/messages/\(name)") }
        return [
            "action": "receive",
            "channel": .ref("#/channels/control"),
            "summary": .text("\(operation.name): \(operation.about)"),
            "messages": [message("request-\(operation.name)")],
            "reply": [
                "channel": .ref("#/channels/control"),
                "messages": [message("reply-\(operation.name)")],
            ],
        ]
    }

    // MARK: Components

    private static var messages: [(String, Schema)] {
        Schemas.messages.map { name, title in
            (
                name,
                [
                    "name": .text(name), "title": .text(title),
                    "contentType": "application/json",
                    "payload": [
                        "schemaFormat": "application/schema+json;version=draft-2020-12",
                        "schema": .ref("schemas/\(name).json"),
                    ],
                ]
            )
        }
    }

    private static let parameters: Schema = [
        "session": ["description": "The session's name; of rejected also - for none."],
        "component": ["description": "The component's id in its scene."],
        "nonce": ["description": "Any text that the subscriber chooses."],
    ]
}
