import Geometry
import Gestures
import Motion
import Notation

/// How a wheel moves a scroller.
///
/// Without phases it moves the content within its bounds. With phases it drags the content as a
/// contact does, through the rubber band, and its end lets go; so does momentum, once it is beyond
/// an edge. A contact that drags refuses wheels;
/// whatever else takes the content up ends the wheel's series.
extension Scroller {
    /// The series of the wheel that moves it; nil: none does.
    var wheelSeries: WheelSeries? {
        switch state {
        case .turned(let series), .pulled(let series, _): series
        case .resting, .held, .dragged, .coasting: nil
        }
    }

    /// When the wheel's series ends; nil: none moves it.
    var wheelDeadline: Step? {
        // Each event asks, and mostly this spares a copy of the state.
        if case .resting = state { return nil }
        return wheelSeries?.deadline
    }

    /// The part of its series that a wheel's event is; nil: it is passed over.
    func part(of wheel: Wheel, at now: Step) throws(Rejection) -> WheelSeries.Part? {
        let open = wheelSeries
        let part = try WheelSeries.part(of: wheel, in: open, at: now)
        if isDragged { throw Self.dragged }
        if open?.isPhased == true || (wheel.phase != nil && !wheel.isMomentum) { return part }
        // There is nothing to scroll, or momentum has gone beyond an edge and springs back.
        if wheel.delta.y == 0 || (wheel.isMomentum && !bounds.contains(offset)) { return nil }
        return part
    }

    static let dragged = Rejection(.busy, "a contact drags the content")

    /// Takes an event of a wheel. Returns whether the offset changed.
    mutating func follow(_ wheel: Wheel, as part: WheelSeries.Part) -> Bool {
        let before = offset
        let way = wheel.delta.y
        isOwn = true
        switch part {
        case .begins(let series), .goesOn(let series):
            if series.isPhased {
                pull(by: way, in: series)
                // The fingers have left: nothing holds the content out there.
                if wheel.isMomentum, !bounds.contains(offset) { release(at: pullVelocity) }
            } else {
                offset = bounds.clamped(offset + way)
                state = .turned(series)
            }
        case .ends, .cancels:
            if let series = wheelSeries { pull(by: way, in: series) }
            release(at: 0)
        }
        return offset != before
    }

    /// Ends a series that has been silent for too long.
    mutating func endWheel(at now: Step) {
        if let series = wheelSeries, series.deadline <= now { release(at: 0) }
    }

    /// Drags by so many points, through the rubber band. Content that was put beyond the band's
    /// limit is dragged no further.
    mutating func pull(by way: Double, in series: WheelSeries) {
        var grip: Grip
        if case .pulled(_, let former) = state { grip = former } else { grip = gripped() }
        // Frees the state's reference to the samples: appending would copy them all.
        state = .resting
        // A contact pulls no further either, and has as far to go back.
        let reach = NumberRange.coordinateMax
        let origin = grip.origin + way
        grip.origin = min(max(origin, bounds.lowerBound - reach), bounds.upperBound + reach)
        // Without a movement the offset stays to the last bit.
        if way != 0 {
            let (low, high) = (bounds.lowerBound, bounds.upperBound)
            let (lowest, highest) = (
                low - max(extent, low - offset), high + max(extent, offset - high)
            )
            let shown = shown(by: grip, at: 0)
            offset = min(max(lowest, shown), highest)
            if offset != shown {
                let tracker = grip.tracker
                grip = gripped()
                grip.tracker = tracker
            }
        }
        grip.tracker.add(Vector(0, offset), at: Self.time(of: series))
        state = .pulled(series, grip)
    }

    /// How fast a wheel pulls the content, in points per second of its offset.
    var pullVelocity: Double {
        guard case .pulled(let series, let grip) = state else { return 0 }
        return grip.tracker.velocity(endingAt: Vector(0, offset), time: Self.time(of: series)).y
    }

    /// The time of a series' last event: wheels have no better one than its step.
    private static func time(of series: WheelSeries) -> SampleTime {
        SampleTime(claimed: nil, received: Double(series.lastEvent.nanoseconds) / 1e6)
    }
}
