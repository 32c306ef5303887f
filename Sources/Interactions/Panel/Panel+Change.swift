package import Geometry
import Motion

/// Another scene says something else of the panel.
extension Panel {
    /// It stays at the anchor of its name, or at the nearest one where that has gone. Under a
    /// finger it stays where it is, and on its way it goes on to where its anchor is now.
    package mutating func adapt(
        to parameters: PanelParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters else { return }
        let (former, shown) = (self.parameters, ShownViews(self))
        func moved(_ index: Int) -> Int? { parameters.index(of: former.anchors[index].name) }
        let goal: Int?
        if case .settling(_, let to) = state { goal = moved(to) } else { goal = nil }
        // The names of the former parameters tell what it leaves.
        if goal == nil { cancelSettling(into: &effects) }
        let rest = moved(anchor)
        self.parameters = parameters
        anchor = rest ?? nearestAnchor(to: position)
        effects.needsPublish = true
        switch state {
        case .resting:
            position = parameters.position(of: anchor)
        case .caught: break
        case .dragging(let grip):
            if parameters.drag != .none, parameters.axis == former.axis {
                state = .dragging(grip.kept(extent: parameters.frameLength))
            } else {
                release(at: 0, into: &effects)
            }
        case .settling(let spring, _):
            guard let goal else { break }
            let led = led(spring, to: goal)
            state = .settling(led, to: goal)
            if !led.isMoving { arrive(at: goal, into: &effects) }
        }
        for case .plain(let view) in shown.placedAnew(in: ShownViews(self)) { cuts.grow(view) }
        guard parameters.start != former.start, case .resting = state else { return }
        go(to: parameters.startIndex, isAnimated: true, into: &effects)
    }
}

extension Panel {
    /// The same motion on its way to where an anchor is now.
    private func led(_ spring: SpringAnimation, to goal: Int) -> SpringAnimation {
        SpringAnimation(
            from: spring.value, to: parameters.position(of: goal), velocity: spring.velocity,
            spring: parameters.spring.spring)
    }
}

extension Panel.Grip {
    /// The same in a frame of another length.
    fileprivate func kept(extent: Double) -> Panel.Grip {
        var grip = self
        grip.extent = max(grip.extent, extent)
        return grip
    }
}
