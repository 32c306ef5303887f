import Geometry
import Interactions
import Sessions

/// The part of the configuration that lanes use: given at their making, and anew by a reload.
struct LaneSettings: Sendable {
    var grid: Grid
    /// Names this run of the daemon; each session appends a number.
    var epoch: String
    var scenes: [String: Scene]
    /// The scene of sessions that open by their first event; nil: none do.
    var autoOpen: String?
    var frameRate: Int
    /// Whether sessions tell the contacts that are down.
    var tellsTouches = true
    var sessionsMax: Int
    /// Steps without an event after which a session is evicted.
    var idleSteps: Int
    /// Steps without an event after which the store deletes a session.
    var retentionSteps: Int
    /// The scenes that open sessions brought along, of all lanes.
    let shelf = SceneShelf()
    /// The events that a person taps, of all lanes.
    let tap = TapLog()
    /// The lane of each session.
    var choice: LaneChoice
    /// The key of the hashes of ids, and the first version of counts, if no store knows them.
    var key: UInt128
    var versionFloor: Int
}

/// One reading of the clock, for all of a batch.
struct Moment {
    /// The monotonic clock.
    var now: Int
    /// The daemon's step at that time.
    var step: Step
}
