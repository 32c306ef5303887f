package import Geometry

/// One finger that lands and lifts again, or that merely lands.
package struct TapRecognizer: Hashable, Sendable, Codable {
    /// Points from where it landed that a finger may stray, as UIKit's.
    package static let movementPointsMax = 45.0

    /// When it counts.
    package enum Moment: Hashable, Sendable, Codable {
        /// When the finger lifts.
        case lift
        /// As soon as the finger is down.
        case touchDown
    }

    private enum State: Hashable, Sendable, Codable {
        /// The finger is down. Can become: `recognized`, `failed`.
        case possible
        /// It was one. Final.
        case recognized
        /// The finger strayed too far. Final.
        case failed
    }

    private let landed: Vector
    private var state: State

    package init(_ moment: Moment, landed: Vector) {
        self.landed = landed
        switch moment {
        case .lift: state = .possible
        case .touchDown: state = .recognized
        }
    }

    package var isRecognized: Bool { state == .recognized }

    /// Whether it may still be one.
    package mutating func moved(to location: Vector) -> Bool {
        switch state {
        case .possible:
            if (location - landed).length <= Self.movementPointsMax { return true }
            state = .failed
            return false
        case .recognized, .failed: return false
        }
    }

    /// Whether it is one now.
    package mutating func lifted() -> Bool {
        switch state {
        case .possible:
            state = .recognized
            return true
        case .recognized, .failed: return false
        }
    }
}

extension TapRecognizer {
    var isSound: Bool { landed.isPlace }
}
