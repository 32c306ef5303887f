import Interactions
import Notation
import Sessions

extension Limits {
    /// The highest version at which a run may begin. Versions begin by the clock; a year's worth of
    /// them is left below the largest number that every JSON reader holds exactly.
    static let versionsBegunMax = BadgeCounts.countMax - 1 << 45
    /// Closed sessions whose last version of counts each lane remembers.
    static let formerVersionsMax = 100_000
    /// Closed sessions of a lane that the store has not deleted yet: some MiB. Beyond it none may
    /// be closed.
    static let removalsUnstoredMax = 100_000
    /// Publishes that a commit waits for, if so many are likely to come: up to here a commit costs
    /// more than its contents. With more it waits for half: one half is handled while the other is
    /// committed.
    static let gatheredMax = 16
}
