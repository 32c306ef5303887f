import Geometry

/// A pair that began or ended to touch.
struct ContactChange: Hashable, Sendable {
    /// Bodies by index, the lower one first.
    enum Pair: Hashable, Comparable, Sendable {
        case items(Int32, Int32)
        case boundary(Int32, BehaviorID, ordinal: Int32)

        private var key: (Int32, Int32, UInt32, Int32) {
            switch self {
            case .items(let a, let b): (a, b, 0, 0)
            // After the pairs with items.
            case .boundary(let body, let id, let ordinal): (body, .max, id.number, ordinal)
            }
        }

        static func < (a: Pair, b: Pair) -> Bool { a.key < b.key }
    }

    let pair: Pair
    let point: Vector
    /// For an end: whether it touched before this step.
    var isOld: Bool
    /// For a beginning: the sum of the normal impulses in this step, in kg·pt/s.
    var impulse = 0.0
}
