import Geometry
import Gestures
import Motion

extension Scroller {
    /// Takes other bounds, and a viewport of another height. The offset stays; beyond the bounds it
    /// goes its own way back.
    ///
    /// A contact or a wheel that drags goes on from the offset that shows. `isPlaced`: a client
    /// places the content and goes on to do so.
    mutating func adapt(to bounds: ClosedRange<Double>, extent: Double, isPlaced: Bool = false) {
        guard bounds != self.bounds || extent != self.extent else { return }
        let former = self.bounds
        self.bounds = bounds
        self.extent = extent
        switch state {
        case .resting: if !isPlaced { release(at: 0) }
        case .turned: if !bounds.contains(offset) { release(at: 0) }
        case .held, .coasting: break
        case .dragged(let grip): state = .dragged(moved(grip, from: former))
        case .pulled(let series, let grip): state = .pulled(series, moved(grip, from: former))
        }
    }

    /// The content grew or shrank above what is seen: the offset follows, and what holds or moves
    /// the content goes on. `adapt` sets the bounds that the content has then.
    mutating func translate(by way: Double) {
        bounds = bounds.lowerBound + way...bounds.upperBound + way
        offset += way
        isOwn = true
        func translated(_ grip: Grip) -> Grip {
            var grip = grip
            grip.origin += way
            grip.tracker.translate(by: Vector(0, way))
            return grip
        }
        switch state {
        case .resting, .held, .turned, .coasting: break
        case .dragged(let grip): state = .dragged(translated(grip))
        case .pulled(let series, let grip): state = .pulled(series, translated(grip))
        }
    }

    /// A grip that shows the present offset at the translation at which the former one did.
    private func moved(_ grip: Grip, from former: ClosedRange<Double>) -> Grip {
        let edge = former.clamped(offset)
        // A decoded offset may lie where no pull shows it.
        let reach = grip.extent * (1 - 1e-9)
        let beyond = min(max(offset - edge, -reach), reach)
        let pulled = edge + ScrollPhysics.pull(showing: beyond, extent: grip.extent)
        let anew = gripped()
        var moved = grip
        moved.origin += anew.origin - pulled
        moved.extent = anew.extent
        return moved
    }
}
