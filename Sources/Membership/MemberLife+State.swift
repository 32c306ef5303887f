extension MemberLife {
    enum Stage: Hashable {
        /// Can become: `leaving`, `lost`.
        case joined
        /// It gives all its shards to others. `isTold`: they know. Can become: `finishing`.
        case leaving(until: Int, isTold: Bool)
        /// It owns nothing, and joins anew. Can become: `joined`, `finishing`.
        case lost
        /// The lanes store what they have. `isMember`: it has to let go of the rest. Can become:
        /// `parting`, `ended`.
        case finishing(until: Int, isMember: Bool)
        /// All is stored; what it still owns becomes free. Can become: `ended`.
        case parting(until: Int)
        /// Final.
        case ended
    }

    /// One shard, as this member holds it.
    enum Holding: Hashable {
        /// Another's, or nobody's. Can become: `coming`.
        case away
        /// It owns it, and the lanes restore what moved. Can become: `mine`, `away`.
        case coming(ShardRight)
        /// Can become: `going`, `away`.
        case mine(ShardRight)
        /// In the hand-over that is under way, which has its right. Can become: `mine`, `away`.
        case going
    }

    /// The hand-over that is under way; there is one at most.
    enum HandOverStage: Hashable {
        case none
        /// The lanes store its sessions. Can become: `ready`, `none`.
        case preparing(HandOver, until: Int)
        /// The database is to be told. Can become: `asked`, `none`.
        case ready(HandOver, until: Int)
        /// The call is under way. Can become: `unsettled`, `none`.
        case asked(HandOver)
        /// It was answered in part, or not at all: the next reading of the shards tells whose they
        /// are. Until then they are nobody's here. Can become: `none`.
        case unsettled(HandOver)
    }

    /// The next question of the poll that is under way.
    enum Step: Hashable {
        /// Nothing: the poll is over.
        case rest
        case members
        case shards
        /// Members that are late.
        case fence([Int])
        case claim
        case give
    }

    /// A call under way.
    enum Asked: Hashable {
        case nothing
        case call(Call, at: Int)
        /// It was sent in a former life: its answer means nothing any more.
        case stale
    }

    /// Whether members that are late may be fenced.
    enum Quiet: Hashable {
        /// The database does not answer.
        case withoutConnection
        /// Others need as long to come back as this member did.
        case until(Int)
    }

    struct Lanes: Hashable {
        /// When all had answered last.
        var seen: Int
        var isProbing = false
    }

    struct Schedule: Hashable {
        /// When the next poll begins.
        var poll: Int
        /// When the last one began.
        var lastPoll: Int
        /// Nothing is asked before: the last call had no answer.
        var retry: Int
        /// No hand-over begins before: the last one failed.
        var handOver: Int
    }
}
