import Geometry
import Notation
import Sessions

/// Reads a `frame` that is a table: places and lengths in the room where a component stands.
///
/// Two of the three keys of an axis say where a frame lies there, and none lets it fill the axis;
/// `aspect` stands in place of a width or a height. It looks at all keys before it throws, so that
/// a person hears of all that is wrong at once.
struct FrameReader {
    /// The keys of one axis, from its beginning to its end.
    struct Axis {
        var start: String
        var end: String
        var length: String
        var center: String

        static let horizontal = Axis(
            start: "left", end: "right", length: "width", center: "center_x")
        static let vertical = Axis(
            start: "top", end: "bottom", length: "height", center: "center_y")

        var places: [String] { [start, end, center] }
    }

    /// The keys of an axis, in points from the edge from which they measure.
    private enum Extent {
        case span(from: Double, length: Double)
        /// One place, without a length.
        case place(String, Double)
        /// No key.
        case whole
        /// It is told of.
        case wrong
    }

    /// A width divided by a height.
    static let aspects = NumberRange(0.001...1_000, rule: "from 0.001 to 1,000")
    /// Percentages of a place or a length: ten times what it measures.
    private static let percentMax = 1_000.0
    /// Unknown keys that are told.
    private static let strangersMax = 16

    private var table: TableReader
    private var faults: [TableError] = []

    /// The frame that a table says, in the room's coordinates. `path` names the component.
    static func frame(
        _ node: Node, path: String, in space: Space
    ) throws(TableError) -> Rect {
        var reader = FrameReader(table: try TableReader(node, path: "\(path), frame"))
        return try reader.frame(in: space)
    }

    private init(table: TableReader) { self.table = table }

    private mutating func frame(in space: Space) throws(TableError) -> Rect {
        var isSafe = false
        note { (table) throws(TableError) in isSafe = try table.bool("safe", default: false) }
        let box = isSafe ? space.safe : Rect(0, 0, space.size.width, space.size.height)
        var aspect: Double?
        note { (table) throws(TableError) in
            aspect = try table.number("aspect", in: Self.aspects)
        }
        let hasAspect = table.node("aspect") != nil
        let x = extent(of: .horizontal, in: box.size.width, hasAspect: hasAspect)
        let y = extent(of: .vertical, in: box.size.height, hasAspect: hasAspect)
        faults += table.strangers(countMax: Self.strangersMax)
        try throwFaults()
        let (width, height) = lengths(x, y, aspect, in: box.size)
        try throwFaults()
        let frame = Rect(
            box.origin.x + origin(x, width), box.origin.y + origin(y, height), width, height)
        check(.horizontal, frame.origin.x, width, isSafe: isSafe, in: box.size.width)
        check(.vertical, frame.origin.y, height, isSafe: isSafe, in: box.size.height)
        try throwFaults()
        return frame
    }

    // MARK: Faults

    private mutating func note(_ read: (inout TableReader) throws(TableError) -> Void) {
        do throws(TableError) {
            try read(&table)
        } catch {
            faults.append(error)
        }
    }

    private mutating func note(_ key: String, _ message: String) {
        faults.append(table.error(key, message))
    }

    private func throwFaults() throws(TableError) {
        guard var first = faults.first else { return }
        first.others = Array(faults.dropFirst())
        throw first
    }

    // MARK: One axis

    private mutating func extent(
        of axis: Axis, in length: Double, hasAspect: Bool
    ) -> Extent {
        let start = number(axis.start, .coordinate, of: length)
        let end = number(axis.end, .coordinate, of: length)
        let own = number(axis.length, .size, of: length)
        let center = number(axis.center, .coordinate, of: length)
        let given = axis.places.filter { table.has($0) }
        if let excess = excess(of: axis, given) {
            note(excess.key, excess.message)
            return .wrong
        }
        if table.has(axis.length), given.isEmpty {
            note(axis.length, "needs \(axis.start), \(axis.end) or \(axis.center) beside it")
            return .wrong
        }
        switch (start, end, own, center) {
        case (let start?, let end?, _, _):
            return .span(from: start, length: length - start - end)
        case (let start?, _, let own?, _): return .span(from: start, length: own)
        case (_, let end?, let own?, _): return .span(from: length - end - own, length: own)
        case (_, _, let own?, let center?): return .span(from: center - own / 2, length: own)
        default: break
        }
        guard given.count == 1, !table.has(axis.length) else {
            return given.isEmpty && !table.has(axis.length) ? .whole : .wrong
        }
        let key = given[0]
        if !hasAspect {
            let others = [axis.start, axis.end].filter { $0 != key && key != axis.center }
            let all = (others + [axis.length]).joined(separator: ", ")
            note(key, "needs \(all) or aspect beside it")
            return .wrong
        }
        if let center { return .place(key, center) }
        if let end { return .place(key, length - end) }
        return start.map { .place(key, $0) } ?? .wrong
    }

    /// A key too many; nil: there is none.
    private mutating func excess(
        of axis: Axis, _ given: [String]
    ) -> (key: String, message: String)? {
        let rule =
            "give two of \(axis.start), \(axis.end) and \(axis.length), or \(axis.center) with "
            + axis.length
        if let other = given.first, other != axis.center, given.contains(axis.center) {
            return (axis.center, "cannot stand beside \(other): \(rule)")
        }
        guard given.count == 2, table.has(axis.length) else { return nil }
        return (axis.length, "cannot stand beside \(axis.start) and \(axis.end): \(rule)")
    }

    /// Points, or a percentage of a length. Nil: it is absent, or wrong and told of.
    private mutating func number(
        _ key: String, _ range: NumberRange, of length: Double
    ) -> Double? {
        guard let node = table.node(key) else { return nil }
        if let points = node.double, range.contains(points) { return points }
        if let text = node.string, text.hasSuffix("%"), let percent = Double(text.dropLast()),
            percent.magnitude <= Self.percentMax
        {
            return percent / 100 * length
        }
        note(
            key,
            "must be a number \(range.rule), or a percentage of at most 1,000% such as \"50%\"")
        return nil
    }

    // MARK: Both axes

    /// The width and the height. An axis without a length has the other's, by the aspect.
    private mutating func lengths(
        _ x: Extent, _ y: Extent, _ aspect: Double?, in size: Size
    ) -> (Double, Double) {
        func length(_ extent: Extent, _ whole: Double) -> Double? {
            switch extent {
            case .span(_, let length): length
            case .whole: whole
            case .place, .wrong: nil
            }
        }
        switch (length(x, size.width), length(y, size.height), aspect) {
        case (let width?, let height?, nil): return (width, height)
        case (nil, let height?, let aspect?): return (aspect * height, height)
        case (let width?, nil, let aspect?): return (width, width / aspect)
        case (_?, _?, _?):
            noteNeedlessAspect(x, y)
        case (nil, _, _), (_, nil, _):
            note("aspect", "needs width or height beside it")
        }
        return (0, 0)
    }

    /// Both lengths are said already, or one is by no key.
    private mutating func noteNeedlessAspect(_ x: Extent, _ y: Extent) {
        if case .whole = y {
            note("aspect", "needs top, bottom or center_y beside it, since it gives the height")
        } else if case .whole = x {
            note("aspect", "needs left, right or center_x beside it, since it gives the width")
        } else {
            note("aspect", "cannot stand beside a width and a height: leave out a key of one axis")
        }
    }

    /// The beginning of an axis' span of a length.
    private func origin(_ extent: Extent, _ length: Double) -> Double {
        switch extent {
        case .span(let from, _): from
        case .whole, .wrong: 0
        case .place(let key, let place):
            switch key {
            case "left", "top": place
            case "right", "bottom": place - length
            default: place - length / 2
            }
        }
    }

    /// A frame has a size, and lies where coordinates reach.
    private mutating func check(
        _ axis: Axis, _ origin: Double, _ length: Double, isSafe: Bool, in whole: Double
    ) {
        let keys = [axis.length, "aspect", axis.end, axis.start, axis.center]
        let key = keys.first { table.has($0) } ?? "safe"
        if !NumberRange.size.contains(length) {
            let room = isSafe ? "the \(Self.text(whole)) within the insets" : Self.text(whole)
            note(
                key,
                "leaves a \(axis.length) of \(Self.text(length)) in \(room): it must be "
                    + NumberRange.size.rule)
        } else if !NumberRange.coordinate.contains(origin) {
            note(
                key,
                "puts the frame at \(Self.text(origin)): it must lie "
                    + NumberRange.coordinate.rule)
        }
    }

    /// A number as a person writes it.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
