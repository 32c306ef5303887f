package import Geometry
package import Notation

/// The parameters of `panel`. Lengths in points.
package struct PanelParameters: KindParameters {
    package typealias Component = Panel

    /// The axis along which the panel moves.
    package enum Axis: String, Hashable, Sendable, CaseIterable { case vertical, horizontal }

    /// The part of the panel by which a finger drags it.
    package enum Drag: String, Hashable, Sendable, CaseIterable { case anywhere, handle, none }

    /// A place at which the panel may rest.
    package struct Anchor: Hashable, Sendable {
        package var name: String
        package var place: Place

        package init() { self.init("", .points(0)) }

        package init(_ name: String, _ place: Place) {
            self.name = name
            self.place = place
        }
    }

    /// The place of the panel's edge in the component's frame.
    package enum Place: Hashable, Sendable {
        case points(Double)
        /// A percentage of the frame's length.
        case percent(Double)
    }

    package var axis = Axis.vertical
    /// The size of what moves.
    package var size: Size
    /// From the first to the last, each farther along one way than the one before.
    package var anchors: [Anchor] = []
    /// The anchor at which it opens; nil: the first.
    package var start: String?
    package var spring = SpringParameters()
    package var drag = Drag.anywhere
    /// In the panel's own coordinates; nil: no handle is shown.
    package var handle: Rect?
    /// Whether a drag stretches a rubber band beyond the ends.
    package var overshoot = true
    /// The backdrop's alpha at the last anchor; at the first it is 0. 0: there is no backdrop.
    package var backdropAlpha = 0.0
    /// The size of the component's frame.
    package let frame: Size

    package init(viewport: Size) {
        frame = viewport
        size = viewport
    }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.choice("axis", &axis)
        try table.size("size", &size)
        try table.require("anchors")
        try table.tables("anchors", &anchors, called: "anchor", count: 1...Panel.anchorsMax)
        try table.string("start", &start)
        try table.table("spring", &spring)
        try table.choice("drag", &drag)
        try table.rect("handle", &handle)
        try table.bool("overshoot", &overshoot)
        try table.number("backdrop_alpha", &backdropAlpha, in: .alpha)
        guard let reader = table.reader else { return }
        guard areInOrder else {
            throw reader.error(
                "anchors", "must stand in order along the axis, each at a place of its own")
        }
        if let start, index(of: start) == nil {
            throw reader.error("start", unknown: "anchor", start, among: anchors.map(\.name))
        }
        if drag == .handle, handle == nil { throw reader.error("drag", "needs handle beside it") }
    }

    // MARK: Places

    /// The length of the component's frame along the axis.
    var frameLength: Double { axis == .vertical ? frame.height : frame.width }

    func index(of name: String) -> Int? { anchors.firstIndex { $0.name == name } }

    /// The anchor at which it opens.
    var startIndex: Int { start.flatMap { index(of: $0) } ?? 0 }

    /// The place of an anchor, in points.
    func position(of anchor: Int) -> Double {
        switch anchors[anchor].place {
        case .points(let points): points
        case .percent(let percent): percent / 100 * frameLength
        }
    }

    var last: Int { anchors.count - 1 }

    /// The places between which the panel moves.
    var ends: ClosedRange<Double> {
        let (first, last) = (position(of: 0), position(of: last))
        return min(first, last)...max(first, last)
    }

    private var areInOrder: Bool {
        guard anchors.count > 1 else { return true }
        let places = anchors.indices.map { position(of: $0) }
        let isRising = places[1] > places[0]
        return zip(places, places.dropFirst()).allSatisfy {
            isRising ? $0 < $1 : $0 > $1
        }
    }
}

extension PanelParameters.Anchor: ParameterEntry {
    package static var idKey: String { "name" }
    package var uniqueID: String? { name }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("name")
        try table.name("name", &name)
        try table.require("at")
        try table.value("at", .either([.number(.coordinate), .text]), place.node) {
            (reader) throws(TableError) in
            guard let node = reader.node("at") else { return }
            guard let read = PanelParameters.Place(node) else {
                throw reader.error(
                    "at",
                    "must be a number \(NumberRange.coordinate.rule), or a percentage of the frame "
                        + "such as \"40%\"")
            }
            place = read
        }
    }
}

extension PanelParameters.Place {
    /// The largest percentage: ten frames.
    private static let percentMax = 1_000.0

    fileprivate init?(_ node: Node) {
        if let points = node.double {
            guard NumberRange.coordinate.contains(points) else { return nil }
            self = .points(points)
            return
        }
        guard let text = node.string, text.hasSuffix("%"), let percent = Double(text.dropLast()),
            percent.magnitude <= Self.percentMax
        else { return nil }
        self = .percent(percent)
    }

    fileprivate var node: Node {
        switch self {
        case .points(let points): Node(.number(points))
        case .percent(let percent):
            // As a person writes it: "40%".
            Node(.string(Int(exactly: percent).map { "\($0)%" } ?? "\(percent)%"))
        }
    }
}
