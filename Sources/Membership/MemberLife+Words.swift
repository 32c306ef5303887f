extension MemberLife {
    /// How patient a member is, and how much it does at once. Times are nanoseconds.
    package struct Tuning: Hashable, Sendable {
        /// How long a renewal lasts.
        package var lease: Int
        /// Renewals are this far apart: two may fail before the lease ends.
        package var tick: Int { lease / 3 }
        /// Others are fenced only after so long a time in which the database and this member were
        /// there without a break: a database that was away makes everybody late.
        package var quiet: Int
        /// A shard that is free so long goes to any member: whoever the plan has for it was told
        /// when it became free, and did not come.
        package var patience: Int { tick / 2 }
        /// Polls are at least this far apart, however often a member calls for one: a hundred
        /// members that change hands at once would otherwise poll a hundred times each.
        package var apart = 10_000_000
        /// After a call without an answer: long enough that a database which starts is not asked by
        /// everybody all the time, short enough that its return is noticed within the lease.
        package var retry = 100_000_000
        /// The lease is renewed only if all lanes have answered since: a member whose lanes hang
        /// must not keep its shards.
        package var lanes = 5_000_000_000
        /// Sessions wait while their shard is handed over: a person takes more for a fault.
        package var handOver = 250_000_000
        /// Shards that change hands together: few, so that the first ones do not wait for the
        /// last ones' sessions.
        package var shardsAtOnce = 8
        /// From being asked to leave until what is left is stored and let go: well within the
        /// 30 s after which the service manager kills.
        package var leave = 5_000_000_000
        /// For the lanes to store all they have, at the end.
        package var finish = 10_000_000_000

        package init(leaseSeconds: Double) {
            lease = Int(leaseSeconds * 1e9)
            quiet = lease
        }
    }

    /// A question for the database. One is under way at a time.
    package enum Call: Hashable, Sendable {
        /// Answered by `renewed`.
        case renew
        /// Answered by `members`.
        case members
        /// Answered by `shards`.
        case shards
        /// Answered by `fenced`.
        case fence(Int)
        /// Answered by `claimed`, with those that it got.
        case claim([ShardRow])
        /// Answered by `handedOver`, with those that have changed hands. Its statement must be
        /// refused if it comes by a former connection: this member may own the shards again.
        case handOver([Int], to: Int)
        /// Answered by `done`.
        case setLeaving
        /// Answered by `done`.
        case setGone
        /// Joins anew under the same name, after the former life was lost. Answered by `joined`.
        case join
    }

    package enum Answer: Hashable, Sendable {
        case renewed(Renewal)
        case members([MemberRow])
        /// All of them.
        case shards([ShardRow])
        case fenced(Bool)
        case claimed([ShardRight])
        case handedOver([ShardRow])
        case done
        /// The new member's id.
        case joined(Int)
        /// None came: whether the statement was carried out is unknown.
        case failed
        /// This member is gone.
        case lost
    }

    /// Shards on their way to an heir.
    package struct HandOver: Hashable, Sendable {
        /// Grows by one with each hand-over: answers to a former one are left out.
        package var number: Int
        /// As this member owns them. Its motion is exported for the epoch that follows.
        package var rights: [ShardRight]
        package var heir: Int

        package var shards: [Int] { rights.map(\.number) }
    }

    package enum Input: Hashable, Sendable {
        /// The time of the last `wait` has come, or nearly.
        case timer
        /// Another member has told of a change, or a lane's lease is over and it has to know.
        case woken
        /// To the call under way.
        case answered(Answer)
        /// A commit was not answered: the connections are being made anew.
        case disconnected
        /// A commit was refused: the member with this id is gone.
        case lost(member: Int)
        /// All lanes have answered the last `probeLanes`.
        case lanesAnswered
        /// The lanes have brought back what moved in these shards; earlier rights are left out.
        case taken([ShardRight])
        /// Everything in the shards of this hand-over is stored, and nothing more happens to it.
        case prepared(Int)
        /// The lanes could not do so.
        case unprepared(Int)
        /// The daemon shall end. May come again.
        case stop
        /// After `finish`: all lanes have stored all they had.
        case finished
    }

    package enum Action: Hashable, Sendable {
        /// Ask the database, and report `answered`.
        case ask(Call)
        /// Until then nothing is to be done, unless an input comes.
        case wait(until: Int)
        /// Have every lane answer once, and report `lanesAnswered`. None is under way.
        case probeLanes
        /// The lease lasts until then: without a later one, a lane asks before it tells.
        case leased(until: Int)
        /// The shards are this member's: have the lanes restore what moves, and report `taken`.
        /// Until then what comes for them waits.
        case take([ShardRight])
        /// Hold what comes for these shards, export what moves, commit all, and report `prepared`.
        case prepare(HandOver)
        /// The shards of a hand-over stay: go on with them.
        case keep(HandOver)
        /// The shards are another's: drop their sessions, with the event `moved`.
        case drop([Int])
        /// All shards are lost: drop all sessions, with the event `moved`; refuse what is held.
        case dropAll
        /// `map` is another: answer clients by it.
        case mapChanged
        /// Have the lanes store all they have and end, and report `finished`.
        case finish
        /// The end: whether the member left in order. Nothing follows.
        case ended(inOrder: Bool)
    }

    /// Totals since the start.
    package struct Figures: Hashable, Sendable {
        /// Shards taken that nobody owned.
        package var claimed = 0
        /// Shards given to others.
        package var handedOver = 0
        /// Shards taken away from this member.
        package var lost = 0
        /// Other members ended by this one.
        package var fenced = 0
        /// Renewals that came after the lease had ended.
        package var late = 0

        package init() {}
    }
}
