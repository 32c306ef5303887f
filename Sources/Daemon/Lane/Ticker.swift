import CSystem
import Dispatch
import Geometry
import Glibc
import Sessions

/// Knows when a lane's sessions move: the sessions that are due at some step, and the timer that
/// fires at the earliest of these steps.
///
/// A lane begins a step (`begin`), advances each listed session that is due and relists it, and
/// arms the timer for the next. A session at rest is in no list and costs nothing.
struct Ticker {
    let timer: StepTimer
    private var listed: [ActiveSession] = []
    /// The step that the listed sessions have reached.
    private(set) var lastStep = Step.zero
    /// The first step at which any listed session is due, or one before it.
    private var earliestWake: Step?
    /// The next place to look at, while not all listed sessions have been.
    private var place: Int?
    /// The step for which the timer is set; nil: it is not.
    private var armed: Step?

    init() throws(StartError) { timer = try StepTimer() }

    var count: Int { listed.count }
    subscript(index: Int) -> ActiveSession { listed[index] }

    /// The timer fired.
    mutating func fired() {
        timer.clear()
        armed = nil
    }

    /// Whether some of the listed sessions have still to be looked at.
    var isUnderWay: Bool { place != nil }

    /// Begins to bring the listed sessions to a step.
    mutating func begin(_ step: Step) {
        lastStep = step
        earliestWake = nil
        place = listed.isEmpty ? nil : 0
    }

    /// The session to look at; nil: all have been.
    var current: ActiveSession? { place.map { listed[$0] } }

    /// Goes on to the next session. One that was looked at stays if it is due again.
    mutating func goOn() {
        guard let former = place else { return }
        let next = relist(at: former)
        place = next < listed.count ? next : nil
    }

    /// Keeps a session that was looked at if it is due again, and returns the next place to look
    /// at.
    private mutating func relist(at index: Int) -> Int {
        // A heavy one is listed elsewhere.
        if let wake = listed[index].wake, listed[index].effort.weight != .heavy {
            earliestWake = min(earliestWake ?? wake, wake)
            return index + 1
        }
        listed[index].isListed = false
        listed.swapAt(index, listed.count - 1)
        listed.removeLast()
        return index
    }

    /// Lists a session that is due at some step.
    mutating func list(_ active: ActiveSession) {
        guard let wake = active.wake else { return }
        earliestWake = min(earliestWake ?? wake, wake)
        guard !active.isListed else { return }
        active.isListed = true
        listed.append(active)
    }

    /// Sets the timer to the earliest step, or to that of `others` if it is earlier. Returns its
    /// monotonic time; nil: no session is due.
    mutating func arm(_ grid: borrowing Grid, others: Step? = nil) -> Int? {
        // One that is under way goes on at once, behind what waits.
        let own = isUnderWay ? lastStep : earliestWake
        guard let next = own.map({ min($0, others ?? $0) }) ?? others else { return nil }
        let time = grid.time(of: next)
        if next != armed {
            armed = next
            timer.set(to: time)
        }
        return time
    }
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
        source.activate()
        self.source = source
    }

    func stop() { source?.cancel() }

    /// Fires at a time on the monotonic clock.
    func set(to time: Int) { gs_timer_set(descriptor, Int64(time)) }
    func clear() { gs_timer_clear(descriptor) }
}
