import Geometry
import Gestures

/// Events of a wheel that belong together: what each of them means, and when they are over.
///
/// A source that tells phases says itself where a series begins and ends. Without phases it begins
/// with its first event and ends by a pause. The scroller moves the content.
struct WheelSeries: Hashable, Sendable, Codable {
    /// The part of a series that an event is.
    enum Part: Hashable, Sendable {
        /// The first of a new series.
        case begins(WheelSeries)
        case goesOn(WheelSeries)
        case ends
        case cancels
    }

    /// Whether its source tells phases.
    let isPhased: Bool
    let lastEvent: Step

    init(isPhased: Bool, at now: Step) {
        self.isPhased = isPhased
        lastEvent = now
    }

    /// The step at which it is over if nothing more comes.
    var deadline: Step { lastEvent + (isPhased ? Silence.stepsMax : Wheel.pauseSteps) }

    /// The part that an event is while `open` is the series that goes on; nil: none does.
    ///
    /// In a series with phases, momentum counts as a part of it, and so does an event without a
    /// phase. Elsewhere momentum is an event without phases, whatever phase it tells.
    static func part(
        of wheel: Wheel, in open: WheelSeries?, at now: Step
    ) throws(Rejection) -> Part {
        if let open, open.isPhased {
            switch wheel.phase {
            case .began where !wheel.isMomentum:
                return .begins(WheelSeries(isPhased: true, at: now))
            case nil, .began, .changed: return .goesOn(WheelSeries(isPhased: true, at: now))
            case .ended: return .ends
            case .cancelled: return .cancels
            }
        }
        if wheel.isMomentum || wheel.phase == nil {
            let series = WheelSeries(isPhased: false, at: now)
            return open == nil ? .begins(series) : .goesOn(series)
        }
        guard wheel.phase == .began else { throw .notOpen(wheel.phase ?? .changed) }
        return .begins(WheelSeries(isPhased: true, at: now))
    }
}
