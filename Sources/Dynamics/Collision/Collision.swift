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

/// Lets items collide with each other and with the collision's boundaries.
package struct Collision: Hashable, Sendable, Codable {
    /// The partners of the items, named as on the wire.
    package enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        case items
        case boundaries
        case everything
    }

    package var items: [ItemID]
    package var mode: Mode
    /// Their friction and elasticity are 0.2.
    package var boundaries: [Boundary]

    package init(items: [ItemID], mode: Mode = .everything, boundaries: [Boundary] = []) {
        self.items = items
        self.mode = mode
        self.boundaries = boundaries
    }

    var meetsItems: Bool {
        switch mode {
        case .items, .everything: true
        case .boundaries: false
        }
    }

    var meetsBoundaries: Bool {
        switch mode {
        case .boundaries, .everything: true
        case .items: false
        }
    }
}

/// A pair that began or ended to touch in the last step.
package struct ContactEvent: Hashable, Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        case began
        case ended
    }

    package enum Parties: Hashable, Sendable, Codable {
        /// The older item first. A group counts as one item.
        case items(ItemID, ItemID)
        /// An item, and a boundary by its id.
        case boundary(ItemID, String)
    }

    package var phase: Phase
    package var parties: Parties
    /// Where they touch, or touched last, in points.
    package var point: Vector
}
