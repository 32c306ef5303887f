import Geometry
package import Gestures

/// The color of a contact, by which people tell hands apart: one of ten.
///
/// A hash that is the same in each run chooses it by the publisher and the user. Where no user is
/// known, the contact's number stands for its source, without the lowest 20 bits: a page or a
/// device begins its numbers at a multiple of 2²⁰ that no other one has. So all contacts of one
/// person have one color on every screen.
package struct ContactColor: Hashable, Sendable {
    /// All of them, as CSS writes them: clearly different, on light and on dark.
    package static let all = [
        "#3b82f6", "#ef4444", "#22c55e", "#f59e0b", "#8b5cf6", "#06b6d4", "#ec4899", "#a3e635",
        "#b45309", "#64748b",
    ]

    /// The bits of a contact's number that are its own among those of its source.
    private static let ownBits: PointerNumber = 20

    /// Its place in ``all``.
    package let index: Int

    /// `publisher` is a number of it, the same in each run; 0: unknown.
    package init(publisher: UInt32 = 0, user: String? = nil, pointer: PointerNumber = 0) {
        var hash = StableHash()
        hash.combine(UInt64(publisher), bytes: 4)
        if let user {
            for byte in user.utf8 { hash.combine(byte) }
        } else {
            hash.combine(UInt64(bitPattern: pointer >> Self.ownBits), bytes: 8)
        }
        index = hash.shard(of: Self.all.count)
    }

    /// As CSS writes it.
    package var text: String { Self.all[index] }
}

extension StableHash {
    /// The lowest bytes of a number, the lowest first.
    fileprivate mutating func combine(_ number: UInt64, bytes: Int) {
        for place in 0..<bytes { combine(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }
}
