package import Geometry
package import Gestures

/// How a wheel pulls the page: as a finger would, with or without phases.
///
/// The page has no room to scroll, so each turn goes into the rubber band. The end of a series
/// pages if it has loaded a neighbour. Momentum that no series with phases holds never pulls.
extension Reader {
    package mutating func wheel(_ wheel: Wheel, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let series = wheelScroller?.wheelSeries
        if series?.isPhased != true {
            let isFree = wheel.isMomentum || wheel.phase == nil
            if wheel.isMomentum || (isFree && wheel.delta.y == 0) { return }
        }
        if case .paging = state { throw Self.pagingRejection }
        let part = try WheelSeries.part(of: wheel, in: series, at: now)
        let before = offset
        let way = wheel.delta.y
        switch part {
        case .begins(let series):
            var scroller = try takenUp()
            scroller.pull(by: way, in: series)
            pull(.wheel(scroller), at: now, into: &effects)
        case .goesOn(let series):
            guard var scroller = wheelScroller else { break }
            scroller.pull(by: way, in: series)
            pullOn(.wheel(scroller), from: before, at: now, into: &effects)
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
