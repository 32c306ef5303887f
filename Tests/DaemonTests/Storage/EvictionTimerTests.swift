import Geometry
import Testing

@testable import Daemon

struct EvictionTimerTests {
    /// Ticks between two sweeps and two looks for old sessions, by the seconds of `idle_timeout`.
    @Test(arguments: [
        (idle: 0.3, sweep: 1, expiry: 1), (9, 1, 1), (50, 5, 5), (100, 10, 10), (300, 30, 10),
        (1_800, 60, 10),
    ])
    func whatIsDueComesAtItsTick(_ row: (idle: Double, sweep: Int, expiry: Int)) {
        var eviction = EvictionTimer()
        eviction.schedule(idleSteps: Int(row.idle * Double(Step.perSecond)))
        for count in 1...120 {
            let due = eviction.tick()
            #expect(due.isSweep == count.isMultiple(of: row.sweep), "tick \(count)")
            #expect(due.isExpiry == count.isMultiple(of: row.expiry), "tick \(count)")
        }
    }
}
