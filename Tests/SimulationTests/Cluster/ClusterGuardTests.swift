import Testing

@testable import Simulation

/// Each guard of a cluster, and the harm that it prevents. Times are nanoseconds.
@Suite struct ClusterGuardTests {
    private static let second = 1_000_000_000
    /// When a scene's trouble begins: everything is settled.
    private static let start = 3 * second

    /// Three daemons that are settled, and publishes to all shards just before the trouble begins.
    private static func settled(
        _ seed: UInt64, without: Set<ClusterGuard>
    ) -> SimulatedCluster {
        var cluster = SimulatedCluster(daemons: 3, shards: 12, seed: seed, without: without)
        for shard in 0..<12 {
            cluster.publish(to: shard, moves: true, at: start - second / 2)
            for delay in [3_000_000, 1_000_000, 500_000] {
                cluster.publish(to: shard, moves: true, at: start - delay)
            }
            for delay in [second * 5 / 2, second * 3] {
                cluster.publish(to: shard, moves: false, at: start + delay)
            }
        }
        return cluster
    }

    /// The faults in the scene of a guard.
    private static func trouble(of rule: ClusterGuard) -> [(fault: ClusterFault, time: Int)] {
        switch rule {
        case .fence, .deadline: [(.pause(daemon: 0, 7 * second / 2), start)]
        case .generation:
            [(.delay(daemon: 0, .commit, 5_000_000, by: 4 * second), start - 2_000_000)]
        case .handOverGeneration:
            [
                (.kill(daemon: 2, restart: start - second / 10), second / 10),
                (.delay(daemon: 0, .handOver, second, by: 3 * second / 2), start),
            ]
        case .quietLease: [(.databaseDown(3 * second), start)]
        case .motionFor:
            [
                (.kill(daemon: 2, restart: start - second / 10), second / 10),
                (.delay(daemon: 2, .commit, second, by: 5 * second), start),
                (.kill(daemon: 2, restart: nil), start + second / 2),
            ]
        }
    }

    /// Promises that four runs of a scene break.
    private static func harm(in rule: ClusterGuard, without: Set<ClusterGuard>) -> [String] {
        (0..<4 as Range<UInt64>).flatMap { seed -> [String] in
            var cluster = settled(seed, without: without)
            for (fault, time) in trouble(of: rule) { cluster.add(fault, at: time) }
            cluster.run(until: start)
            let shards = cluster.database.shards
            cluster.run(until: 14 * second)
            cluster.audit()
            if rule == .quietLease, cluster.database.shards != shards {
                cluster.violations.append("shards have changed hands though nobody was away")
            }
            return cluster.violations
        }
    }

    @Test(arguments: ClusterGuard.allCases)
    func eachGuardPreventsItsHarm(rule: ClusterGuard) {
        #expect(Self.harm(in: rule, without: []).isEmpty)
        let harm = Self.harm(in: rule, without: [rule])
        let expected =
            switch rule {
            case .fence, .generation: "is acknowledged and lost"
            case .handOverGeneration, .deadline: "tell of shard"
            case .quietLease: "though nobody was away"
            case .motionFor: "goes on in epoch"
            }
        #expect(harm.contains { $0.contains(expected) }, "found: \(Set(harm).sorted())")
    }
}
