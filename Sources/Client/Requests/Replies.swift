/// A session that a request has opened, or has found open.
public struct OpenedSession: Hashable, Sendable {
    /// Whether the request has opened it; false: it was there.
    public var isNew: Bool
    /// The run of the session: its updates carry it, and count in it.
    public var epoch: String
}

/// One instant of a session.
public struct SessionSnapshot: Hashable, Sendable {
    public var session: String
    /// The scene's name; nil: it has none.
    public var scene: String?
    public var epoch: String
    /// Scene, states, badge, session event and frame, as their topics publish them.
    public var updates: [ReceivedUpdate]
}

/// A daemon's version, run, clock and bounds.
public struct DaemonGreeting: Hashable, Sendable {
    /// As `0.12.0`.
    public var version: String
    /// The run of the daemon.
    public var epoch: String
    /// Its wall clock in milliseconds since the Unix epoch.
    public var time: Double
    /// Its bounds by name, as `limit_message_bytes`.
    public var limits: [String: Int]
}

/// The answer to an event that was applied.
public struct PublishReply: Hashable, Sendable {
    /// An event with the same id was applied before; this one changed nothing.
    public var isDuplicate: Bool
    /// The event opened its session.
    public var hasOpenedSession: Bool
    /// The view that a gesture of the session hit; nil: none, or the event names a component.
    public var hit: SessionPicture.Hit?
}

/// The time of a daemon and of one of its sessions, in milliseconds since the Unix epoch.
public struct SessionTime: Hashable, Sendable {
    /// The daemon's wall clock.
    public var wall: Double
    /// The instant that the session shows.
    public var instant: Double
}
