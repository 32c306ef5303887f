/// The ZeroMQ addresses of a daemon's sockets.
///
/// The defaults are those of a daemon without configuration.
public struct Endpoints: Hashable, Sendable {
    /// The socket that takes events of publishers. Who sets it leaves ``push``, which is that of
    /// the daemon before.
    public var events: String { didSet { push = nil } }
    /// The socket that takes events as well, without a subscription to wait for; nil: events go to
    /// ``events``.
    public var push: String?
    /// The socket that publishes updates.
    public var updates: String
    /// The socket that answers requests.
    public var control: String
    /// The control sockets of some members of a cluster; empty: one daemon is at the three
    /// addresses.
    public private(set) var seeds: [String] = []

    /// Each address has libzmq's form, as `tcp://127.0.0.1:7411` or `ipc:///run/gestured/events`.
    ///
    /// Events go to `push`, or to `events` where that alone is given; the default is
    /// `tcp://127.0.0.1:7414`, and `tcp://127.0.0.1:7411` for publishers.
    public init(
        events: String? = nil, updates: String = "tcp://127.0.0.1:7412",
        control: String = "tcp://127.0.0.1:7413", push: String? = nil
    ) {
        self.events = events ?? "tcp://127.0.0.1:7411"
        self.push = push ?? (events == nil ? "tcp://127.0.0.1:7414" : nil)
        self.updates = updates
        self.control = control
    }

    /// The address to which events go: `push` where there is one.
    package var eventsTaker: String { push ?? events }

    /// A cluster, by the control sockets of some of its members.
    ///
    /// A connection asks them who has a session, speaks with that one, and follows where it moves.
    /// At least one must be given. `events`, `push` and `updates` serve where a daemon answers that
    /// is in no cluster and names no addresses of its own.
    public init(
        cluster seeds: [String], events: String? = nil, updates: String = Endpoints().updates,
        push: String? = nil
    ) {
        precondition(!seeds.isEmpty, "a cluster needs one control socket at least")
        self.init(events: events, updates: updates, control: seeds[0], push: push)
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

    /// The endpoints that `GESTURED_EVENTS`, `GESTURED_PUSH`, `GESTURED_UPDATES` and
    /// `GESTURED_CONTROL` name in an environment, such as Foundation's
    /// `ProcessInfo.processInfo.environment`, as for gesturectl; the defaults for those that it
    /// lacks. Several control sockets, with commas between them, are a cluster.
    public init(environment: [String: String]) {
        let (events, push) = (environment["GESTURED_EVENTS"], environment["GESTURED_PUSH"])
        self.init(events: events, push: push)
        updates = environment["GESTURED_UPDATES"] ?? updates
        control = environment["GESTURED_CONTROL"] ?? control
        if let places = Self.places(control), places.count > 1 {
            self = Endpoints(cluster: places, events: events, updates: updates, push: push)
        }
    }
}
