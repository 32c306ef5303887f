package import Geometry
package import Interactions

/// All that components show, in one number: bits, so that the last of them counts.
package struct Digest: Sendable {
    private var value: UInt64 = 0

    package init() {}

    /// As it stands in a golden.
    package var text: String { String(value, radix: 16) }

    package mutating func combine(_ shown: some Presentable) {
        combine(shown.phase)
        shown.model(into: &self)
        shown.views(into: &self)
    }

    /// Whole words at a time, by a step of SplitMix64: unoptimised builds digest much.
    private mutating func combine(_ word: UInt64) {
        var mixer = SplitMix64(seed: value ^ word)
        value = mixer.next()
    }

    private mutating func combine(_ text: String) { combine(StableHash(text).value) }

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

    package mutating func field(_ name: String, _ values: some Sequence<Int>) {
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
    package mutating func openList(_ name: String) { combine(name) }
    package mutating func openElement() { combine("") }
    package mutating func closeList() { combine("") }
    package mutating func null(_ name: String) { combine(name) }

    package mutating func view(_ name: String, _ state: ViewState) {
        combine(name)
        for number in [
            state.center.x, state.center.y, state.size.width, state.size.height, state.rotation,
            state.scale, state.alpha, Double(state.z),
        ] { combine(number) }
        // As on the wire: absent while it is 0.
        if state.cut != 0 { field("cut", state.cut) }
    }

    package mutating func view(_ name: String, number: Int, _ state: ViewState) {
        view("\(name)\(number)", state)
    }

    package mutating func view(_ name: String, id: String, _ state: ViewState) {
        view("\(name)\(id)", state)
    }
}
