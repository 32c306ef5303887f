import Geometry

/// A joint between two bodies, or to the ground for the kinds that `GroundJoint` has not.
///
/// This room has two ways to solve joints. `GroundJoint`s of a body alone become rows of numbers in
/// registers (`RowSolver`): fast, because the body's mass cancels. The joints of an island become
/// constraints, one type per kind (`JointSolver`), as in Box2D. A joint here is what an attachment,
/// snap or pin described, with its `WarmStart`; a constraint exists for one step. The order of the
/// equations decides the last bit.
struct Joint: Hashable, Sendable, Codable {
    enum Kind: Hashable, Sendable, Codable {
        case distance(length: Double, spring: Softness)
        case pin(PinJoint)
        case weld(WeldJoint)
        case sliding(SlidingJoint)
        /// Limits the distance.
        case rope(length: Double)

        /// The angle of the second body to the first when the joint was made, for kinds that use
        /// it.
        var reference: Double? {
            switch self {
            case .pin(let joint): joint.reference
            case .weld(let joint): joint.reference
            case .sliding(let joint): joint.reference
            case .distance, .rope: nil
            }
        }

        var length: Double? {
            switch self {
            case .distance(let length, _), .rope(let length): length
            case .pin, .weld, .sliding: nil
            }
        }

        /// Whether impulses of one kind have the same meaning for the other.
        func isAlike(_ other: Kind) -> Bool {
            switch (self, other) {
            case (.distance, .distance), (.pin, .pin), (.weld, .weld), (.sliding, .sliding),
                (.rope, .rope):
                true
            case (.distance, _), (.pin, _), (.weld, _), (.sliding, _), (.rope, _): false
            }
        }
    }

    /// The body or ground at the first anchor.
    enum First: Hashable, Sendable, Codable {
        case ground
        /// A body by its index.
        case body(Int32)
    }

    let behavior: BehaviorID
    var kind: Kind
    var first: First
    /// From the first body's center, in its coordinates; on the ground a point of the world.
    var firstOffset: Vector
    /// The attached item's body by its index.
    var second: Int32
    var secondOffset: Vector
    var warmStart = WarmStart()

    /// The keys are a file format.
    private enum CodingKeys: String, CodingKey {
        case behavior, kind, first, firstOffset, second, secondOffset
        case warmStart = "memory"
    }

    func ties(_ index: Int) -> Bool { second == Int32(index) || first == .body(Int32(index)) }
}
