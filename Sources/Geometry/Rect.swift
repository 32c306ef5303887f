/// Width and height in points.
package struct Size: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle by its top left corner and its size, in points.
package struct Rect: Hashable, Sendable {
    package var origin: Vector
    package var size: Size

    package init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        origin = Vector(x, y)
        size = Size(width, height)
    }

    package var center: Vector {
        Vector(origin.x + size.width / 2, origin.y + size.height / 2)
    }
}
