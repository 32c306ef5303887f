/// Bytes as a key of a dictionary, hashed eight at a time: an array hashes each byte by itself.
struct ByteKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) {
        let span = bytes.span
        hasher.combine(span.count)
        var word: UInt64 = 0
        for place in span.indices {
            word = word << 8 | UInt64(span[place])
            if place & 7 == 7 {
                hasher.combine(word)
                word = 0
            }
        }
        if span.count & 7 != 0 { hasher.combine(word) }
    }
}
