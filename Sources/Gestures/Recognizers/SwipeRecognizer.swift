package import Geometry

/// A quick stroke to the left or right, recognised while the finger still moves.
package struct SwipeRecognizer: Hashable, Sendable, Codable {
    /// Steps within which it is recognised or never: 0.5 s, as UIKit's.
    package static let stepsMax = Step.perSecond / 2
    /// Points along its direction and across it that count at the very beginning, as UIKit's.
    package static let alongPointsMin = 50.0
    package static let acrossPointsMax = 50.0
    /// The parts by which the two shrink in a second, as UIKit's.
    package static let alongDecay = 0.94
    package static let acrossDecay = 0.98

    private enum State: Hashable, Sendable, Codable {
        /// The finger has not gone far enough. Can become: `recognized`, `failed`.
        case possible(last: Vector, towards: Direction?)
        /// It was one. Final.
        case recognized
        /// Too slow, too crooked, or back again. Final.
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

    package mutating func moved(to location: Vector, at now: Step) -> Answer {
        guard case .possible(let last, var towards) = state else { return .nothing }
        // A sample again in the same place is no movement.
        if location == last { return .nothing }
        let seconds = now.seconds(since: landedStep)
        let across = (location.y - landed.y).magnitude
        guard now - landedStep <= Self.stepsMax,
            across <= Self.acrossPointsMax * (1 - Self.acrossDecay * seconds)
        else { return fail() }
        let along = (location.x - landed.x).magnitude
        if let towards {
            let isBack = towards == .left ? location.x > last.x : location.x < last.x
            if isBack { return fail() }
        } else if along >= PanRecognizer.slopPoints {
            // A finger that lands trembles; it goes somewhere once it has left the spot.
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
