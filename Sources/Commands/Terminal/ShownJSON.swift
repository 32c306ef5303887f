import Notation

/// JSON that may be shown: its value is as it came, and its text cannot command a terminal.
package struct ShownJSON {
    package let bytes: [UInt8]

    /// One value as a line, without its end.
    package init(_ bytes: [UInt8]) { self.bytes = Printable.json(bytes) }

    /// Values, one a line, each with its end.
    package init(lines bytes: [UInt8]) { self.bytes = Printable.json(bytes, keepsLineEnds: true) }

    private init(shown bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// The same text in pieces of at most so many bytes.
    func pieces(bytesMax: Int) -> some Sequence<ShownJSON> {
        stride(from: 0, to: bytes.count, by: bytesMax).lazy.map {
            ShownJSON(shown: bytes[$0..<min($0 + bytesMax, bytes.count)])
        }
    }
}
