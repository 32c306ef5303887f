import Dispatch
import Geometry

/// Finds the sessions that nobody uses. One sweep after the other, each in pieces.
struct Eviction {
    /// Made at the start: Dispatch traps when a source goes that was never activated.
    private var timer: (any DispatchSourceTimer)?
    /// Sessions that the sweep under way has still to look at.
    private var rest: [ActiveSession] = []

    /// Has `queue` call `sweep` again and again, each time `steps` are a tenth over.
    mutating func start(on queue: DispatchQueue, idleSteps: Int, sweep: @escaping () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: sweep)
        self.timer = timer
        schedule(idleSteps: idleSteps)
        timer.activate()
    }

    func stop() { timer?.cancel() }

    /// Sweeps ten times within the time after which an unused session is evicted.
    func schedule(idleSteps: Int) {
        let seconds = Double(idleSteps) / Double(Step.perSecond)
        let interval = min(10, max(0.05, seconds / 10))
        timer?.schedule(deadline: .now() + interval, repeating: interval)
    }

    var isUnderWay: Bool { !rest.isEmpty }
    mutating func begin(_ all: [ActiveSession]) { rest = all }
    mutating func next() -> ActiveSession? { rest.popLast() }
}
