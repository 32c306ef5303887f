package import Geometry
package import Interactions

/// All that components show, in one number: bits, so that the last of them counts.
package struct Digest: Sendable {
    private var hash = StableHash()

    package init() {}

    /// As it stands in a golden.
    package var text: String { String(hash.value, radix: 16) }

    package mutating func combine(_ shown: some Shown) {
        combine(shown.phase)
        shown.model(into: &self)
        shown.views(into: &self)
    }

    private mutating func combine(_ word: UInt64) {
        for byte in 0..<8 as Range<UInt64> {
            hash.combine(UInt8(truncatingIfNeeded: word >> (8 * byte)))
        }
    }

    private mutating func combine(_ text: String) {
        for byte in text.utf8 { hash.combine(byte) }
        hash.combine(0)
    }

    private mutating func combine(_ number: Double) { combine(number.bitPattern) }
}

extension Digest: StateSink {
    package mutating func field(_ name: String, _ value: Int) {
        combine(name)
        combine(UInt64(bitPattern: Int64(value)))
    }

    package mutating func field(_ name: String, _ value: Bool) { field(name, value ? 1 : 0) }

    package mutating func field(_ name: String, _ value: String?) {
        combine(name)
        combine(value ?? "null")
    }

    package mutating func field(_ name: String, _ values: [Int]) {
        for value in values { field(name, value) }
    }

    package mutating func field(_ name: String, _ values: [String]) {
        for value in values { field(name, value) }
    }

    package mutating func field(_ name: String, points: Double) {
        combine(name)
        combine(points)
    }

    package mutating func field(_ name: String, frame: Rect) {
        combine(name)
        combine(frame.center.x)
        combine(frame.center.y)
        combine(frame.size.width)
        combine(frame.size.height)
    }

    package mutating func open(_ name: String) { combine(name) }
    package mutating func close() { combine("") }
    package mutating func null(_ name: String) { combine(name) }

    package mutating func view(_ name: String, _ state: ViewState) {
        combine(name)
        for number in [
            state.center.x, state.center.y, state.size.width, state.size.height, state.rotation,
            state.scale, state.alpha, Double(state.z),
        ] { combine(number) }
    }

    package mutating func view(_ name: String, number: Int, _ state: ViewState) {
        view("\(name)\(number)", state)
    }
}
