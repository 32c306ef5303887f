package import Geometry

/// A quick stroke to the left or right, recognized while the finger still moves.
package struct SwipeRecognizer: Hashable, Sendable, Codable {
    /// The time (steps) within which a swipe must be recognized: 0.5 s, as UIKit's.
    package static let stepsMax = Step.perSecond / 2
    /// The distance (points of the viewport) along the direction that is needed, and across it that
    /// is allowed, at the beginning; as UIKit's.
    package static let alongPointsMin = 50.0
    package static let acrossPointsMax = 50.0
    /// The share by which the two shrink within a second, as UIKit's.
    package static let alongDecay = 0.94
    package static let acrossDecay = 0.98

    private enum State: Hashable, Sendable, Codable {
        /// The finger has not gone far enough. Can become: `recognized`, `failed`.
        case possible(last: Vector, towards: Direction?)
        /// The finger swiped. Final.
        case recognized
        /// The finger was too slow, too crooked, or turned back. Final.
        case failed
    }

    package enum Answer: Hashable, Sendable {
        case nothing
        case recognized(Direction)
        case failed
    }

    private let landed: Vector
    private let landedStep: Step
    private var state: State

    package init(landed: Vector, at now: Step) {
        self.landed = landed
        landedStep = now
        state = .possible(last: landed, towards: nil)
    }

    package mutating func moved(
        to location: Vector, at now: Step, scale: ViewportScale = .same
    ) -> Answer {
        guard case .possible(let last, var towards) = state else { return .nothing }
        // A repeated sample at the same place is no movement.
        if location == last { return .nothing }
        let seconds = now.seconds(since: landedStep)
        let across = scale.points((location.y - landed.y).magnitude)
        guard now - landedStep <= Self.stepsMax,
            across <= Self.acrossPointsMax * (1 - Self.acrossDecay * seconds)
        else { return fail() }
        let along = scale.points((location.x - landed.x).magnitude)
        if let towards {
            let isBack = towards == .left ? location.x > last.x : location.x < last.x
            if isBack { return fail() }
        } else if along >= PanRecognizer.slopPoints {
            // A landing finger trembles; it has a direction once it is some points away.
            towards = location.x < landed.x ? .left : .right
        }
        if let towards, along >= Self.alongPointsMin * (1 - Self.alongDecay * seconds) {
            state = .recognized
            return .recognized(towards)
        }
        state = .possible(last: location, towards: towards)
        return .nothing
    }

    private mutating func fail() -> Answer {
        state = .failed
        return .failed
    }
}

extension SwipeRecognizer {
    var isSound: Bool {
        switch state {
        case .possible(let last, _): last.isPlace && landed.isPlace
        case .recognized, .failed: landed.isPlace
        }
    }
}
