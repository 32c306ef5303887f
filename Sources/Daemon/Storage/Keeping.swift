import Codec
import Geometry
import Interactions
import Sessions
import Store

/// What a lane knows of the store.
struct Keeping {
    let storeWriter: StoreWriter
    let reader: any StoreReader
    /// Whether the lane knows that the store's life has begun.
    var hasBegun: Bool
    /// Sessions that have settled otherwise than the store knows.
    var unstored: [ActiveSession] = []
    /// Sessions that are gone and that the store is still to forget.
    var removed: [String: Removal] = [:]
    /// Those of them that it is forgetting; a name in both was opened and closed meanwhile.
    var beingRemoved: [String: Removal] = [:]
    /// Publishers that wait for what is not durable yet.
    var held: [Held] = []
    /// How many hand-overs are on their way, at most `Limits.handOversMax`.
    var handOvers = 0
    /// Those of them that are a part of what was to be handed over.
    var parts = 0
    /// How many sessions still go in parts, of a series that is under way: those that were waiting
    /// when it began. What came meanwhile goes with its last piece, or it might never end.
    var partsLeft = 0
    /// Whether that last piece is to follow.
    var isLastDue = false
    /// Whether the next hand-over has its time already.
    var isDue = false
    /// Whether the last one could not be stored, so that the next one waits for its time.
    var isRetrying = false
    /// Whether nothing comes any more: the rest is handed over in one piece.
    var isEnding = false

    init(_ storeWriter: StoreWriter) throws(StoreError) {
        self.storeWriter = storeWriter
        reader = try storeWriter.makeReader()
        hasBegun = storeWriter.hasBegun
    }

    /// Whether what the store has by a name is gone, and only the store does not know it yet.
    func isRemoved(_ id: String) -> Bool { removed[id] != nil || beingRemoved[id] != nil }

    /// The versions of a name's counts: the last one told, and the last one that was stored.
    struct Removal: Hashable, Sendable {
        var version: Int
        var stored: Int
    }

    struct Held: Sendable {
        var envelope: Envelope
        var answer: Answer
    }

    /// What is told once it is durable.
    enum Answer: Sendable {
        case done
        case duplicate
        case opened(isNew: Bool, epoch: String)
    }

    /// Changes on their way to the disk, and who is told of them.
    struct HandOver: @unchecked Sendable {
        // Sessions are touched on the lane's queue alone, which this returns to; hence unchecked.
        var residents: [(ActiveSession, ActiveSession.Stored)]
        var removed: [String: Removal]
        var held: [Held]
        /// Whether more follows.
        var isPart: Bool
    }
}

extension ActiveSession {
    /// What tells whether a record is another.
    struct Noted {
        var text: RecordText
        /// Of the counts.
        var version = 0
        var seenTotal = 0
        /// Of the generator.
        var seed: UInt64 = 0

        init(_ session: borrowing Session) {
            text = RecordText(componentCount: session.scene.components.count)
        }

        /// Whether a session has counted and drawn nothing and applied no id since.
        func isAsNoted(_ session: borrowing Session) -> Bool {
            session.badges.version == version && session.seen.total == seenTotal
                && session.seed == seed
        }
    }

    /// What the store knows of a session once a hand-over is durable.
    struct Stored {
        var seenTotal: Int
        /// Of the counts; only so many later ones may be told.
        var version: Int
        /// The daemon's step of the event that it was touched by.
        var touched: Step
    }
}
