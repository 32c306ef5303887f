import Foundation

/// How many storms of a suite are played: each change plays a quarter of them, `make nightly` all.
package enum Storms {
    private static let share: UInt64 =
        ProcessInfo.processInfo.environment["STORMS"] == "all" ? 1 : 4

    /// The number of storms to play of `all`.
    package static func count(of all: UInt64) -> UInt64 { all / share }

    /// Their seeds.
    package static func seeds(of all: UInt64) -> Range<UInt64> { 0..<count(of: all) }
}
