import Notation
import Wire

/// A single contact's path, as the files of the $1 recognizer's gesture set hold it.
///
/// Format: Wobbrock, Wilson, Li, "Gestures without libraries, toolkits or training", UIST 2007.
struct Stroke: Hashable, Sendable {
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double
        /// Milliseconds on the file's own scale.
        var time: Double
    }

    var points: [Point]

    /// Reads a file's text; `file` is what errors call it.
    init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        var complaints = Complaints(file: file, keepsGoing: false)
        try self.init(parsing: bytes, &complaints)
    }

    /// The same, where points that cannot be read may be left out.
    init(parsing bytes: [UInt8], _ complaints: inout Complaints) throws(RecordingError) {
        let file = complaints.file
        var scanner = TagScanner(bytes: bytes, file: file)
        points = []
        var announced: Int?
        var isInside = false
        var isComplete = false
        while let tag = try scanner.next() {
            if isComplete { throw scanner.error("something follows </Gesture>") }
            switch tag.name {
            case "Gesture" where !isInside:
                isInside = true
                announced = try tag.attributes["NumPts"].map { (text) throws(RecordingError) in
                    guard let count = Int(text) else {
                        throw scanner.error("NumPts is '\(shown(text))', not a whole number")
                    }
                    return count
                }
            case "Point" where isInside:
                try complaints.checkCount(points.count, scanner.tagLine)
                do throws(RecordingError) {
                    points.append(try point(tag, scanner))
                } catch {
                    try complaints.skip(error)
                }
            case "/Gesture" where isInside:
                isComplete = true
            default:
                throw scanner.error("<\(shown(tag.name))> has no place here")
            }
        }
        guard isInside else { throw scanner.error("no <Gesture> in it") }
        guard isComplete else { throw scanner.error("it ends before </Gesture>") }
        if let announced, announced != points.count + complaints.skipped {
            throw scanner.error("NumPts says \(announced) points, there are \(points.count)")
        }
        guard points.count >= 2 else { throw scanner.error("a stroke needs two points") }
    }

    private func point(_ tag: Tag, _ scanner: TagScanner) throws(RecordingError) -> Point {
        func number(_ name: String) throws(RecordingError) -> Double {
            guard let text = tag.attributes[name] else { throw scanner.error("\(name) is missing") }
            guard let number = Double(text), number.magnitude <= 1e9 else {
                throw scanner.error("\(name) is '\(shown(text))', not a number within ±1e9")
            }
            return number
        }
        let point = Point(x: try number("X"), y: try number("Y"), time: try number("T"))
        if let last = points.last, point.time < last.time {
            throw scanner.error("T falls from \(shown(last.time)) to \(shown(point.time))")
        }
        return point
    }

    /// The stroke as a pan of a component, as large as fits into the middle of the viewport,
    /// a tenth of it left free on every side. Proportions stay.
    func recording(
        session: String, component: String, viewport: (width: Double, height: Double)
    ) -> Recording {
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
        let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
        let fits = [
            right > left ? 0.8 * viewport.width / (right - left) : .infinity,
            bottom > top ? 0.8 * viewport.height / (bottom - top) : .infinity,
        ]
        // A stroke that stays on one point has no size to scale.
        let scale = min(fits[0], fits[1]).isFinite ? min(fits[0], fits[1]) : 1
        let topic = Array("gesture/\(session)/\(component)".utf8)
        let events = points.enumerated().map { index, point in
            let isLast = index == points.count - 1
            let x = viewport.width / 2 + (point.x - (left + right) / 2) * scale
            let y = viewport.height / 2 + (point.y - (top + bottom) / 2) * scale
            let body = Node(
                .object([
                    Node.Member("gesture", Node(.string("pan"))),
                    Node.Member(
                        "phase", Node(.string(index == 0 ? "began" : isLast ? "ended" : "changed"))
                    ),
                    Node.Member("x", Node(.number(x))), Node.Member("y", Node(.number(y))),
                ]))
            return Recording.Event(
                time: point.time - points[0].time, topic: topic, body: body.json(), line: index + 1)
        }
        return Recording(events: events)
    }
}

/// Its beginning, fit for a message on a terminal whatever is in it.
private func shown(_ text: String) -> String { ArraySlice(text.utf8).excerpt }

/// A whole number without a point.
private func shown(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
}

/// One tag of XML, its name with the slash of an end tag.
private struct Tag {
    var name: String
    var attributes: [String: String] = [:]
}

/// Reads the tags of a small XML text without text content, entities or namespaces.
private struct TagScanner {
    let bytes: [UInt8]
    let file: String
    private var position = 0
    private var line = 1
    /// Where the tag begins that was returned last.
    private(set) var tagLine = 1

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    func error(_ message: String) -> RecordingError {
        RecordingError(file: file, line: tagLine, message: message)
    }

    /// The next tag; nil at the end. Declarations and comments are passed over.
    mutating func next() throws(RecordingError) -> Tag? {
        while true {
            skipSpace()
            tagLine = line
            guard position < bytes.count else { return nil }
            guard take("<") else { throw error("text outside of a tag: no XML of strokes") }
            if take("?") {
                try skip(past: "?>")
            } else if take("!--") {
                try skip(past: "-->")
            } else {
                return try tag()
            }
        }
    }

    private mutating func tag() throws(RecordingError) -> Tag {
        var tag = Tag(name: take("/") ? "/" : "")
        tag.name += name()
        guard tag.name.last?.isLetter == true else { throw error("a tag without a name") }
        while true {
            skipSpace()
            if take("/>") || take(">") { return tag }
            let attribute = name()
            guard !attribute.isEmpty, take("=\"") else {
                throw error("<\(tag.name)> is broken")
            }
            guard tag.attributes[attribute] == nil else { throw error("\(attribute) twice") }
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { step() }
            tag.attributes[attribute] = String(decoding: bytes[start..<position], as: UTF8.self)
            guard take("\"") else { throw error("<\(tag.name)> does not end") }
        }
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, Character(Unicode.Scalar(bytes[position])).isLetter {
            step()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func step() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { step() }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past text: String) throws(RecordingError) {
        while !take(text) {
            guard position < bytes.count else { throw error("it ends inside a declaration") }
            step()
        }
    }
}
