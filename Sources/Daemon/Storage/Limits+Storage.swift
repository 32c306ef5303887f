import Notation
import Sessions

extension Limits {
    /// The highest version at which those of a run begin, which is by the clock: there are as many
    /// left as come in a year, below what every JSON reader holds exactly.
    static let versionsBegunMax = countMax - 1 << 45
    /// Names of sessions that are gone whose last version of counts is remembered, on each lane.
    static let formerVersionsMax = 100_000
    /// Sessions of a lane that are gone before the store knows it: some MiB, beyond which none may
    /// go.
    static let removalsUnstoredMax = 100_000
    /// Changes of one lane on their way to the store: enough that none waits for another's commit,
    /// few enough that a slow disk does not fill memory with them.
    static let handOversMax = 16
    /// Sessions of a lane that are written for the store in one piece: some milliseconds of work.
    static let handedOverAtOnceMax = 512
    /// Publishes for which a commit waits where that many are under way: up to here it costs more
    /// than what is in it; of more it waits for half, so that one half is handled while the other
    /// is committed.
    static let gatheredMax = 16
}
