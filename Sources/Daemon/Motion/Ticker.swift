import CSystem
import Dispatch
import Geometry
import Glibc
import Notation
import Sessions

/// Knows when a lane's sessions move: the sessions that are due at some step, and the timer that
/// fires at the earliest of these steps.
///
/// A lane begins a step (`begin`), takes each session that is due (`next`), advances and lists it
/// anew, and arms the timer for the next step. Sessions whose motion somebody watches come first,
/// so that their frames are on time while the processor suffices for them; the others lag by
/// `Limits.unwatchedLagSteps` at most before they take turns with them. A session at rest is in no
/// list and costs nothing.
struct Ticker {
    let timer: StepTimer
    private var watched = DueSessions()
    private var others = DueSessions()
    /// The step up to which sessions are lined up.
    private(set) var lastStep = Step.zero
    /// Sessions to take until as many are as were due when the pass began.
    private var passLeft = 0
    /// Whether the others lag so far that they take turns with the watched ones.
    private var areOthersOverdue = false
    private var isOthersTurn = false
    /// The step for which the timer is set; nil: it is not.
    private var armed: Step?

    init() throws(StartError) { timer = try StepTimer() }

    /// The timer fired.
    mutating func fired() {
        timer.clear()
        armed = nil
    }

    /// Whether sessions that are due have still to be taken.
    var isUnderWay: Bool { waitingCount > 0 }
    private var waitingCount: Int { watched.waitingCount + others.waitingCount }

    /// Whether a pass over all that were due is under way.
    var isInPass: Bool { passLeft > 0 }

    /// Lines up the sessions that are due up to a step. Returns whether a pass begins with it.
    mutating func begin(_ step: Step) -> Bool {
        watched.lineUp(after: lastStep, to: step)
        others.lineUp(after: lastStep, to: step)
        lastStep = step
        let lag = others.first?.wake.map { step - $0 } ?? 0
        areOthersOverdue = lag > Limits.unwatchedLagSteps
        guard passLeft == 0 else { return false }
        passLeft = waitingCount
        return true
    }

    /// Takes the next session that is due; nil: all were taken.
    mutating func next() -> ActiveSession? {
        isOthersTurn = areOthersOverdue && !isOthersTurn
        let first = isOthersTurn ? others.take() : watched.take()
        let active = first ?? (isOthersTurn ? watched.take() : others.take())
        if active != nil, passLeft > 0 { passLeft -= 1 }
        return active
    }

    /// Lists a session that is due at some step.
    mutating func list(_ active: ActiveSession, isWatched: Bool) {
        if isWatched {
            watched.list(active, after: lastStep)
        } else {
            others.list(active, after: lastStep)
        }
    }

    /// Sets the timer to the earliest step, or to that of `others` if it is earlier. Returns its
    /// monotonic time; nil: no session is due.
    mutating func arm(_ grid: borrowing Grid, others heavy: Step? = nil) -> Int? {
        // One that is under way goes on at once, behind what waits.
        var next = isUnderWay ? lastStep : Step.never
        next = min(next, watched.earliest(after: lastStep) ?? .never)
        next = min(next, others.earliest(after: lastStep) ?? .never)
        next = min(next, heavy ?? .never)
        guard next != .never else { return nil }
        let time = grid.time(of: next)
        if next != armed {
            armed = next
            timer.set(to: time)
        }
        return time
    }
}

extension Limits {
    /// Steps by which looks at sessions that nobody watches may lag where the processor does not
    /// suffice: 100 ms. With the steps between two looks it is two thirds of what is made up.
    static let unwatchedLagSteps = 12
}

/// A timer of the system: one of Dispatch's own allocates each time it is set.
final class StepTimer {
    private let descriptor: CInt
    private var source: (any DispatchSourceRead)?

    init() throws(StartError) {
        descriptor = gs_timer_open()
        guard descriptor >= 0 else { throw StartError("cannot open a timer") }
    }

    deinit {
        // A source that was started closes the descriptor.
        if source == nil { _ = Glibc.close(descriptor) }
    }

    /// Has `queue` call `tick` each time the timer fires; called once.
    func start(on queue: DispatchQueue, tick: @escaping () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: tick)
        source.setCancelHandler { [descriptor] in _ = Glibc.close(descriptor) }
        self.source = source
        source.activate()
    }

    func stop() { source?.cancel() }

    /// Fires at a time on the monotonic clock.
    func set(to time: Int) { gs_timer_set(descriptor, Int64(time)) }
    func clear() { gs_timer_clear(descriptor) }
}
