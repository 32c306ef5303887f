import Dispatch
import Geometry
import Sessions

extension Lane {
    /// Takes what a round trip brings, and passes it on.
    func pass(_ trip: Barrier) {
        switch trip.purpose {
        case .watch: break
        case .adopt(let settings): adopt(settings)
        }
        if trip.pass(lane: number) { sink.barrier(trip) }
    }

    /// Goes on by other settings; what is open keeps what it was opened with.
    private func adopt(_ settings: LaneSettings) {
        let isSweptOtherwise = settings.idleSteps != self.settings.idleSteps
        self.settings = settings
        opener.scenes = settings.scenes
        opener.autoOpen = settings.autoOpen.map { .named($0) }
        opener.frameRate = settings.frameRate
        if isSweptOtherwise { scheduleSweeps() }
    }

    /// Looks for sessions that nobody uses ten times within the time after which they go.
    func scheduleSweeps() {
        let seconds = Double(settings.idleSteps) / Double(Step.perSecond)
        let interval = min(10, max(0.05, seconds / 10))
        sweeper?.schedule(deadline: .now() + interval, repeating: interval)
    }
}
