package import Geometry
package import Gestures
import Motion

/// How a wheel pulls the page: as a finger would, with or without phases.
///
/// The page has no room to scroll, so each turn goes into the rubber band. The end of a series
/// pages if it has loaded a neighbour. Momentum does not hold the page: it pulls until a neighbour
/// is loaded, which then comes in, or until it has no more strength to load one. Momentum that no
/// series with phases holds never pulls, if its source tells that it is momentum.
extension Reader {
    package mutating func wheel(_ wheel: Wheel, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let series = wheelScroller?.wheelSeries
        let way = wheel.delta.y
        var stroke: WheelStroke?
        if series?.isPhased != true {
            let isFree = wheel.isMomentum || wheel.phase == nil
            if wheel.isMomentum || (isFree && way == 0) { return }
            if isFree { stroke = self.stroke?.followed(by: way, at: now) }
            if let stroke, stroke.isOver {
                self.stroke = stroke
                return
            }
            if isFree, stroke == nil { stroke = WheelStroke(way, at: now) }
        }
        if case .paging = state { throw Self.pagingRejection }
        let part = try WheelSeries.part(of: wheel, in: series, at: now)
        let before = offset
        switch part {
        case .begins(let series):
            var scroller = try takenUp()
            scroller.pull(by: way, in: series)
            self.stroke = stroke
            pull(.wheel(scroller), at: now, into: &effects)
            if isMomentum(wheel) { cutMomentum(at: now, into: &effects) }
        case .goesOn(let series):
            guard var scroller = wheelScroller else { break }
            // Frees the state's reference to the samples: appending would copy them all.
            state = .resting
            scroller.pull(by: way, in: series)
            self.stroke = stroke
            pullOn(.wheel(scroller), from: before, at: now, into: &effects)
            if isMomentum(wheel) { cutMomentum(at: now, into: &effects) }
        case .ends:
            guard var scroller = wheelScroller else { break }
            _ = scroller.follow(wheel, as: part)
            load(at: scroller.offset, at: now, into: &effects)
            release(scroller, at: now, into: &effects)
        case .cancels:
            guard var scroller = wheelScroller else { break }
            _ = scroller.follow(wheel, as: part)
            cancel(scroller, at: now, into: &effects)
        }
    }

    /// A pause ends a series without phases; silence cancels one with them.
    mutating func fireWheel(_ scroller: Scroller, at now: Step, into effects: inout Effects) {
        guard let series = scroller.wheelSeries, series.deadline <= now else { return }
        var scroller = scroller
        scroller.endWheel(at: now)
        if series.isPhased {
            cancel(scroller, at: now, into: &effects)
        } else {
            release(scroller, at: now, into: &effects)
        }
    }

    /// Whether the fingers have left the wheel, as it tells or as its stroke shows.
    private func isMomentum(_ wheel: Wheel) -> Bool {
        wheel.isMomentum || stroke?.isMomentum == true
    }

    /// Lets the page go where momentum has pulled it, unless it may still load a neighbour.
    private mutating func cutMomentum(at now: Step, into effects: inout Effects) {
        guard var scroller = wheelScroller else { return }
        let velocity = scroller.pullVelocity
        let isTowardsNeighbour =
            velocity * offset > 0 && hasNeighbour(offset < 0 ? .previous : .next)
        let isStrong = velocity.magnitude >= ScrollPhysics.flingVelocityMin
        let isLoaded = header.isLoaded || footer.isLoaded
        guard isLoaded || !isTowardsNeighbour || !isStrong else { return }
        stroke?.isOver = true
        scroller.release(at: velocity)
        release(scroller, at: now, into: &effects)
    }

    /// The content that a wheel pulls; nil: none does.
    private var wheelScroller: Scroller? {
        if case .dragging(.wheel(let scroller)) = state { return scroller }
        return nil
    }

    /// The content as it is shown, for a series that begins.
    private func takenUp() throws(Rejection) -> Scroller {
        switch state {
        case .resting, .paging, .dragging(.client):
            return Scroller(bounds: 0...0, extent: height, offset: offset)
        case .dragging(.wheel(let scroller)), .returning(let scroller): return scroller
        case .dragging(.contact): throw Scroller.dragged
        }
    }
}
