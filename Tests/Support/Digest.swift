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

    private mutating func combine(_ text: StaticString) { combine(text.description) }

    private mutating func combine(_ text: String) { combine(StableHash(text).value) }

    private mutating func combine(_ number: Double) { combine(number.bitPattern) }
}

extension Digest: StateSink {
    package mutating func field(_ name: StaticString, _ value: Int) {
        field(named: name.description, value)
    }

    package mutating func field(named name: String, _ value: Int) {
        combine(name)
        combine(UInt64(bitPattern: Int64(value)))
    }

    package mutating func field(_ name: StaticString, _ value: Bool) { field(name, value ? 1 : 0) }

    package mutating func field(_ name: StaticString, _ value: String?) {
        combine(name)
        combine(value ?? "null")
    }

    package mutating func field(_ name: StaticString, _ values: StrideThrough<Int>) {
        for value in values { field(name, value) }
    }

    package mutating func field(_ name: StaticString, _ values: [String]) {
        for value in values { field(name, value) }
    }

    package mutating func field(_ name: StaticString, points: Double) {
        combine(name)
        combine(points)
    }

    package mutating func field(_ name: StaticString, frame: Rect) {
        combine(name)
        combine(frame.center.x)
        combine(frame.center.y)
        combine(frame.size.width)
        combine(frame.size.height)
    }

    package mutating func open(_ name: StaticString) { combine(name) }
    package mutating func close() { combine("" as String) }
    package mutating func openList(_ name: StaticString) { combine(name) }
    package mutating func openElement() { combine("" as String) }
    package mutating func closeList() { combine("" as String) }
    package mutating func null(_ name: StaticString) { combine(name) }

    package mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }

    package mutating func view(named name: String, _ state: ViewState) {
        combine(name)
        for number in [
            state.center.x, state.center.y, state.size.width, state.size.height, state.rotation,
            state.scale, state.alpha, Double(state.z),
        ] { combine(number) }
        // As on the wire: absent while it is 0.
        if state.cut != 0 { field("cut", state.cut) }
    }

    package mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        view(named: "\(name)\(number)", state)
    }

    package mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        view(named: "\(name)\(id)", state)
    }
}
