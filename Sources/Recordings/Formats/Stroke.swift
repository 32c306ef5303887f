import Notation
import Protocol

extension RecordingFormat {
    /// The files of the $1 recognizer's gesture set.
    package static let stroke = RecordingFormat(
        title: "a $1 stroke (XML)",
        isFirstLine: { line, _ in line.first == UInt8(ascii: "<") },
        read: { bytes, options, diagnostics throws(RecordingError) in
            try Stroke(parsing: bytes, &diagnostics).recording(
                topic: options.topic(), viewport: options.viewport)
        })
}

/// The path of one contact.
///
/// Format: Wobbrock, Wilson, Li, "Gestures without libraries, toolkits or training", UIST 2007.
struct Stroke: Hashable, Sendable {
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double
        /// Milliseconds on the file's own scale.
        var time: Double

        var microseconds: Int { Int((time * 1_000).rounded()) }

        /// How often this sample is repeated before the next one.
        func repeats(before next: Point) -> Int {
            SampleSpacing.count(from: microseconds, to: next.microseconds)
        }
    }

    var points: [Point]

    /// Reads a file's text; `file` is its name in errors.
    init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        var diagnostics = Diagnostics(file: file, keepsGoing: false)
        try self.init(parsing: bytes, &diagnostics)
    }

    /// The same, where bad points may be left out.
    init(parsing bytes: [UInt8], _ diagnostics: inout Diagnostics) throws(RecordingError) {
        let file = diagnostics.file
        var scanner = TagScanner(bytes: bytes, file: file)
        points = []
        var announced: Int?
        var isInside = false
        var isComplete = false
        var repeats = 0
        while let tag = try scanner.next() {
            if isComplete { throw scanner.error("there is more after </Gesture>") }
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
                do throws(RecordingError) {
                    let point = try point(tag, scanner)
                    let silent = points.last.map { $0.repeats(before: point) } ?? 0
                    try diagnostics.checkCount(points.count + repeats + silent, scanner.tagLine)
                    repeats += silent
                    points.append(point)
                } catch {
                    try diagnostics.skipLine(error)
                }
            case "/Gesture" where isInside:
                isComplete = true
            default:
                throw scanner.error("<\(shown(tag.name))> does not belong here")
            }
        }
        guard isInside else { throw scanner.error("the file has no <Gesture>") }
        guard isComplete else { throw scanner.error("the file ends before </Gesture>") }
        if let announced, announced != points.count + diagnostics.skipped {
            throw scanner.error("NumPts says \(announced) points, there are \(points.count)")
        }
        guard points.count >= 2 else {
            throw diagnostics.nothingLeft(scanner.error("a stroke needs two points"))
        }
    }

    /// The greatest magnitude of a point's numbers.
    private enum Bound: Double, CustomStringConvertible {
        case place = 1e9
        /// The bound of a recording's times.
        case time = 9e12

        var description: String { self == .place ? "1e9" : "9e12" }
    }

    private func point(_ tag: Tag, _ scanner: TagScanner) throws(RecordingError) -> Point {
        func number(_ name: String, within most: Bound = .place) throws(RecordingError) -> Double {
            guard let text = tag.attributes[name] else { throw scanner.error("\(name) is missing") }
            guard let number = ArraySlice(text.utf8).number, number.magnitude <= most.rawValue
            else {
                throw scanner.error(
                    "\(name) is '\(shown(text))', not a number within ±\(most)"
                )
            }
            return number
        }
        let point = Point(
            x: try number("X"), y: try number("Y"),
            time: try number("T", within: .time))
        if let last = points.last, point.time < last.time {
            throw scanner.error("T falls from \(shown(last.time)) to \(shown(point.time))")
        }
        if let first = points.first, point.time - first.time > Recording.spanMillisecondsMax {
            throw scanner.error("T is more than a year after the first")
        }
        return point
    }

    /// Makes the stroke a pan in the middle of the viewport, with a tenth of the viewport free on
    /// every side. Proportions stay.
    func recording(
        topic: [UInt8], viewport: (width: Double, height: Double)
    ) -> Recording {
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
        let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
        let fits = [
            right > left ? 0.8 * viewport.width / (right - left) : .infinity,
            bottom > top ? 0.8 * viewport.height / (bottom - top) : .infinity,
        ]
        // A stroke on a single point has no size to scale.
        let scale = min(fits[0], fits[1]).isFinite ? min(fits[0], fits[1]) : 1
        var events: [Recording.Event] = []
        func append(_ phase: String, _ point: Point, _ microseconds: Int, _ line: Int) {
            let x = viewport.width / 2 + (point.x - (left + right) / 2) * scale
            let y = viewport.height / 2 + (point.y - (top + bottom) / 2) * scale
            let body = Node(
                .object([
                    Node.Member("gesture", Node(.string("pan"))),
                    Node.Member("phase", Node(.string(phase))),
                    Node.Member("x", Node(points: x)), Node.Member("y", Node(points: y)),
                ]))
            events.append(
                Recording.Event(
                    time: Double(microseconds - points[0].microseconds) / 1_000, topic: topic,
                    body: body.json(), line: line))
        }
        for (index, point) in points.enumerated() {
            let isLast = index == points.count - 1
            append(
                index == 0 ? "began" : isLast ? "ended" : "changed", point, point.microseconds,
                index + 1)
            guard !isLast else { continue }
            // A still hand sends nothing; without repeats the daemon would take it for lost.
            for number in 0..<point.repeats(before: points[index + 1]) {
                let later = point.microseconds + (number + 1) * SampleSpacing.microseconds
                append("changed", point, later, index + 1)
            }
        }
        return Recording(events: events)
    }
}

/// The beginning of a text, without characters that would command a terminal.
private func shown(_ text: String) -> String { ArraySlice(text.utf8).excerpt }

/// A number; a whole one has no point.
private func shown(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
}

/// One XML tag; the name of an end tag begins with its slash.
private struct Tag {
    var name: String
    var attributes: [String: String] = [:]
}

/// Reads the tags of XML that has no text content, entities or namespaces.
private struct TagScanner {
    let bytes: [UInt8]
    let file: String
    private var position = 0
    private var line = 1
    /// The line at which the last returned tag begins.
    private(set) var tagLine = 1

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    func error(_ message: String) -> RecordingError {
        RecordingError(file: file, line: tagLine, message: message)
    }

    /// The next tag; nil at the end. Declarations and comments are skipped.
    mutating func next() throws(RecordingError) -> Tag? {
        while true {
            skipSpace()
            tagLine = line
            guard position < bytes.count else { return nil }
            guard take("<") else { throw error("text outside of a tag: this is not a stroke") }
            if take("?") {
                try skip(past: "?>")
            } else if take("!--") {
                try skip(past: "-->")
            } else if take("!") {
                try skipDeclaration()
            } else {
                return try tag()
            }
        }
    }

    private mutating func tag() throws(RecordingError) -> Tag {
        var tag = Tag(name: take("/") ? "/" : "")
        tag.name += name()
        guard tag.name.first(where: { $0 != "/" })?.isLetter == true else {
            throw error("a tag without a name")
        }
        while true {
            skipSpace()
            if take("/>") || take(">") { return tag }
            let attribute = name()
            skipSpace()
            guard !attribute.isEmpty, take("=") else { throw error("<\(tag.name)> is broken") }
            skipSpace()
            let quote = take("\"") ? "\"" : "'"
            guard quote == "\"" || take("'") else { throw error("<\(tag.name)> is broken") }
            guard tag.attributes[attribute] == nil else { throw error("\(attribute) twice") }
            let start = position
            while position < bytes.count, !quote.utf8.contains(bytes[position]) { step() }
            tag.attributes[attribute] = String(decoding: bytes[start..<position], as: UTF8.self)
            guard take(quote) else { throw error("<\(tag.name)> does not end") }
        }
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, Self.isOfNames(bytes[position]) { step() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Letters, digits, the four marks of names, and everything beyond ASCII.
    private static func isOfNames(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: "_-.".utf8.contains(byte)
        }
    }

    /// Skips `DOCTYPE …` with its brackets.
    private mutating func skipDeclaration() throws(RecordingError) {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            step()
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth == 0: return
            case UInt8(ascii: ">"): depth -= 1
            default: break
            }
        }
        throw error("the file ends inside a declaration")
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
            guard position < bytes.count else { throw error("the file ends inside a declaration") }
            step()
        }
    }
}
