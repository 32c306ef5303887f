import CDocument
package import Notation

extension Node {
    /// Compact JSON in UTF-8.
    package func json() -> [UInt8] {
        var buffer = ByteBuffer(capacity: 256)
        buffer.json(self)
        return buffer.array()
    }
}

/// Why a text cannot be read as JSON or TOML.
package struct DocumentError: Error, Hashable, Sendable {
    package var message: String
    /// Both from 1, if known.
    package var line: Int?
    package var column: Int?

    package init(message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }
}

/// Reads whole texts into trees of at most `Node.depthMax` levels.
///
/// For scenes, configurations and control requests; Codec's `EventDecoder` is the fast way to
/// read an event.
package enum Document {
    /// A whole number beyond 64 bits becomes the nearest double, and a number beyond a double's
    /// range null. If `exactly` is true both are errors, for callers that write the text again
    /// unchanged. More than `valuesMax` values are an error: for texts of peers, which may be
    /// dense.
    package static func json(
        _ bytes: [UInt8], exactly: Bool = false, valuesMax: Int = .max,
        depthMax: Int = Node.depthMax
    ) throws(DocumentError) -> Node {
        try unsafe read(bytes, exactly: exactly, depthMax: depthMax) {
            unsafe gs_document_json($0, $1, $2, valuesMax)
        }
    }

    /// Whether bytes are JSON. It reads no values, so that it takes a millisecond for a MiB
    /// whatever stands in them.
    package static func isJSON(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe gs_json_check($0.baseAddress, $0.count) == Int32(gs_ok)
        }
    }

    /// If `takesDates` is true a date or a time is null, for callers that name its place in their
    /// own words. Otherwise it is an error.
    package static func toml(
        _ bytes: [UInt8], depthMax: Int = Node.depthMax, takesDates: Bool = false
    ) throws(DocumentError) -> Node {
        let node = try unsafe read(bytes, depthMax: depthMax) {
            unsafe gs_document_toml($0, $1, $2)
        }
        if !takesDates, let date = node.firstNull(at: []) {
            let place = TableError(
                path: date.keys.dropLast().joined(separator: "."), key: date.keys.last,
                message: "dates and times are not used here")
            throw DocumentError(message: place.description, line: date.line)
        }
        return node
    }

    private static func read(
        _ bytes: [UInt8], exactly: Bool = false, depthMax: Int,
        _ open: (UnsafePointer<UInt8>?, Int, Int) -> OpaquePointer?
    ) throws(DocumentError) -> Node {
        let handle = unsafe bytes.withUnsafeBufferPointer {
            unsafe open($0.baseAddress, $0.count, depthMax)
        }
        guard let handle = unsafe handle else { throw DocumentError(message: "no memory") }
        defer { unsafe gs_document_close(handle) }
        return try unsafe tree(handle, exactly: exactly)
    }

    /// The tree of a document that somebody else closes.
    package static func tree(
        _ handle: OpaquePointer?, exactly: Bool = false
    ) throws(DocumentError) -> Node {
        guard unsafe gs_document_status(handle) == Int32(gs_ok) else {
            let line = unsafe Int(gs_document_error_line(handle))
            let column = unsafe Int(gs_document_error_column(handle))
            throw unsafe DocumentError(
                message: String(cString: gs_document_message(handle)),
                line: line > 0 ? line : nil, column: column > 0 ? column : nil)
        }
        if exactly, unsafe gs_document_is_inexact(handle) {
            throw DocumentError(message: "a number that cannot be read exactly")
        }
        var tape = unsafe Tape(
            entries: UnsafeBufferPointer(
                start: gs_document_entries(handle), count: gs_document_entry_count(handle)))
        return tape.next().value
    }
}

extension Node {
    /// The keys and the line of the first null in it; `keys` lead to it.
    fileprivate func firstNull(at keys: [String]) -> (keys: [String], line: Int?)? {
        switch value {
        case .null: return (keys, line)
        case .bool, .integer, .unsigned, .number, .string: return nil
        case .array(let elements):
            for element in elements {
                if let found = element.firstNull(at: keys) { return found }
            }
        case .object(let members):
            for member in members {
                if let found = member.value.firstNull(at: keys + [member.name]) { return found }
            }
        }
        return nil
    }
}

/// Turns the shim's flat entries into a tree; valid while the document is open.
@safe
private struct Tape {
    let entries: UnsafeBufferPointer<gs_entry>
    var position = 0

    init(entries: UnsafeBufferPointer<gs_entry>) { unsafe self.entries = entries }

    /// Recursive to the depth of the document, which the shim bounds.
    mutating func next() -> Node.Member {
        let entry = unsafe entries[position]
        position += 1
        let count = unsafe entry.children
        let value: Node.Value
        switch unsafe Int(entry.kind) {
        case gs_false: value = .bool(false)
        case gs_true: value = .bool(true)
        case gs_integer: value = unsafe .integer(Int(entry.integer))
        case gs_unsigned: value = unsafe .unsigned(UInt(bitPattern: Int(entry.integer)))
        case gs_number: value = unsafe .number(entry.number)
        case gs_string: value = unsafe .string(Self.text(entry.text, entry.text_length))
        case gs_array: value = .array((0..<count).map { _ in next().value })
        case gs_object: value = .object((0..<count).map { _ in next() })
        default: value = .null
        }
        let line = unsafe entry.line > 0 ? Int(entry.line) : nil
        return unsafe Node.Member(
            Self.text(entry.key, entry.key_length), Node(value, line: line))
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        // Only a member has a name.
        guard let start = unsafe start else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
        return unsafe PeerText.text(bytes)
    }
}
