package import Geometry

/// One finger that drags: begins some points from where it landed, and follows the finger until it
/// lifts.
package struct PanRecognizer: Hashable, Sendable, Codable {
    /// The distance (points of the viewport) along one axis at which a pan begins. It is subtracted
    /// on that axis, as by UIKit.
    package static let slopPoints = 10.0

    package enum Axes: Hashable, Sendable, Codable {
        /// Either axis begins it.
        case both
        /// Only the vertical axis begins it, whatever the other one does before.
        case vertical
        /// Only the vertical axis, and only while the movement is at least as vertical as
        /// horizontal.
        case mostlyVertical
        /// Only the horizontal axis, and only while the movement is at least as horizontal as
        /// vertical.
        case mostlyHorizontal
    }

    private let axes: Axes
    /// `Start` is where the contact landed; `Origin` is that point plus the slop.
    private var state: RecognizerState<Vector, Vector>

    package init(_ axes: Axes, landed: Vector) {
        self.axes = axes
        state = .possible(landed)
    }

    /// A pan that begins where the contact landed, at once.
    package static func begun(landed: Vector) -> PanRecognizer {
        var pan = PanRecognizer(.both, landed: landed)
        pan.state = .began(landed)
        return pan
    }

    /// The contact moved, or was sampled again. Returns its translation in points.
    package mutating func moved(
        to location: Vector, scale: ViewportScale = .same
    ) -> Recognition<Vector> {
        switch state {
        case .possible(let landed): return decide(landed, location, scale)
        case .began(let origin), .changed(let origin):
            state = .changed(origin)
            return .changed(location - origin)
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    package mutating func lifted(at location: Vector) -> Recognition<Vector> {
        state.lift().map { location - $0 }
    }

    /// The contact was lost. Returns the last translation if the pan had begun.
    package mutating func cancel(at location: Vector) -> Vector? {
        state.cancel().map { location - $0 }
    }

    private mutating func decide(
        _ landed: Vector, _ location: Vector, _ scale: ViewportScale
    ) -> Recognition<Vector> {
        let way = location - landed
        let points = Self.slopPoints / scale.factor
        func slop(_ way: Double) -> Double {
            let slop = min(points, way.magnitude)
            return way < 0 ? -slop : slop
        }
        // A component around a turned one measures along other axes, and must not be sooner.
        let isFar = scale.reach(way) >= Self.slopPoints
        let isAcross =
            way.x.magnitude >= points || (isFar && way.x.magnitude >= way.y.magnitude)
        let isAlong =
            way.y.magnitude >= points || (isFar && way.y.magnitude >= way.x.magnitude)
        // One sample can pass both slops: the longer distance wins, and of equal ones the vertical.
        let isAcrossFirst = isAcross && !(isAlong && way.y.magnitude >= way.x.magnitude)
        let slopWay: Vector
        switch axes {
        case .both where isAcrossFirst: slopWay = Vector(slop(way.x), 0)
        case .mostlyVertical where way.x.magnitude > way.y.magnitude: return .nothing
        case .mostlyHorizontal where way.y.magnitude > way.x.magnitude: return .nothing
        case .mostlyHorizontal:
            guard isAcross else { return .nothing }
            slopWay = Vector(slop(way.x), 0)
        case .both, .vertical, .mostlyVertical:
            guard isAlong else { return .nothing }
            slopWay = Vector(0, slop(way.y))
        }
        state = .began(landed + slopWay)
        return .began(way - slopWay)
    }
}

extension PanRecognizer {
    var isSound: Bool { state.isSound({ $0.isPlace }, { $0.isPlace }) }
}
