package import Geometry

/// Connects a point of an item to a fixed point or to a point of another item.
package struct Attachment: Hashable, Sendable {
    /// The other end.
    package enum End: Hashable, Sendable {
        /// A fixed point, in points.
        case anchor(Vector)
        /// A point of another item, from that item's center in its own coordinates.
        case item(ItemID, offset: Vector = .zero)
    }

    /// The kind of connection, as UIKit's attachments.
    package enum Kind: Hashable, Sendable {
        /// Keeps a distance (pt; nil: the distance when added).
        ///
        /// With a frequency (Hz) a soft spring with `damping` as its damping ratio; without one a
        /// rigid rod. A rod without a length whose ends are closer than 1 pt is a pin.
        case distance(length: Double? = nil, frequency: Double = 0, damping: Double = 0)
        /// Keeps points and angle as when added. With a frequency (Hz) the angle is soft.
        case fixed(frequency: Double = 0, damping: Double = 0)
        /// Keeps the points together; the items may rotate about them.
        ///
        /// Optionally with friction (a torque in kg·m²/s²), and only within a range of the item's
        /// angle (rad) relative to the other, counted from when it was added.
        case pin(frictionTorque: Double = 0, range: ClosedRange<Double>? = nil)
        /// Lets the item slide along an axis fixed to the other, without rotating. The axis is
        /// given in the world, as it is when added; the range (pt) counts from the other's point.
        case sliding(axis: Vector, range: ClosedRange<Double>? = nil)
        /// Limits the distance (pt; nil: the distance when added).
        case limit(length: Double? = nil)
    }

    package var item: ItemID
    /// The attached point from the item's center, in the item's own coordinates (points).
    package var offset: Vector
    package var end: End
    package var type: Kind

    package init(item: ItemID, offset: Vector = .zero, end: End, type: Kind) {
        self.item = item
        self.offset = offset
        self.end = end
        self.type = type
    }

    /// A spring or a rod to a fixed point.
    package init(
        item: ItemID, offset: Vector = .zero, anchor: Vector, length: Double? = nil,
        frequency: Double = 0, damping: Double = 0
    ) {
        self.init(
            item: item, offset: offset, end: .anchor(anchor),
            type: .distance(length: length, frequency: frequency, damping: damping))
    }
}
