/// Work that a bridge spreads over its turns.
package enum TurnWork {
    /// Milliseconds of a turn for what the daemon says: the watchdog, signals and the other side
    /// come between, each many times a second.
    package static let millisecondsMax = 20

    /// Does steps, one at least, until none is left or the time is over. Returns whether more may
    /// be left.
    /// - Parameters:
    ///   - clock: gives the milliseconds of a clock that never goes back.
    ///   - step: does one step; it returns false where there was none to do.
    package static func run(clock: () -> Int, _ step: () -> Bool) -> Bool {
        let end = clock() + millisecondsMax
        while step() {
            if clock() >= end { return true }
        }
        return false
    }
}
