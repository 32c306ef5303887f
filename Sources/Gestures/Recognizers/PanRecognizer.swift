package import Geometry

/// One finger that drags: begins once it has left where it landed, and follows it until it lifts.
package struct PanRecognizer: Hashable, Sendable, Codable {
    /// Points along one axis at which it begins; they are taken off that axis (as UIKit's).
    package static let slopPoints = 10.0

    package enum Axes: Hashable, Sendable, Codable {
        /// Whichever axis reaches the slop first.
        case both
        /// Only the vertical one begins it, whatever the other does before.
        case vertical
        /// As before, while the movement is no more across than along.
        case mostlyVertical
    }

    private let axes: Axes
    /// It starts where the contact landed; its origin lies the slop away from there.
    private var state: RecognizerState<Vector, Vector>

    package init(_ axes: Axes, landed: Vector) {
        self.axes = axes
        state = .possible(landed)
    }

    /// The contact moved, or was sampled again; answers with its translation in points.
    package mutating func moved(to location: Vector) -> Recognition<Vector> {
        switch state {
        case .possible(let landed): return decide(landed, location)
        case .began(let origin), .changed(let origin):
            state = .changed(origin)
            return .changed(location - origin)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    package mutating func lifted(at location: Vector) -> Recognition<Vector> {
        switch state {
        case .possible:
            state = .failed
            return .failed
        case .began(let origin), .changed(let origin):
            state = .ended
            return .ended(location - origin)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// The contact was lost; answers with the last translation if it was a pan.
    package mutating func cancel(at location: Vector) -> Vector? {
        let origin = state.origin
        if !state.isOver { state = .cancelled }
        return origin.map { location - $0 }
    }

    private mutating func decide(_ landed: Vector, _ location: Vector) -> Recognition<Vector> {
        let way = location - landed
        let isAcross = way.x.magnitude >= Self.slopPoints
        let isAlong = way.y.magnitude >= Self.slopPoints
        // One sample can pass both: then the longer way was first, and of equal ones the vertical.
        let isAcrossFirst = isAcross && !(isAlong && way.y.magnitude >= way.x.magnitude)
        let slop: Vector
        switch axes {
        case .both where isAcrossFirst: slop = Vector(Self.slop(way.x), 0)
        case .mostlyVertical where way.x.magnitude > way.y.magnitude: return .nothing
        case .both, .vertical, .mostlyVertical:
            guard isAlong else { return .nothing }
            slop = Vector(0, Self.slop(way.y))
        }
        state = .began(landed + slop)
        return .began(way - slop)
    }

    private static func slop(_ way: Double) -> Double { way < 0 ? -slopPoints : slopPoints }
}

extension PanRecognizer {
    var isSound: Bool { state.isSound({ $0.isPlace }, { $0.isPlace }) }
}
