/// Where a daemon's three sockets are.
public struct Endpoints: Hashable, Sendable {
    /// Takes events.
    public var events: String
    /// Gives updates.
    public var updates: String
    /// Answers requests.
    public var control: String

    public init(
        events: String = "tcp://127.0.0.1:7411", updates: String = "tcp://127.0.0.1:7412",
        control: String = "tcp://127.0.0.1:7413"
    ) {
        self.events = events
        self.updates = updates
        self.control = control
    }
}
