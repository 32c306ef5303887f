/// A change of coordinates by scale, rotation and displacement, as a chain of views makes it.
package struct Similarity: Hashable, Sendable {
    /// The scale times the cosine and the sine of the rotation.
    private var cosine: Double
    private var sine: Double
    private var offset: Vector

    private init(cosine: Double, sine: Double, offset: Vector) {
        self.cosine = cosine
        self.sine = sine
        self.offset = offset
    }

    package static let identity = Similarity(cosine: 1, sine: 0, offset: .zero)

    package init(displacement: Vector) { self.init(cosine: 1, sine: 0, offset: displacement) }

    /// From the coordinates that a view stands in to its own, which begin at the top left corner of
    /// the untransformed view. Nil: the view is too small to have points.
    package init?(into view: ViewState) {
        guard view.scale.magnitude > 1e-9 else { return nil }
        let corner = Vector(view.size.width / 2, view.size.height / 2)
        guard view.rotation != 0 || view.scale != 1 else {
            self.init(displacement: corner - view.center)
            return
        }
        let turn = Angle.sineCosine(-view.rotation)
        self.init(
            cosine: turn.cosine / view.scale, sine: turn.sine / view.scale, offset: .zero)
        offset = corner - apply(view.center)
    }

    /// A point in the new coordinates.
    package func apply(_ point: Vector) -> Vector { turn(point) + offset }

    /// A displacement or a velocity in the new coordinates.
    package func turn(_ vector: Vector) -> Vector {
        Vector(vector.x * cosine - vector.y * sine, vector.x * sine + vector.y * cosine)
    }

    /// Radians by which it turns, clockwise on screen; 0 for a mere displacement.
    package var rotation: Double {
        sine == 0 && cosine > 0 ? 0 : Angle.direction(of: Vector(cosine, sine))
    }

    /// The point that has a place in the new coordinates.
    package func origin(of place: Vector) -> Vector {
        let way = place - offset
        let square = cosine * cosine + sine * sine
        return Vector(way.x * cosine + way.y * sine, way.y * cosine - way.x * sine) / square
    }

    /// This change, and then another one.
    package func then(_ other: Similarity) -> Similarity {
        Similarity(
            cosine: other.cosine * cosine - other.sine * sine,
            sine: other.sine * cosine + other.cosine * sine, offset: other.apply(offset))
    }
}

extension Rect {
    /// Whether a point lies in it: left and top edges belong to it, right and bottom ones do not.
    package func contains(_ point: Vector) -> Bool {
        let place = point - origin
        return place.x >= 0 && place.y >= 0 && place.x < size.width && place.y < size.height
    }
}
