package import Geometry

/// One finger that stays in place until time makes it a gesture; from then on it may move.
package struct LongPressRecognizer: Hashable, Sendable, Codable {
    /// The time (steps) until it begins: 0.5 s, as UIKit's.
    package static let steps = Step.perSecond / 2
    /// The distance (points of the viewport) from where it landed that a finger may move before, as
    /// UIKit's.
    package static let movementPointsMax = 10.0

    private struct Start: Hashable, Sendable, Codable {
        var landed: Vector
        var deadline: Step
    }

    private struct Origin: Hashable, Sendable, Codable {}

    private var state: RecognizerState<Start, Origin>

    package init(landed: Vector, at now: Step) {
        state = .possible(Start(landed: landed, deadline: now + Self.steps))
    }

    /// The step at which it begins, if the finger stays. `Step.never` once decided.
    package var deadline: Step {
        if case .possible(let start) = state { return start.deadline }
        return .never
    }

    /// Returns the finger's location.
    package mutating func moved(
        to location: Vector, scale: ViewportScale = .same
    ) -> Recognition<Vector> {
        switch state {
        case .possible(let start):
            let way = scale.points((location - start.landed).length)
            if way <= Self.movementPointsMax { return .nothing }
            state = .failed
            return .failed
        case .began(let origin), .changed(let origin):
            state = .changed(origin)
            return .changed(location)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// Time passed. The press begins if its deadline is reached.
    package mutating func waited(at location: Vector, until now: Step) -> Recognition<Vector> {
        guard case .possible(let start) = state, start.deadline <= now else { return .nothing }
        state = .began(Origin())
        return .began(location)
    }

    package mutating func lifted(at location: Vector) -> Recognition<Vector> {
        state.lift().map { _ in location }
    }

    /// The contact was lost. Returns whether the press had begun.
    package mutating func cancel() -> Bool { state.cancel() != nil }
}

extension LongPressRecognizer {
    var isSound: Bool { state.isSound({ $0.landed.isPlace }, { _ in true }) }
}
