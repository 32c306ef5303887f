import Geometry
import Notation

/// The names of users that came last, so that most samples that name one again make no new text.
///
/// Swift keeps texts of up to 15 bytes in place, and these need no memory.
struct UserNames {
    /// Bytes of a text that needs no memory.
    private static let inPlaceBytesMax = 15
    /// More users than stand at one table. Two names that share a place replace each other, which
    /// takes memory each time.
    private static let count = 64

    /// Each at the place that its hash says; empty: none was there yet.
    private var names = [String](repeating: "", count: UserNames.count)

    /// The text of a name. Its bytes are those of a name, so they need no repair.
    mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.count <= Self.inPlaceBytesMax { return unsafe PeerText.text(bytes) }
        var hash = StableHash()
        for index in 0..<bytes.count { unsafe hash.combine(bytes[index]) }
        let place = hash.shard(of: Self.count)
        if unsafe !names[place].utf8.elementsEqual(bytes) {
            names[place] = unsafe PeerText.text(bytes)
        }
        return names[place]
    }
}
