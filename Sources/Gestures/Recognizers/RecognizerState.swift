import Geometry

/// Where a continuous recognizer is with its contacts.
enum RecognizerState<
    Start: Hashable & Codable & Sendable, Origin: Hashable & Codable & Sendable
>: Hashable, Codable, Sendable {
    /// It may still be one. Can become: `began`, `failed`, `cancelled`.
    case possible(Start)
    /// The last event made it one. Can become: `changed`, `ended`, `cancelled`.
    case began(Origin)
    /// It has been followed since. Can become: `ended`, `cancelled`.
    case changed(Origin)
    /// The contacts lifted. Final.
    case ended
    /// The contacts were lost, or another recognizer won them. Final.
    case cancelled
    /// It is none, and none will become of these contacts. Final.
    case failed

    /// What it is measured from, while it lasts.
    var origin: Origin? {
        switch self {
        case .began(let origin), .changed(let origin): origin
        case .possible, .ended, .cancelled, .failed: nil
        }
    }

    var isOver: Bool {
        switch self {
        case .possible, .began, .changed: false
        case .ended, .cancelled, .failed: true
        }
    }
}

/// What one event meant to a continuous recognizer.
package enum Recognition<Reading: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing, yet or any more.
    case nothing
    case began(Reading)
    case changed(Reading)
    case ended(Reading)
    case failed
}

/// What two fingers show beside their places.
package struct Reading: Hashable, Sendable {
    /// A scale, or an angle in radians; since the recognition.
    package var value: Double
    /// Its change per second.
    package var velocity: Double
}

extension RecognizerState {
    /// Whether what it holds is as it should be.
    func isSound(_ start: (Start) -> Bool, _ origin: (Origin) -> Bool) -> Bool {
        switch self {
        case .possible(let held): start(held)
        case .began(let held), .changed(let held): origin(held)
        case .ended, .cancelled, .failed: true
        }
    }
}

extension Vector {
    /// Whether a decoded place or way is one that events could have led to.
    var isPlace: Bool { isWithin(1e9) }
}
