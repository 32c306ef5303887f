import Geometry
import Notation
import Sessions
import Synchronization

/// The daemon's counts, each by its name in `stats`. Lanes add once per batch.
final class Counters: Sendable {
    /// Numbered in their order, which is their place in `storage`.
    enum Name: Int, CaseIterable, Sendable {
        case events
        /// Events that came over the PULL.
        case pushed
        case applied
        case duplicates
        case rejected
        case suppressed
        /// Gestures on a session's own topic under which nothing lay.
        case unhit
        case rejectionsUntold
        case updates
        case states
        case frames
        case framesLate
        case framesSkipped
        /// Frames of moving sessions that showed nothing new, as under a still finger.
        case framesStill
        /// Looks at moving sessions that came later than by the time between two looks at one
        /// that nobody watches.
        case looksLate
        case transitionsSkipped
        case stepsJumped
        /// Sessions that began to move in the spare time of their lane.
        case throttled
        /// Worlds that nothing drove and that did not come to rest by themselves.
        case restsForced
        /// Stored worlds that came back as their description or scene has them, because their
        /// bodies could not be read.
        case worldsUnread
        /// Commands of scenes' reactions that their components refused.
        case reactionsRefused
        /// Events and steps that more reactions followed from than are performed.
        case reactionsStopped
        case sessions
        case moving
        case opened
        case closed
        case parked
        case restored
        /// Scenes of open sessions that became others.
        case changed
        case expired
        case commits
        case commitsFailed
        case commitMicroseconds
        /// Sessions that were asked for across a network, and how long their lanes waited for all
        /// answers.
        case lookUps
        case lookUpMicroseconds
        case requests
        case requestsDropped
        case repliesUnroutable
        case repliesDropped
        /// Large replies to encrypted connections that waited for their turn.
        case repliesPaced
        /// Connections that were cut, since they took more than a peer may.
        case peersCut
        /// Handshakes with a key that is not known, or with an endpoint that is not its client's.
        case handshakesRefused
        /// Events, requests and subscriptions outside of their client's grant.
        case unauthorized
        case pauses
        case clockJumps
        /// Shards of the cluster that this member took while nobody owned them, gave to others, and
        /// had taken away.
        case shardsClaimed
        case shardsHandedOver
        case shardsLost
        /// Renewals that came after the lease had ended.
        case leasesLate
        /// How often another member ended this one.
        case storeLost
        /// How often all connections to the database were made anew.
        case storeReconnects
        /// Commits of which nobody knows whether they were done.
        case storeUnknown
        /// Events for sessions of other members, which were left to them.
        case eventsElsewhere
        /// Requests that were answered with the owner of their session.
        case requestsMoved

        /// The name in `stats`.
        var text: String {
            switch self {
            case .events: "events"
            case .pushed: "events_pushed"
            case .applied: "events_applied"
            case .duplicates: "events_duplicate"
            case .rejected: "events_rejected"
            case .suppressed: "events_swallowed"
            case .unhit: "events_unhit"
            case .rejectionsUntold: "rejections_untold"
            case .updates: "updates"
            case .states: "states"
            case .frames: "frames"
            case .framesLate: "frames_late"
            case .framesSkipped: "frames_skipped"
            case .framesStill: "frames_still"
            case .looksLate: "looks_late"
            case .transitionsSkipped: "transitions_skipped"
            case .stepsJumped: "steps_jumped"
            case .throttled: "sessions_throttled"
            case .restsForced: "worlds_put_to_rest"
            case .worldsUnread: "worlds_unread"
            case .reactionsRefused: "reactions_refused"
            case .reactionsStopped: "reactions_stopped"
            case .sessions: "sessions"
            case .moving: "sessions_moving"
            case .opened: "sessions_opened"
            case .closed: "sessions_closed"
            case .parked: "sessions_parked"
            case .restored: "sessions_restored"
            case .changed: "sessions_changed"
            case .expired: "sessions_expired"
            case .commits: "store_commits"
            case .commitsFailed: "store_commits_failed"
            case .commitMicroseconds: "store_commit_us"
            case .lookUps: "lookups"
            case .lookUpMicroseconds: "lookup_us"
            case .requests: "requests"
            case .requestsDropped: "requests_dropped"
            case .repliesUnroutable: "replies_unroutable"
            case .repliesDropped: "replies_dropped"
            case .repliesPaced: "replies_paced"
            case .peersCut: "peers_cut"
            case .handshakesRefused: "handshakes_refused"
            case .unauthorized: "unauthorized"
            case .pauses: "events_paused"
            case .clockJumps: "clock_jumps"
            case .shardsClaimed: "shards_claimed"
            case .shardsHandedOver: "shards_handed_over"
            case .shardsLost: "shards_lost"
            case .leasesLate: "leases_late"
            case .storeLost: "store_lost"
            case .storeReconnects: "store_reconnects"
            case .storeUnknown: "store_unknown"
            case .eventsElsewhere: "events_elsewhere"
            case .requestsMoved: "requests_moved"
            }
        }
    }

    // One cache line each would be faster still; a batch adds a handful, so it does not matter.
    private let values = Values()

    private final class Values: Sendable {
        let storage: [Cell] = Name.allCases.map { _ in Cell() }
    }

    private final class Cell: Sendable {
        let value = Atomic<Int>(0)
    }

    private func cell(_ name: Name) -> Cell { values.storage[name.rawValue] }

    func add(_ name: Name, _ amount: Int = 1) {
        if amount != 0 { cell(name).value.wrappingAdd(amount, ordering: .relaxed) }
    }

    /// Adds, and returns the count before.
    func fetchAdd(_ name: Name, _ amount: Int) -> Int {
        cell(name).value.wrappingAdd(amount, ordering: .relaxed).oldValue
    }

    /// Takes over a count that is kept elsewhere.
    func set(_ name: Name, _ count: Int) { cell(name).value.store(count, ordering: .relaxed) }

    func get(_ name: Name) -> Int { cell(name).value.load(ordering: .relaxed) }
}

/// The rejections that all lanes together may publish.
final class RejectionBudget: Sendable {
    private let limit: Mutex<SlidingLimit>
    /// The bound of those without an open session.
    private let nowhere = Mutex(
        SlidingLimit(countMax: Limits.nowhereRejectionsPerSecondMax, span: 1_000_000_000))

    init(perSecondMax: Int) {
        limit = Mutex(SlidingLimit(countMax: perSecondMax, span: 1_000_000_000))
    }

    /// Whether one more without an open session may be published, as far as that is bounded.
    func takeNowhere(at time: Int) -> Bool { nowhere.withLock { $0.take(at: time) } }

    /// Whether one more may be published at a monotonic time.
    func take(at time: Int) -> Bool { limit.withLock { $0.take(at: time) } }
}

/// The rejections that one lane may publish for each session that is not open, by its name's key.
///
/// Bounded by `Limits.nowhereSessionsMax`; beyond it all counts begin anew.
struct NowhereLimits {
    private var limits: [UInt64: SlidingLimit] = [:]

    /// Those of topics without a session.
    private var nameless = SlidingLimit(
        countMax: Limits.namelessRejectionsPerSecondMax, span: 1_000_000_000)

    /// Whether one more may be published at a monotonic time. Topics without a session have one
    /// bound together.
    mutating func take(_ session: NameKey?, at time: Int) -> Bool {
        guard let session else { return nameless.take(at: time) }
        if limits.count >= Limits.nowhereSessionsMax, limits[session.value] == nil {
            limits.removeAll(keepingCapacity: true)
        }
        let fresh = SlidingLimit(
            countMax: Limits.rejectionsPerSessionMax, span: 1_000_000_000)
        return limits[session.value, default: fresh].take(at: time)
    }
}

extension Limits {
    /// Rejections published in a second, of all sessions together.
    static let rejectionsPerSecondMax = 1_000
    /// Rejections published in a second of sessions that are not open, and of topics without one:
    /// half of all, so that names without end leave room for those of open sessions.
    static let nowhereRejectionsPerSecondMax = 500
    /// Those of topics without a session, of one lane: bad topics come to the first one alone.
    static let namelessRejectionsPerSecondMax = 100
    /// Sessions that are not open of which each lane counts the rejections: 200 KiB.
    static let nowhereSessionsMax = 1_024
}
