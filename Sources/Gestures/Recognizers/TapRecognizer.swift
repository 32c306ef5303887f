package import Geometry

/// One finger that lands and lifts near the same place.
package struct TapRecognizer: Hashable, Sendable, Codable {
    /// The distance (points of the viewport) from where it landed that a finger may move, as
    /// UIKit's.
    package static let movementPointsMax = 45.0

    private enum State: Hashable, Sendable, Codable {
        /// The finger is down. Can become: `recognized`, `failed`.
        case possible
        /// The finger tapped. Final.
        case recognized
        /// The finger moved too far. Final.
        case failed
    }

    private let landed: Vector
    private var state: State

    package init(landed: Vector) {
        self.landed = landed
        state = .possible
    }

    /// Returns whether a tap is still possible.
    package mutating func moved(to location: Vector, scale: ViewportScale = .same) -> Bool {
        switch state {
        case .possible:
            if scale.points((location - landed).length) <= Self.movementPointsMax { return true }
            state = .failed
            return false
        case .recognized, .failed: return false
        }
    }

    /// Returns whether the finger tapped.
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
