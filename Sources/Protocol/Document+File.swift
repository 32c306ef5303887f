package import Notation

extension Document {
    /// Reads JSON that a person wrote: as in TOML, errors and values carry their lines.
    ///
    /// It passes over the text twice, since simdjson tells no lines. So it is for files and not for
    /// events.
    package static func jsonFile(
        _ bytes: [UInt8], depthMax: Int = Node.depthMax
    ) throws(DocumentError) -> Node {
        var lines = LineReader(bytes)
        let flaw = lines.read()
        do throws(DocumentError) {
            let node = try json(bytes, depthMax: depthMax)
            var rest = lines.ofValues[...]
            return node.withLines(&rest)
        } catch {
            guard let flaw else { throw DocumentError(message: error.message) }
            throw DocumentError(
                message: "\(error.message): \(flaw.message)", line: lines.line(of: flaw))
        }
    }
}

extension Node {
    /// The tree with the line of each value, in the order of the text.
    fileprivate func withLines(_ lines: inout ArraySlice<Int>) -> Node {
        let line = lines.popFirst()
        switch value {
        case .null, .bool, .integer, .unsigned, .number, .string: return Node(value, line: line)
        case .array(let elements):
            return Node(.array(elements.map { $0.withLines(&lines) }), line: line)
        case .object(let members):
            return Node(
                .object(members.map { Member($0.name, $0.value.withLines(&lines)) }), line: line)
        }
    }
}

/// Notes the line of each value of a JSON text.
private struct LineReader {
    /// The line of each value, from 1, in the order of the text; a member's is that of its name.
    private(set) var ofValues: [Int] = []

    private let bytes: [UInt8]
    /// The line of the byte up to which lines are counted.
    private var line = 1
    private var counted = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the text up to its end, or to the first token that the grammar does not allow.
    mutating func read() -> JSONScanner.Flaw? {
        do throws(JSONScanner.Flaw) {
            try JSONScanner.scan(bytes) { (scanner) throws(JSONScanner.Flaw) in
                try take(&scanner, from: scanner.position)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Passes a value that begins at this byte, or whose name does.
    private mutating func take(
        _ scanner: inout JSONScanner, from start: Int
    ) throws(JSONScanner.Flaw) {
        while counted < start {
            if bytes[counted] == UInt8(ascii: "\n") { line += 1 }
            counted += 1
        }
        ofValues.append(line)
        switch scanner.next {
        case UInt8(ascii: "{"):
            try scanner.walkObject { (name, scanner) throws(JSONScanner.Flaw) in
                try take(&scanner, from: name.lowerBound)
            }
        case UInt8(ascii: "["):
            try scanner.walkList { (scanner) throws(JSONScanner.Flaw) in
                try take(&scanner, from: scanner.position)
            }
        default: _ = try scanner.skipValue()
        }
    }

    /// The line of a flaw. A text that ends too early lacks something behind its last token.
    func line(of flaw: JSONScanner.Flaw) -> Int {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let last = bytes.lastIndex { !isSpace($0) } ?? 0
        return 1 + bytes[..<min(flaw.place, last)].count { $0 == UInt8(ascii: "\n") }
    }
}
