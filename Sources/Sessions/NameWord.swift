/// A name of at most eight bytes as a number, so that two are compared at once.
package struct NameWord: Hashable, Sendable {
    /// The bytes, the first one lowest, and zeros behind them, which no name has; 0: it is longer.
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    package init(_ name: String) {
        guard name.utf8.count <= Self.bytesMax else {
            value = 0
            return
        }
        value = name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package static let bytesMax = 8

    /// Whether it stands for its name alone.
    package var isWhole: Bool { value != 0 }
}
