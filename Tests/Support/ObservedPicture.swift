package import Geometry
package import Gestures
package import Interactions

/// A component's look at one instant, field by field.
package struct Picture: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case whole(Int)
        case flag(Bool)
        case text(String?)
        case points(Double)
        case frame(Rect)
        case wholes([Int])
        case texts([String])
        case null
    }

    package var phase: String
    /// By their path, as `bubble.counts.likes` or, in a list, `items.0.glow`.
    package private(set) var fields: [String: Value] = [:]
    package private(set) var views: [String: ViewState] = [:]
    /// The views' names in the order in which they were told.
    package private(set) var names: [String] = []
    private var path: [String] = []
    /// The next element of each open list.
    private var elements: [Int] = []

    package init(_ shown: some Presentable, recognizer: GestureKind? = nil) {
        phase = shown.phase
        shown.model(into: &self)
        if let recognizer { field("recognizer", recognizer.rawValue) }
        precondition(path.isEmpty, "an object was not closed: \(path)")
        shown.views(into: &self)
    }

    /// Whether every number in it is one.
    package var isFinite: Bool {
        let numbers = views.values.flatMap {
            [
                $0.center.x, $0.center.y, $0.size.width, $0.size.height, $0.rotation, $0.scale,
                $0.alpha,
            ]
        }
        let points = fields.values.map { value in
            if case .points(let points) = value { return points }
            return 0
        }
        return (numbers + points).allSatisfy(\.isFinite)
    }
}

extension Picture: StateSink {
    private mutating func put(_ name: StaticString, _ value: Value) {
        put(named: name.description, value)
    }

    private mutating func put(named name: String, _ value: Value) {
        fields[(path + [name]).joined(separator: ".")] = value
    }

    package mutating func field(_ name: StaticString, _ value: Int) { put(name, .whole(value)) }
    package mutating func field(named name: String, _ value: Int) {
        put(named: name, .whole(value))
    }
    package mutating func field(_ name: StaticString, _ value: Bool) { put(name, .flag(value)) }
    package mutating func field(_ name: StaticString, _ value: String?) { put(name, .text(value)) }
    package mutating func field(_ name: StaticString, _ values: StrideThrough<Int>) {
        put(name, .wholes(Array(values)))
    }
    package mutating func field(_ name: StaticString, _ values: [String]) {
        put(name, .texts(values))
    }
    package mutating func field(_ name: StaticString, points: Double) { put(name, .points(points)) }
    package mutating func field(_ name: StaticString, frame: Rect) { put(name, .frame(frame)) }
    package mutating func null(_ name: StaticString) { put(name, .null) }
    package mutating func open(_ name: StaticString) { path.append(name.description) }
    package mutating func close() { path.removeLast() }
    package mutating func openList(_ name: StaticString) {
        path.append(name.description)
        elements.append(0)
    }
    package mutating func openElement() {
        let last = elements.count - 1
        path.append("\(elements[last])")
        elements[last] += 1
    }
    package mutating func closeList() {
        path.removeLast()
        elements.removeLast()
    }

    package mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }

    package mutating func view(named name: String, _ state: ViewState) {
        precondition(views[name] == nil, "two views are called \(name)")
        views[name] = state
        names.append(name)
    }

    package mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        view(named: "\(name)\(number)", state)
    }

    package mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        view(named: "\(name)\(id)", state)
    }
}
