package import Geometry

/// Names a behavior of one animator. Ids are not used again.
package struct BehaviorID: Hashable, Sendable {
    let number: UInt32
}

/// Holds a point of an item at a distance from a fixed anchor: by a spring, a rod or a pin.
///
/// With a frequency it is a soft spring, without one a rigid rod; a rod without a given length
/// whose ends are less than 1 pt apart is a pin.
package struct Attachment: Hashable, Sendable {
    package var item: ItemID
    /// The held point from the item's center, in the item's own coordinates (points).
    package var offset: Vector
    /// In points.
    package var anchor: Vector
    /// In points; nil: the distance when it is added.
    package var length: Double?
    /// In hertz; 0 is rigid.
    package var frequency: Double
    /// The damping ratio: 1 is critical.
    package var damping: Double

    package init(
        item: ItemID, offset: Vector = .zero, anchor: Vector, length: Double? = nil,
        frequency: Double = 0, damping: Double = 0
    ) {
        self.item = item
        self.offset = offset
        self.anchor = anchor
        self.length = length
        self.frequency = frequency
        self.damping = damping
    }

    func joint(of behavior: BehaviorID, on body: Body) -> Joint {
        let offset = offset.reachable
        let anchor = anchor.reachable
        let distance = (body.point(at: offset) - anchor).length
        if frequency == 0, length == nil, distance < Tuning.pinDistance {
            return Joint(pinning: offset, to: anchor, behavior: behavior)
        }
        let length = length ?? distance
        precondition(length >= 0, "an attachment of length \(length)")
        return Joint(
            holding: offset, at: min(length, Tuning.reach), from: anchor, frequency: frequency,
            damping: damping, behavior: behavior)
    }
}
