/// No value or one, on the heap: an optional of the size of a pointer.
///
/// Most worlds need none of what an animator keeps in boxes, and there are many worlds. A copy
/// retains one buffer. In documents it is a list of no or one entry.
struct OptionalBox<Value> {
    private var storage: [Value] = []

    /// A box without a value.
    init() {}

    var isEmpty: Bool { storage.isEmpty }

    /// The value, copied; nil if the box is empty. Setting nil frees the memory.
    var value: Value? {
        get { storage.first }
        set { storage = newValue.map { [$0] } ?? [] }
    }

    /// The value in its place, without a copy. Traps if the box is empty.
    var unwrapped: Value {
        @inline(__always) _read { yield storage[0] }
        @inline(__always) _modify { yield &storage[0] }
    }

    /// The value in its place; an empty box gets `initial` first.
    mutating func fill(_ initial: @autoclosure () -> Value) {
        if storage.isEmpty { storage.append(initial()) }
    }

    /// Whether a decoded box holds no more than one value.
    var isSound: Bool { storage.count <= 1 }
}

extension OptionalBox: Equatable where Value: Equatable {}
extension OptionalBox: Hashable where Value: Hashable {}
extension OptionalBox: Sendable where Value: Sendable {}

extension OptionalBox: Codable where Value: Codable {
    init(from decoder: any Decoder) throws { storage = try [Value](from: decoder) }

    func encode(to encoder: any Encoder) throws { try storage.encode(to: encoder) }
}
