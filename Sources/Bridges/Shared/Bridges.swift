// Bridges: the machines behind `gesturectl bridge`, as values.
//
// Each bridge decides here and touches nothing: bytes and instants come in as arguments, events for
// the daemon go out as values. `gesturectl` owns the sockets, devices and processes, and performs.
// `Shared` has what several of them need: `Moment`, `Counters`, `BoundedQueue`, `BridgeEvent`,
// `DaemonUpdates`, `TurnWork`.

/// An instant as a bridge sees it.
package struct Moment: Hashable, Sendable {
    /// Milliseconds of a clock that never goes back, for timeouts.
    package var steady: Int
    /// Milliseconds since the Unix epoch, for the `t` of events.
    package var wall: Double

    package init(steady: Int, wall: Double) {
        self.steady = steady
        self.wall = wall
    }
}

/// An event for the daemon: a topic and one JSON object.
package struct BridgeEvent: Hashable, Sendable {
    package var topic: String
    package var body: [UInt8]

    package init(topic: String, body: [UInt8]) {
        self.topic = topic
        self.body = body
    }
}
