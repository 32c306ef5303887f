import Dispatch
import Geometry
import Sessions

extension Lane {
    /// Takes the settings that a barrier brings, and passes it on.
    func pass(_ barrier: Barrier) {
        switch barrier.purpose {
        case .watch, .probe: break
        case .adopt(let settings): adopt(settings)
        }
        if barrier.pass(lane: number) { sink.barrier(barrier) }
    }

    /// Adopts the settings of a reload; open sessions keep theirs.
    private func adopt(_ settings: LaneSettings) {
        let isSweepChanged = settings.idleSteps != self.settings.idleSteps
        self.settings = settings
        opener.scenes = settings.scenes
        opener.autoOpen = settings.autoOpen.map { .named($0) }
        opener.frameRate = settings.frameRate
        if isSweepChanged { spare.eviction.schedule(idleSteps: settings.idleSteps) }
    }
}
