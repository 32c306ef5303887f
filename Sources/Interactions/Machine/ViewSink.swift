package import Geometry

/// A sink for views alone: it passes over a model's fields, which nobody writes to it.
package protocol ViewSink: StateSink {}

extension ViewSink {
    package mutating func field(_ name: StaticString, _ value: Int) {}
    package mutating func field(named name: String, _ value: Int) {}
    package mutating func field(_ name: StaticString, _ value: Bool) {}
    package mutating func field(_ name: StaticString, _ value: String?) {}
    package mutating func field(_ name: StaticString, _ values: StrideThrough<Int>) {}
    package mutating func field(_ name: StaticString, _ values: [String]) {}
    package mutating func field(_ name: StaticString, points: Double) {}
    package mutating func field(_ name: StaticString, frame: Rect) {}
    package mutating func open(_ name: StaticString) {}
    package mutating func close() {}
    package mutating func openList(_ name: StaticString) {}
    package mutating func openElement() {}
    package mutating func closeList() {}
    package mutating func null(_ name: StaticString) {}
}
