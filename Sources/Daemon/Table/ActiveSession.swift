import CSystem
import Codec
import Geometry
import Notation
import Sessions
import Store

/// One open session on its lane, with what the lane's lists note on it. Used on its queue alone.
final class ActiveSession: SessionHandle {
    // These two stand first, where all that is due looks.
    /// Where it waits for the step at which it is due.
    var listing = Listing.nowhere
    /// The daemon's step at which it moves or has something to publish; nil: at rest.
    var wake: Step?
    var session: Session
    /// The daemon's step at which the session's clock stood at 0.
    let openedAt: Step
    /// The channels that subscribers want of it.
    var wanted: Wanted
    /// Whether the lane has opened it and not closed it since.
    var isOpen = false
    /// The text of the scene that the shelf counts; nil: it counts none. A reaction may just have
    /// changed the session's own.
    var shelvedText: String?
    /// Whether it is listed as changed by this batch.
    var isChanged = false
    /// Whether the statistics count it as moving.
    var isCountedMoving = false
    /// Its place in the write-behind cache while it is open and something is stored.
    var slot: SaveSlot?
    /// Its record as it was written last; nil: it was not written yet.
    var record: RecordCache?
    /// Where it stands between the store, the lane and other members.
    var presence = Presence.arriving(nil)
    /// The time that it costs the lane.
    var effort = Effort()
    /// The former counts that it may still publish.
    private var formerBadges = FormerBadgesLimit()
    /// The daemon's step of its last event.
    private(set) var lastEvent: Step

    struct Wanted {
        var byName: Channels
        /// Those by its name once it rests, if somebody has left: motion is published to its end.
        var atRest: Channels?
        /// Those of all sessions whose names begin as its own does, and the version of
        /// ``Interests`` that said so.
        var byBeginning: Channels = []
        var version = 0
        /// About how many subscriptions want them, and the version of ``SubscribersByName`` that
        /// said so; −1: none yet.
        var subscribers = 0
        var subscribersVersion = -1
    }

    enum Listing: Equatable {
        case nowhere
        /// In the ticker's list of a step.
        case at(Step)
        /// In the ticker's line of those whose step has come.
        case due
        /// Among the heavy sessions.
        case spare
    }

    enum Presence {
        /// It is not open yet; with the store's mark of it, if there is one.
        case arriving(SavedMark?)
        case here
        /// Changes of its scene are made, one at a time: it becomes this session. Until the last
        /// one is made, it stays as it was and takes nothing. In a box: each event looks at a
        /// presence, and need not copy a session for that.
        indirect case changing(Session)
        /// On its way to another member it stands still: nothing moves it. It is stored as it is,
        /// or with its motion for the heir.
        case going(StoredMotion?)

        /// The motion that is stored for the heir.
        var motion: StoredMotion? {
            switch self {
            case .arriving, .here, .changing: nil
            case .going(let motion): motion
            }
        }

        var isChanging: Bool {
            switch self {
            case .arriving, .here, .going: false
            case .changing: true
            }
        }

        var isGoing: Bool {
            switch self {
            case .arriving, .here, .changing: false
            case .going: true
            }
        }
    }

    /// The session that it becomes by changes that are made one at a time; nil: none is left.
    var next: Session? {
        get { if case .changing(let next) = presence { next } else { nil } }
        set {
            if let newValue {
                presence = .changing(newValue)
            } else if case .changing = presence {
                presence = .here
            }
        }
    }

    /// It is open from now on. Returns the store's mark of it.
    func arrive() -> SavedMark? {
        guard case .arriving(let saved) = presence else { return nil }
        presence = .here
        return saved
    }

    init(_ session: Session, openedAt: Step, interest: Channels) {
        self.session = session
        shelvedText = session.scene.document
        self.openedAt = openedAt
        wanted = Wanted(byName: interest)
        lastEvent = openedAt
    }

    /// An event came; one that opens the session comes before its first step.
    func recordUse(at step: Step) {
        lastEvent = max(openedAt, step)
    }

    /// Keeps former counts within their limit: beyond it the newest counts stand for all.
    @inline(__always)
    func limitFormerBadges(at step: Step) {
        let count = session.formerBadgesCount
        if count > 0, !formerBadges.take(count, at: step) { session.mergeBadges() }
    }

    /// Has the processor read it, and does not wait. Thousands of sessions fit no cache, and each
    /// would wait for its memory otherwise, line by line.
    func readAhead() {
        readAhead(bytes: MemoryLayout<Session>.size + Limits.besideSessionBytes)
    }

    /// The same with its first bytes.
    func readAhead(bytes: Int) {
        // The address is a hint to the processor: nothing is read through it.
        unsafe gs_read_ahead(Unmanaged.passUnretained(self).toOpaque(), bytes)
    }

    /// The session's own step at one of the daemon's; a session that opens later stands at 0.
    func clock(at step: Step) -> Step { Step(max(0, step - openedAt)) }

    /// The step of its clock at which a look at it ends, and the steps until there that may take
    /// long: as many as fit a piece of time.
    func nextLook(to target: Step) -> (end: Step, steps: Int) {
        let start = session.firstBusyStep(to: target)
        if session.isMoving {
            let end = min(target, start + effort.stepsMax)
            return (end, end - start)
        }
        // At the first one a wait ends.
        let end = min(target, start + (effort.stepsMax - 1))
        return (end, end - start + 1)
    }

    /// The wall clock at a monotonic time, on the session's timeline, in milliseconds.
    func milliseconds(at time: Int, grid: Grid) -> Double {
        Double(session.opened.nanoseconds + time - grid.time(of: openedAt)) / 1e6
    }
}

/// How many former counts a session may publish in each second of the daemon's steps.
struct FormerBadgesLimit {
    private var second = 0
    private var taken = 0

    /// Whether so many more are within the limit; if so, they count.
    mutating func take(_ count: Int, at step: Step) -> Bool {
        let now = step.count / Step.perSecond
        if now != second { (second, taken) = (now, 0) }
        guard taken + count <= Limits.formerBadgesPerSecondMax else { return false }
        taken += count
        return true
    }
}

extension Limits {
    /// Counts of one session that are published in a second although newer ones have come: a flood
    /// of notifications would otherwise push the updates of all others out of a reader's queue.
    static let formerBadgesPerSecondMax = 4_000
    /// Sessions ahead that are read when one moves or takes an event: three take some 10 µs, ten
    /// times as long as memory.
    static let sessionsAhead = 3
    /// Bytes of an active session beside its session.
    static let besideSessionBytes = 512
}
