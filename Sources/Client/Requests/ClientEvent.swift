import Notation
import Protocol

/// An event for a session that has fields of its own in this library; any other one is
/// ``Control/publish(topic:body:)-(_,String)``.
public struct ClientEvent: Hashable, Sendable {
    /// As `notification/alice`.
    public let topic: String
    let fields: [Node.Member]

    private init(_ topic: String, _ fields: [Node.Member]) {
        self.topic = topic
        self.fields = fields
    }

    /// Adds to the count of a kind of notification, as `likes`. `count` is from 0.
    public static func notification(
        _ kind: String, adding count: Int = 1, for session: String
    ) -> ClientEvent {
        ClientEvent(
            "notification/\(session)",
            [.init("kind", Node(.string(kind))), .init("add", Node(.integer(count)))])
    }

    /// Sets the count of a kind of notification. `count` is from 0.
    public static func notification(
        _ kind: String, settingTo count: Int, for session: String
    ) -> ClientEvent {
        ClientEvent(
            "notification/\(session)",
            [.init("kind", Node(.string(kind))), .init("set", Node(.integer(count)))])
    }

    /// A command of a component, as `dismiss` of tips, with texts as its arguments.
    public static func command(
        _ name: String, _ arguments: [String: String] = [:], of component: String,
        in session: String
    ) -> ClientEvent {
        let rest = arguments.sorted { $0.key < $1.key }
        return ClientEvent(
            "command/\(session)/\(component)",
            [.init("command", Node(.string(name)))]
                + rest.map { .init($0.key, Node(.string($0.value))) })
    }

    /// A tap at a point of the viewport, in points.
    public static func tap(x: Double, y: Double, in session: String) -> ClientEvent {
        ClientEvent(
            "gesture/\(session)",
            [
                .init("gesture", Node(.string("tap"))), .init("x", Node(.number(x))),
                .init("y", Node(.number(y))),
            ])
    }
}
