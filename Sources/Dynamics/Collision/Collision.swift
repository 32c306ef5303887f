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
