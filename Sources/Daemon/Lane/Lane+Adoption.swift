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
        let isSweepChanged = settings.idleSteps != self.settings.idleSteps
        self.settings = settings
        opener.scenes = settings.scenes
        opener.autoOpen = settings.autoOpen.map { .named($0) }
        opener.frameRate = settings.frameRate
        if isSweepChanged { eviction.schedule(idleSteps: settings.idleSteps) }
    }
}
