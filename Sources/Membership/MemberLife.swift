/// One member's life among others: decides when it renews its lease, what it asks the database,
/// and which shards it takes, holds and gives away. It performs nothing.
///
/// A *poll* comes every third of the lease and whenever a member calls for one: `renew`, `members`,
/// `shards` if their version is new, `fence` for each that is late, `claim`, and one hand-over is
/// begun. Calls go one after the other; answers of the lanes may come in between. A shard goes from
/// `away` over `coming`, `mine` and `going` to `away`. The rows that were read last decide: a call
/// whose answer never came needs no memory of its own, since the next reading shows what it did.
///
/// Times are nanoseconds on a clock of the caller's that goes on while the machine sleeps. The
/// caller performs the actions in their order, on one thread, and reports each call once.
///
/// Leases decide when to take over, never whether a write is allowed: that is the database's, which
/// compares the member's generation with each commit. So the times here may change freely. These
/// may not:
/// - The lease counts from the sending of its renewal.
/// - A shard whose hand-over was asked and not answered is nobody's here until the shards are read.
/// - The shards are read after the answer, on the same connection or a later one, and a hand-over
///   sent on a former one is refused.
/// - Nobody is fenced for one lease after the database, or this member, was away.
/// - `setGone` follows the last commit of all lanes: it makes free what others then own.
///
/// The order of questions stands in `MemberLife+Steps.swift`, the meaning of answers in
/// `MemberLife+Answers.swift`, the hand-overs of shards in `MemberLife+Shards.swift`, and the ends
/// of a life in `MemberLife+Ends.swift`. A new step of a poll is a case of `Step` and of `Call`.
package struct MemberLife: Sendable {
    package let tuning: Tuning
    /// Clients are told this. A shard that is lost to nobody known has no owner there.
    package internal(set) var map: ClusterMap
    package internal(set) var figures = Figures()
    /// Until then others may not fence this member.
    package internal(set) var leasedUntil: Int
    var stage = Stage.joined
    var quiet: Quiet
    var view = ClusterView()
    var holdings: [Holding]
    var handOverStage = HandOverStage.none
    var handOversMade = 0
    /// Shards that the next hand-over has at most, and the first that it looks at.
    var nextHandOver: (count: Int, first: Int)
    var asked = Asked.nothing
    var step = Step.rest
    var schedule: Schedule
    var lanes: Lanes

    /// `joined`: when the member's row was sent to the database, by the clock of all inputs. Begin
    /// with the input `timer`.
    package init(member: Int, shards: Int, tuning: Tuning, joined: Int) {
        self.tuning = tuning
        map = ClusterMap(
            member: member, version: 0, members: [], owners: Array(repeating: nil, count: shards))
        holdings = Array(repeating: .away, count: shards)
        nextHandOver = (tuning.shardsAtOnce, 0)
        leasedUntil = joined + tuning.lease
        quiet = .until(joined + tuning.quiet)
        schedule = Schedule(poll: joined, lastPoll: joined, retry: joined, handOver: joined)
        lanes = Lanes(seen: joined)
    }

    // MARK: Questions

    /// Its id in this life.
    package var member: Int { map.member }

    /// The member to which clients shall go for a shard; nil: there is none now.
    package func owner(of shard: Int) -> MemberRow? { map.owner(of: shard) }

    /// Whether nobody else can own what this member owns. If not, nothing may be acknowledged.
    package func isLeased(at now: Int) -> Bool {
        switch stage {
        case .joined, .leaving, .finishing(_, isMember: true): now < leasedUntil
        case .finishing(_, isMember: false), .lost, .parting, .ended: false
        }
    }

    /// Shards whose sessions live here, whether or not they may go on right now.
    package var shardsHeld: Int { holdings.count { $0 != .away } }

    // MARK: Inputs

    /// Takes what has happened and appends what is to be done, in its order. Unless a call is under
    /// way or the life has ended, the last action is `ask`, `wait` or `ended`.
    package mutating func take(_ input: Input, at now: Int, into actions: inout [Action]) {
        guard stage != .ended else { return }
        switch input {
        case .timer: break
        case .woken: callForLook(at: now)
        case .answered(let answer): answered(answer, at: now, into: &actions)
        case .disconnected: disconnected()
        case .lost(let member):
            if member == self.member { lose(at: now, into: &actions) }
        case .lanesAnswered:
            let didHang = !areLanesAlive(at: now)
            lanes = Lanes(seen: now)
            if didHang { callForLook(at: now) }
        case .taken(let rights): taken(rights)
        case .prepared(let number): prepared(number)
        case .unprepared(let number): unprepared(number, at: now, into: &actions)
        case .stop: stop(at: now, into: &actions)
        case .finished: finished(at: now, into: &actions)
        }
        proceed(at: now, into: &actions)
    }

    /// As `take(_:at:into:)`, as a value.
    package mutating func take(_ input: Input, at now: Int) -> [Action] {
        var actions: [Action] = []
        take(input, at: now, into: &actions)
        return actions
    }
}
