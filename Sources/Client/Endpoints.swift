/// The ZeroMQ addresses of a daemon's three sockets.
///
/// The defaults are those of a daemon without configuration.
public struct Endpoints: Hashable, Sendable {
    /// The socket that takes events.
    public var events: String
    /// The socket that publishes updates.
    public var updates: String
    /// The socket that answers requests.
    public var control: String

    /// Each address has libzmq's form, as `tcp://127.0.0.1:7411` or `ipc:///run/gestured/events`.
    public init(
        events: String = "tcp://127.0.0.1:7411", updates: String = "tcp://127.0.0.1:7412",
        control: String = "tcp://127.0.0.1:7413"
    ) {
        self.events = events
        self.updates = updates
        self.control = control
    }

    /// The endpoints that `GESTURED_EVENTS`, `GESTURED_UPDATES` and `GESTURED_CONTROL` name in an
    /// environment, such as Foundation's `ProcessInfo.processInfo.environment`, as for gesturectl;
    /// the defaults for those that it lacks.
    public init(environment: [String: String]) {
        self.init()
        events = environment["GESTURED_EVENTS"] ?? events
        updates = environment["GESTURED_UPDATES"] ?? updates
        control = environment["GESTURED_CONTROL"] ?? control
    }
}
