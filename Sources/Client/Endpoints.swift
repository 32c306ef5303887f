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
    /// The control sockets of some members of a cluster; empty: one daemon is at the three
    /// addresses.
    public private(set) var seeds: [String] = []

    /// Each address has libzmq's form, as `tcp://127.0.0.1:7411` or `ipc:///run/gestured/events`.
    public init(
        events: String = "tcp://127.0.0.1:7411", updates: String = "tcp://127.0.0.1:7412",
        control: String = "tcp://127.0.0.1:7413"
    ) {
        self.events = events
        self.updates = updates
        self.control = control
    }

    /// A cluster, by the control sockets of some of its members.
    ///
    /// A connection asks them who has a session, speaks with that one, and follows where it moves.
    /// At least one must be given. `events` and `updates` serve where a daemon answers that is in
    /// no cluster and names no addresses of its own.
    public init(
        cluster seeds: [String], events: String = Endpoints().events,
        updates: String = Endpoints().updates
    ) {
        precondition(!seeds.isEmpty, "a cluster needs one control socket at least")
        self.init(events: events, updates: updates, control: seeds[0])
        self.seeds = seeds
    }

    /// The addresses of control sockets in a text: one, or those of a cluster with commas between
    /// them. Nil where one is empty, or too many are given.
    package static func places(_ text: String) -> [String]? {
        let places = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isGood = places.count <= seedsMax && places.allSatisfy { !$0.isEmpty }
        return isGood ? places : nil
    }

    /// Control sockets of a cluster that a client may be given.
    package static let seedsMax = 64

    /// Where requests go, for a person.
    package var asked: String { seeds.isEmpty ? control : seeds.joined(separator: ", ") }

    /// The endpoints that `GESTURED_EVENTS`, `GESTURED_UPDATES` and `GESTURED_CONTROL` name in an
    /// environment, such as Foundation's `ProcessInfo.processInfo.environment`, as for gesturectl;
    /// the defaults for those that it lacks. Several control sockets, with commas between them,
    /// are a cluster.
    public init(environment: [String: String]) {
        self.init()
        events = environment["GESTURED_EVENTS"] ?? events
        updates = environment["GESTURED_UPDATES"] ?? updates
        control = environment["GESTURED_CONTROL"] ?? control
        if let places = Self.places(control), places.count > 1 {
            self = Endpoints(cluster: places, events: events, updates: updates)
        }
    }
}
