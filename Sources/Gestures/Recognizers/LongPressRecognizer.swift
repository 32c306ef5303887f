package import Geometry

/// One finger that stays where it is until time makes it a gesture; it is followed from then on.
package struct LongPressRecognizer: Hashable, Sendable, Codable {
    /// Steps that it takes: 0.5 s, as UIKit's.
    package static let steps = Step.perSecond / 2
    /// Points from where it landed that a finger may stray before, as UIKit's.
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

    /// When it begins, if the finger stays. `Step.never` once that is decided.
    package var deadline: Step {
        if case .possible(let start) = state { return start.deadline }
        return .never
    }

    /// Answers with where the finger is.
    package mutating func moved(to location: Vector) -> Recognition<Vector> {
        switch state {
        case .possible(let start):
            if (location - start.landed).length <= Self.movementPointsMax { return .nothing }
            state = .failed
            return .failed
        case .began(let origin), .changed(let origin):
            state = .changed(origin)
            return .changed(location)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// The time has come, at which the finger is still there.
    package mutating func waited(at location: Vector, until now: Step) -> Recognition<Vector> {
        guard case .possible(let start) = state, start.deadline <= now else { return .nothing }
        state = .began(Origin())
        return .began(location)
    }

    package mutating func lifted(at location: Vector) -> Recognition<Vector> {
        switch state {
        case .possible:
            state = .failed
            return .failed
        case .began, .changed:
            state = .ended
            return .ended(location)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// The contact was lost; whether it was a long press.
    package mutating func cancel() -> Bool {
        let wasOpen = state.origin != nil
        if !state.isOver { state = .cancelled }
        return wasOpen
    }
}

extension LongPressRecognizer {
    var isSound: Bool { state.isSound({ $0.landed.isPlace }, { _ in true }) }
}
