import Dispatch
import Geometry
import Notation

/// Finds the sessions that nobody uses: one sweep over all after the other, each in pieces. Its
/// timer also says when a lane looks at what else time alone makes due.
struct EvictionTimer {
    /// Made at the start: Dispatch traps when a source goes that was never activated.
    private var timer: (any DispatchSourceTimer)?
    private var ticks = 0
    private var ticksPerSweep = 1
    private var ticksPerExpiry = 1
    /// Sessions that the sweep under way has still to look at.
    private var rest: [ActiveSession] = []

    /// The work that is due at a tick.
    struct Due {
        /// A sweep over all sessions.
        var isSweep: Bool
        /// A look for stored sessions that nobody uses.
        var isExpiry: Bool
    }

    /// Makes the timer that calls `tick` on `queue` each second, or sooner if sessions go sooner.
    /// The caller activates it when it changes `self` no more: the first tick may come at once.
    mutating func makeTimer(
        on queue: DispatchQueue, idleSteps: Int, tick: @escaping () -> Void
    ) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: tick)
        self.timer = timer
        schedule(idleSteps: idleSteps)
        return timer
    }

    func stop() { timer?.cancel() }

    /// Sweeps ten times within the time after which an unused session is evicted, but once a minute
    /// at least.
    mutating func schedule(idleSteps: Int) {
        let tenth = max(0.05, Double(idleSteps) / Double(Step.perSecond) / 10)
        let interval = min(1, tenth)
        ticksPerSweep = Int(min(Limits.sweepSecondsMax, tenth) / interval)
        ticksPerExpiry = Int(min(Limits.expirySecondsMax, tenth) / interval)
        timer?.schedule(deadline: .now() + interval, repeating: interval)
    }

    /// Counts a tick; says what is due at it.
    mutating func tick() -> Due {
        ticks += 1
        return Due(
            isSweep: ticks.isMultiple(of: ticksPerSweep),
            isExpiry: ticks.isMultiple(of: ticksPerExpiry))
    }

    var isUnderWay: Bool { !rest.isEmpty }
    mutating func begin(_ all: [ActiveSession]) { rest = all }
    mutating func next() -> ActiveSession? { rest.popLast() }
}

extension Limits {
    /// Seconds between two sweeps at most: a session leaves memory at most so late.
    static let sweepSecondsMax = 60.0
    /// Seconds between two looks for stored sessions that nobody uses at most; each deletes a few.
    static let expirySecondsMax = 10.0
}
