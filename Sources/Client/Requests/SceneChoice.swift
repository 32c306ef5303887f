/// The scene of a session that opens: one of the daemon's by its name, or one's own.
///
/// A text literal is a name: `try control.open("alice", scene: "phone")`.
public enum SceneChoice: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A scene that the daemon has.
    case named(String)
    /// A scene as one JSON object in UTF-8, with `viewport` and `components`.
    case object([UInt8])

    public init(stringLiteral name: String) { self = .named(name) }
}
