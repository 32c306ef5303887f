import Notation

/// The head of an HTTP request, read strictly: what two readers could understand differently is
/// refused, before anything of it is looked at.
package struct RequestHead: Hashable, Sendable {
    package enum Method: Hashable, Sendable { case get, head, other }

    /// Why a request is refused, as its answer says it.
    package struct Flaw: Error, Hashable {
        package var status: Int
        package var message: String

        init(_ status: Int, _ message: String) {
            self.status = status
            self.message = message
        }
    }

    package private(set) var method = Method.other
    /// Decoded, without the query.
    package private(set) var path = ""
    /// As it is written, without its question mark.
    package private(set) var query = ""
    /// The connection ends with the answer.
    package private(set) var isLast = false
    /// It asks for a WebSocket, by all rules.
    package private(set) var isUpgrade = false
    private var fields: [String: [String]] = [:]

    /// Lines of a head: browsers send some twenty.
    private static let linesMax = 100
    /// Bytes of the target: no file has so long a path, and a token fits in beside it.
    private static let targetBytesMax = 2_048

    /// Reads all bytes up to the empty line, which is the last one.
    package init(_ bytes: [UInt8]) throws(Flaw) {
        guard bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) else {
            // It came so far that no head can come of it.
            let isLong = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }
            throw isLong && bytes.first.map(Self.isUpper) == true
                ? Flaw(431, "the head of a request is too long")
                : Flaw(400, "this is no HTTP")
        }
        let lines = try Self.lines(bytes.dropLast(4))
        guard let first = lines.first else { throw Flaw(400, "the request has no line") }
        let version = try readLine(first)
        for line in lines.dropFirst() { try readField(line) }
        try checkFields()
        isLast =
            version == 0 || lists("connection", "close") || hasBody || method == .other
        if lists("upgrade", "websocket") { try checkUpgrade(version) }
    }

    /// A field that may be there once; nil: it is not.
    package func value(_ name: String) -> String? { fields[name]?.first }

    /// Whether a list has an element, which is given in lower case.
    ///
    /// It reads bytes, and makes no texts: a list may have four thousand elements, and all clients
    /// wait meanwhile.
    private func lists(_ name: String, _ element: StaticString) -> Bool {
        let wanted = Array(element.description.utf8)
        return (fields[name] ?? []).contains { list in
            list.utf8.split(separator: UInt8(ascii: ",")).contains { part in
                Self.trimmed(part).elementsEqual(wanted) { $0 == $1 || Self.isUpper($0, of: $1) }
            }
        }
    }

    private static func isUpper(_ byte: UInt8, of lower: UInt8) -> Bool {
        isUpper(byte) && byte | 0x20 == lower
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    /// All values of a list as one line; nil: there is none.
    package func list(_ name: String) -> String? { fields[name]?.joined(separator: ", ") }

    private var hasBody: Bool {
        fields["transfer-encoding"] != nil || (value("content-length") ?? "0") != "0"
    }

    // MARK: - Lines

    private static func lines(_ bytes: ArraySlice<UInt8>) throws(Flaw) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var place = start
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == 0x0D, place + 1 < bytes.endIndex, bytes[place + 1] == 0x0A {
                lines.append(bytes[start..<place])
                place += 2
                start = place
                continue
            }
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
                throw Flaw(400, "a control character stands in the request")
            }
            place += 1
        }
        lines.append(bytes[start...])
        guard lines.count <= linesMax else { throw Flaw(431, "the request has too many lines") }
        return lines
    }

    /// Reads `GET /path HTTP/1.1`. Returns the last digit.
    private mutating func readLine(_ line: ArraySlice<UInt8>) throws(Flaw) -> Int {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].count <= 16,
            parts[0].allSatisfy(Self.isUpper)
        else { throw Flaw(400, "the request's line is not METHOD /PATH HTTP/1.1") }
        method =
            parts[0].elementsEqual("GET".utf8)
            ? .get : parts[0].elementsEqual("HEAD".utf8) ? .head : .other
        guard parts[2].starts(with: "HTTP/1.".utf8), parts[2].count == 8,
            let digit = parts[2].last, digit == UInt8(ascii: "0") || digit == UInt8(ascii: "1")
        else { throw Flaw(505, "HTTP/1.1 and HTTP/1.0 only") }
        try readTarget(parts[1])
        return Int(digit - UInt8(ascii: "0"))
    }

    private mutating func readTarget(_ target: ArraySlice<UInt8>) throws(Flaw) {
        guard target.count <= Self.targetBytesMax else {
            throw Flaw(414, "the path is too long")
        }
        guard target.first == UInt8(ascii: "/"),
            target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { throw Flaw(400, "the target must be a path of ASCII, as /index.html") }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        let decoded = try Self.decoded(target[..<(mark ?? target.endIndex)])
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw Flaw(400, "the path is not UTF-8")
        }
        path = PeerText.streamSafe(text)
        if let mark {
            let query = target[(mark + 1)...]
            _ = try Self.decoded(query)
            self.query = PeerText.text(query)
        }
    }

    /// The bytes that percent signs stand for. A control character is refused: another reader could
    /// take it for the end of a line.
    static func decoded(_ text: ArraySlice<UInt8>) throws(Flaw) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = text.startIndex
        while place < text.endIndex {
            var byte = text[place]
            place += 1
            if byte == UInt8(ascii: "%") {
                guard place + 2 <= text.endIndex,
                    let high = hexadecimal(text[place]), let low = hexadecimal(text[place + 1])
                else { throw Flaw(400, "a percent sign without two digits stands in the target") }
                byte = high << 4 | low
                place += 2
                guard byte >= 0x20, byte != 0x7F else {
                    throw Flaw(400, "an encoded control character stands in the target")
                }
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) throws(Flaw) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Self.isToken)
        else { throw Flaw(400, "a line of the request is not NAME: VALUE") }
        let name = PeerText.text(line[..<colon]).lowercased()
        let value = PeerText.text(line[(colon + 1)...])
        fields[name, default: []].append(Self.trimmed(value[...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(text)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // MARK: - Fields

    /// Fields that one reader would take the first of, and another one the last.
    private static let single = [
        "host", "origin", "content-length", "transfer-encoding", "authorization", "cookie",
        "if-none-match", "sec-websocket-key", "sec-websocket-version",
    ]

    private func checkFields() throws(Flaw) {
        for name in Self.single where (fields[name]?.count ?? 0) > 1 {
            throw Flaw(400, "\(name) is there twice")
        }
        guard let host = value("host") else { throw Flaw(400, "the request has no host") }
        guard Authority(host) != nil else {
            throw Flaw(400, "the host is no name with a port, as 127.0.0.1:7480")
        }
        if let length = value("content-length") {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                fields["transfer-encoding"] == nil
            else { throw Flaw(400, "the length of the content is unclear") }
        }
    }

    private mutating func checkUpgrade(_ version: Int) throws(Flaw) {
        guard method == .get else { throw Flaw(405, "a WebSocket opens by GET") }
        guard version == 1, lists("connection", "upgrade"), !hasBody else {
            throw Flaw(400, "a WebSocket opens by HTTP/1.1, with connection: upgrade")
        }
        guard value("sec-websocket-version") == "13" else {
            throw Flaw(426, "the version of WebSockets here is 13")
        }
        guard let key = value("sec-websocket-key"), key.utf8.count == 24, key.hasSuffix("=="),
            key.utf8.dropLast(2).allSatisfy({ Self.isToken($0) && $0 != 0x2D || $0 == 0x2F })
        else { throw Flaw(400, "sec-websocket-key is no key") }
        let protocols = fields["sec-websocket-protocol"] ?? []
        let areNone = protocols.allSatisfy { $0.utf8.allSatisfy { $0 == UInt8(ascii: ",") } }
        guard areNone || lists("sec-websocket-protocol", "gestured") else {
            throw Flaw(400, "the subprotocol here is gestured")
        }
        isUpgrade = true
    }
}

extension RequestHead {
    /// Bytes of an offer of extensions: browsers offer them in 50.
    private static let offerBytesMax = 255

    /// The request for the library that opens the WebSocket, of known parts alone.
    package var handshake: [UInt8] {
        var text =
            "GET / HTTP/1.1\r\nHost: gestured\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: \(value("sec-websocket-key") ?? "")\r\n"
        if fields["sec-websocket-protocol"] != nil {
            text += "Sec-WebSocket-Protocol: gestured\r\n"
        }
        if let offer = list("sec-websocket-extensions"), offer.utf8.count <= Self.offerBytesMax,
            offer.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        {
            text += "Sec-WebSocket-Extensions: \(offer)\r\n"
        }
        return Array("\(text)\r\n".utf8)
    }

    /// The value of a name in the query, decoded; nil: it is not there.
    package func parameter(_ name: String) -> String? {
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].elementsEqual(name.utf8),
                let bytes = try? Self.decoded(Array(pair[1])[...])
            else { continue }
            return PeerText.text(bytes)
        }
        return nil
    }

    /// The query without a name.
    package func query(without name: String) -> String {
        query.split(separator: "&").filter { !$0.hasPrefix("\(name)=") }.joined(separator: "&")
    }

    /// The values of the cookies of a name. A browser sends several where they were set for several
    /// paths, also those that are out of date. It reads bytes, as `lists` does.
    package func cookies(_ name: String) -> [String] {
        (value("cookie") ?? "").utf8.split(separator: UInt8(ascii: ";")).compactMap { part in
            let pair = Self.trimmed(part)
            guard pair.starts(with: name.utf8) else { return nil }
            let rest = pair.dropFirst(name.utf8.count)
            guard rest.first == UInt8(ascii: "=") else { return nil }
            return String(Substring(rest.dropFirst()))
        }
    }
}
