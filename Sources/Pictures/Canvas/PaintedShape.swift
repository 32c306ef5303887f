package import Geometry

/// A path of lines and curves.
package struct Shape: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case move(Vector)
        case line(Vector)
        case curve(Vector, Vector, Vector)
        case arc(Vector, radius: Double, from: Double, to: Double)
        case close
    }

    package var steps: [Step] = []

    package init(_ steps: [Step] = []) { self.steps = steps }

    package static func polygon(_ points: [(Double, Double)]) -> Shape {
        lines(points).closed
    }

    package static func lines(_ points: [(Double, Double)]) -> Shape {
        Shape(
            points.enumerated().map { index, point in
                let place = Vector(point.0, point.1)
                return index == 0 ? .move(place) : .line(place)
            })
    }

    package static func circle(_ x: Double, _ y: Double, _ radius: Double) -> Shape {
        Shape([.arc(Vector(x, y), radius: max(radius, 0), from: 0, to: 2 * .pi), .close])
    }

    /// A rectangle; its corners are no rounder than it allows.
    package static func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0
    ) -> Shape {
        let radius = min(max(radius, 0), width / 2, height / 2)
        guard radius > 0 else {
            return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
        }
        let (right, bottom) = (x + width - radius, y + height - radius)
        return Shape([
            .arc(Vector(right, y + radius), radius: radius, from: -.pi / 2, to: 0),
            .arc(Vector(right, bottom), radius: radius, from: 0, to: .pi / 2),
            .arc(Vector(x + radius, bottom), radius: radius, from: .pi / 2, to: .pi),
            .arc(Vector(x + radius, y + radius), radius: radius, from: .pi, to: 1.5 * .pi),
            .close,
        ])
    }

    package var closed: Shape { Shape(steps + [.close]) }

    package static func + (a: Shape, b: Shape) -> Shape { Shape(a.steps + b.steps) }
}

/// How a shape is filled.
package enum Paint: Hashable, Sendable {
    package struct Stop: Hashable, Sendable {
        /// 0 at the beginning, 1 at the end.
        package var at: Double
        package var color: Color

        package init(_ at: Double, _ color: Color) {
            self.at = at
            self.color = color
        }
    }

    case color(Color)
    case linear(from: Vector, to: Vector, [Stop])
    case radial(Vector, radius: Double, [Stop])

    /// From a color at the top to another at the bottom.
    package static func fall(_ top: Color, _ bottom: Color, height: Double) -> Paint {
        .linear(from: .zero, to: Vector(0, height), [Stop(0, top), Stop(1, bottom)])
    }
}
