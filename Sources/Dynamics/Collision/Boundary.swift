package import Geometry

/// A path that the items of a collision do not pass, solid from both sides.
package struct Boundary: Hashable, Sendable, Codable {
    package var id: String
    /// In points. Two points are a segment; a path that ends where it began is closed.
    package var path: [Vector]

    package init(id: String, path: [Vector]) {
        self.id = id
        self.path = path
    }

    /// The four sides of a rectangle.
    package init(id: String, rectangle: Rect) {
        let (corner, size) = (rectangle.origin, rectangle.size)
        let (right, down) = (Vector(size.width, 0), Vector(0, size.height))
        self.init(
            id: id,
            path: [corner, corner + right, corner + right + down, corner + down, corner])
    }
}
