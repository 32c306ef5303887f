import Geometry

/// The states of every continuous recognizer, as UIKit's `UIGestureRecognizer.State`.
///
/// Each recognizer is a value with one method per event: `moved`, `waited`, `lifted`, `cancel`. It
/// sees one finger or one pair and knows no rivals; the room `Arena` decides who wins. State is
/// stored in documents: the cases' names and the keys of `Start` and `Origin` are a file format.
enum RecognizerState<
    Start: Hashable & Codable & Sendable, Origin: Hashable & Codable & Sendable
>: Hashable, Codable, Sendable {
    /// Not decided yet. Can become: `began`, `failed`, `cancelled`.
    case possible(Start)
    /// The last event was the first of the gesture. Can become: `changed`, `ended`, `cancelled`.
    case began(Origin)
    /// The gesture goes on. Can become: `ended`, `cancelled`.
    case changed(Origin)
    /// The contacts lifted. Final.
    case ended
    /// The contacts were lost, or another recognizer won them. Final.
    case cancelled
    /// These contacts do not make this gesture. Final.
    case failed

    /// The value that the recognizer holds while the gesture lasts.
    var origin: Origin? {
        switch self {
        case .began(let origin), .changed(let origin): origin
        case .possible, .ended, .cancelled, .failed: nil
        }
    }

    /// The contacts lifted. A gesture that had begun ends, a possible one fails.
    mutating func lift() -> Recognition<Origin> {
        switch self {
        case .possible:
            self = .failed
            return .failed
        case .began(let origin), .changed(let origin):
            self = .ended
            return .ended(origin)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// The contacts were lost. Returns what the gesture held, if it had begun.
    mutating func cancel() -> Origin? {
        switch self {
        case .possible:
            self = .cancelled
            return nil
        case .began(let origin), .changed(let origin):
            self = .cancelled
            return origin
        case .ended, .cancelled, .failed: return nil
        }
    }
}

/// The answer of a continuous recognizer to one event.
package enum Recognition<Reading: Hashable & Sendable>: Hashable, Sendable {
    /// The event changed nothing that a component hears of.
    case nothing
    case began(Reading)
    case changed(Reading)
    case ended(Reading)
    case failed
}

extension Recognition {
    /// The same answer with another reading.
    @inline(__always)
    func map<Other>(_ transform: (Reading) -> Other) -> Recognition<Other> {
        switch self {
        case .nothing: .nothing
        case .began(let reading): .began(transform(reading))
        case .changed(let reading): .changed(transform(reading))
        case .ended(let reading): .ended(transform(reading))
        case .failed: .failed
        }
    }
}

extension RecognizerState {
    /// Whether a decoded state is one that events could have led to.
    func isSound(_ start: (Start) -> Bool, _ origin: (Origin) -> Bool) -> Bool {
        switch self {
        case .possible(let held): start(held)
        case .began(let held), .changed(let held): origin(held)
        case .ended, .cancelled, .failed: true
        }
    }
}

extension Vector {
    /// Whether a decoded place or distance is one that events could have led to.
    var isPlace: Bool { isWithin(1e9) }
}
