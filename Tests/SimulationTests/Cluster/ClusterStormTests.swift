import Geometry
import Testing

@testable import Simulation

/// Three daemons and their database in bad weather. Times are nanoseconds.
@Suite struct ClusterStormTests {
    private static let second = 1_000_000_000

    /// Six seconds of faults, then as long as a takeover may last, then until all is settled.
    private static func play(
        seed: UInt64, without: Set<ClusterGuard> = []
    ) -> (cluster: SimulatedCluster, unowned: [Int]) {
        var cluster = SimulatedCluster(daemons: 3, shards: 12, seed: seed, without: without)
        cluster.run(until: 3 * second)
        cluster.storm(in: 3 * second..<9 * second, faults: 6, publishes: 60)
        cluster.run(until: 11 * second + second / 2)
        let unowned = cluster.unowned
        cluster.run(until: 15 * second)
        cluster.audit()
        return (cluster, unowned)
    }

    @Test(arguments: 0..<120 as Range<UInt64>)
    func nothingAcknowledgedIsLostAndEveryShardIsOwnedSoon(seed: UInt64) {
        let (cluster, unowned) = Self.play(seed: seed)
        #expect(cluster.violations.isEmpty, "seed \(seed)")
        #expect(unowned.isEmpty, "seed \(seed): 2.5 s after the last fault")
        let shares = cluster.shares
        #expect(shares.reduce(0, +) == 12 && (shares.max() ?? 0) - (shares.min() ?? 0) <= 1)
    }
}
