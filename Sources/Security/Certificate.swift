// Security: who belongs, as values. Keys, certificates as CZMQ writes them, and a client's rights.
//
// The daemon's handshakes ask here whether a key is known, and the reactor whether a client may do
// what it asks. Files are read by the programs.

/// A certificate in CZMQ's format: a public key, perhaps its secret key, and metadata.
///
/// The text is ZPL (ZeroMQ RFC 4): sections without indentation, `name = "value"` in them, comments
/// after `#`. The tools of CZMQ and `zmq.auth` of pyzmq write and read the same files.
package struct Certificate: Equatable, Sendable {
    package var publicKey: CurveKey
    /// Nil in a certificate that may be shown.
    package var secretKey: CurveKey?
    /// Names and values of the section `metadata`, in their order.
    package var metadata: [Entry]

    /// One line of metadata.
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Bytes of a certificate's file.
    package static let bytesMax = 16 * 1024

    package init(publicKey: CurveKey, secretKey: CurveKey? = nil, metadata: [Entry] = []) {
        self.publicKey = publicKey
        self.secretKey = secretKey
        self.metadata = metadata
    }

    /// Reads a file's bytes.
    package init(_ bytes: [UInt8]) throws(CertificateError) {
        guard bytes.count <= Self.bytesMax else {
            throw CertificateError(nil, "a certificate has at most \(Self.bytesMax) bytes")
        }
        // A file of another kind would be quoted in messages.
        guard bytes.allSatisfy({ $0 == 9 || $0 == 10 || $0 == 13 || ($0 >= 32 && $0 != 127) }),
            String(validating: bytes, as: UTF8.self) != nil
        else { throw CertificateError(nil, "is no text") }
        var reader = CertificateReader()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            try reader.read(line, number: place + 1)
        }
        self = try reader.certificate()
    }

    /// The first value of a name of the metadata.
    package func value(of name: String) -> String? { metadata.first { $0.name == name }?.value }

    /// The file's text with a comment of one line at its head; without the secret key unless asked.
    package func text(withSecret: Bool, comment: String) -> String {
        var text = "#   \(comment)\n"
        text +=
            withSecret && secretKey != nil
            ? "#   ZeroMQ CURVE **Secret** Certificate\n"
                + "#   DO NOT PROVIDE THIS FILE TO OTHER USERS nor change its permissions.\n"
            : "#   ZeroMQ CURVE Public Certificate\n"
        text += "\nmetadata\n"
        for entry in metadata {
            // A value that was read has one kind of quotation mark at most.
            let quote = entry.value.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
            text += "    \(entry.name) = \(quote)\(entry.value)\(quote)\n"
        }
        text += "curve\n    public-key = \"\(publicKey.text)\"\n"
        if withSecret, let secretKey { text += "    secret-key = \"\(secretKey.text)\"\n" }
        return text
    }
}

/// The flaw of a certificate, and its line.
package struct CertificateError: Error, Equatable, CustomStringConvertible {
    /// From 1; nil: no line is at fault.
    package let line: Int?
    package let message: String

    init(_ line: Int?, _ message: String) {
        self.line = line
        self.message = message
    }

    package var description: String { line.map { "line \($0): \(message)" } ?? message }
}

/// Reads a certificate line by line.
private struct CertificateReader {
    private enum Section {
        case none, metadata, curve, other
    }

    private var section = Section.none
    private var publicKey: CurveKey?
    private var secretKey: CurveKey?
    private var metadata: [Certificate.Entry] = []

    init() {}

    /// Reads a line's bytes: an accent behind a quotation mark must not hide the mark.
    mutating func read(_ line: ArraySlice<UInt8>, number: Int) throws(CertificateError) {
        let isIndented = line.first.map(isSpace) == true
        let content = Self.content(of: line)
        if content.isEmpty { return }
        guard let equals = content.firstIndex(of: UInt8(ascii: "=")) else {
            if isIndented {
                // A nested section; no tool of CURVE writes one.
                throw CertificateError(number, "is no `name = \"value\"`")
            }
            section =
                switch String(decoding: content, as: UTF8.self) {
                case "metadata": .metadata
                case "curve": .curve
                default: .other
                }
            return
        }
        guard isIndented else { throw CertificateError(number, "stands in no section: indent it") }
        let name = content[..<equals].trimmed
        guard !name.isEmpty, !name.contains(where: isQuote) else {
            throw CertificateError(number, "a name has characters, and no quotation mark")
        }
        let value = try Self.value(content[(equals + 1)...].trimmed, number)
        try take(String(decoding: name, as: UTF8.self), value, number)
    }

    private mutating func take(
        _ name: String, _ value: String, _ number: Int
    ) throws(CertificateError) {
        switch section {
        case .none: throw CertificateError(number, "stands in no section")
        case .metadata: metadata.append(Certificate.Entry(name, value))
        case .curve: try readKey(name, value, number)
        case .other: break
        }
    }

    private mutating func readKey(
        _ name: String, _ value: String, _ number: Int
    ) throws(CertificateError) {
        guard name == "public-key" || name == "secret-key" else {
            throw CertificateError(number, "curve has public-key and secret-key alone")
        }
        // The value stays out of the message: it may be most of a secret key.
        guard let key = CurveKey(text: value) else {
            throw CertificateError(
                number, "\(name) must be the \(CurveKey.characterCount) characters of a key (Z85)")
        }
        guard key.bytes.contains(where: { $0 != 0 }) else {
            throw CertificateError(number, "\(name) is all zeros, and no key")
        }
        guard (name == "public-key" ? publicKey : secretKey) == nil else {
            throw CertificateError(number, "\(name) stands here a second time")
        }
        if name == "public-key" { publicKey = key } else { secretKey = key }
    }

    consuming func certificate() throws(CertificateError) -> Certificate {
        guard let publicKey else { throw CertificateError(nil, "has no curve with a public-key") }
        return Certificate(publicKey: publicKey, secretKey: secretKey, metadata: metadata)
    }

    /// The line without its comment and the space around it.
    private static func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var quote: UInt8?
        for (place, byte) in zip(line.indices, line) {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "#") {
                return line[..<place].trimmed
            } else if isQuote(byte) {
                quote = byte
            }
        }
        return line.trimmed
    }

    /// The value of quotation marks, or of a text without any.
    private static func value(
        _ text: ArraySlice<UInt8>, _ number: Int
    ) throws(CertificateError) -> String {
        guard let quote = text.first, isQuote(quote) else {
            guard !text.contains(where: isQuote) else {
                throw CertificateError(number, "a quotation mark stands within the value")
            }
            return String(decoding: text, as: UTF8.self)
        }
        let rest = text.dropFirst()
        guard let end = rest.firstIndex(of: quote) else {
            throw CertificateError(number, "the value's quotation mark is not closed")
        }
        guard end == text.endIndex - 1 else {
            throw CertificateError(number, "text stands behind the value's quotation mark")
        }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

private func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        guard let start = firstIndex(where: { !isSpace($0) }),
            let end = lastIndex(where: { !isSpace($0) })
        else { return [] }
        return self[start...end]
    }
}
