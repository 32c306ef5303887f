/// Where the values of a TOML file stand, so that some can be written anew and all else stays.
///
/// The file has been read by the real reader before, so this one need not find errors.
struct TOMLText {
    struct Entry: Equatable {
        /// The place of its table among the tables `expect`; nil: it is outside of them.
        var table: Int?
        var keys: [String]
        var value: Range<Int>
        /// The values of a list.
        var elements: [Range<Int>] = []
    }

    let bytes: [UInt8]
    private(set) var entries: [Entry] = []
    /// Where the first table begins, for keys that go before it.
    private(set) var firstTable: Int?
    private var place = 0
    private var table: Int?
    private var tableCount = 0
    private var prefix: [String] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while skipBlanks(lines: true) {
            if bytes[place] == UInt8(ascii: "[") { readHeader() } else { readPair(prefix) }
        }
    }

    func entry(table: Int?, keys: [String]) -> Entry? {
        // A quoted key with dots is one part of the name.
        entries.first { $0.table == table && $0.keys == keys }
    }

    private func at(_ offset: Int) -> UInt8? {
        place + offset < bytes.count ? bytes[place + offset] : nil
    }

    /// Goes on to what is no blank and no comment; returns false at the end of the file.
    @discardableResult
    private mutating func skipBlanks(lines: Bool) -> Bool {
        while let byte = at(0) {
            if byte == UInt8(ascii: "#"), lines {
                while let next = at(0), next != UInt8(ascii: "\n") { place += 1 }
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                place += 1
            } else if lines, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                place += 1
            } else {
                return true
            }
        }
        return false
    }

    /// `[a.b]` or `[[expect]]`.
    private mutating func readHeader() {
        firstTable = firstTable ?? place
        let isArray = at(1) == UInt8(ascii: "[")
        place += isArray ? 2 : 1
        let keys = readKeys()
        place = min(bytes.count, place + (isArray ? 2 : 1))
        let isExpect = keys.first == "expect"
        if isExpect, keys.count == 1, isArray { tableCount += 1 }
        table = isExpect ? tableCount - 1 : nil
        prefix = isExpect ? Array(keys.dropFirst()) : keys
    }

    private mutating func readPair(_ prefix: [String]) {
        let keys = prefix + readKeys()
        if at(0) == UInt8(ascii: "=") { place += 1 }
        skipBlanks(lines: false)
        readValue(keys)
    }

    /// The parts of a key; leaves the place at what follows.
    private mutating func readKeys() -> [String] {
        var keys: [String] = []
        while true {
            skipBlanks(lines: false)
            let start = place
            if let byte = at(0), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                skipString()
                keys.append(text(start + 1..<max(start + 1, place - 1)))
            } else {
                while let byte = at(0), Self.isBare(byte) { place += 1 }
                keys.append(text(start..<place))
                // Not even one letter: go on all the same, so that this ends.
                if start == place { place += place < bytes.count ? 1 : 0 }
            }
            skipBlanks(lines: false)
            guard at(0) == UInt8(ascii: ".") else { return keys }
            place += 1
        }
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Recursive to the depth of the document, which the real reader bounds.
    private mutating func readValue(_ keys: [String]) {
        let start = place
        var entry = Entry(table: table, keys: keys, value: start..<start)
        switch at(0) {
        case UInt8(ascii: "["):
            place += 1
            while skipBlanks(lines: true), at(0) != UInt8(ascii: "]") {
                let first = place
                // Values inside a list have no name of their own.
                let count = entries.count
                readValue(keys)
                entries.removeLast(entries.count - count)
                entry.elements.append(first..<place)
                skipBlanks(lines: true)
                if at(0) == UInt8(ascii: ",") { place += 1 }
            }
            place = min(bytes.count, place + 1)
        case UInt8(ascii: "{"):
            place += 1
            while skipBlanks(lines: true), at(0) != UInt8(ascii: "}") {
                readPair(keys)
                skipBlanks(lines: true)
                if at(0) == UInt8(ascii: ",") { place += 1 }
            }
            place = min(bytes.count, place + 1)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
        default:
            while let byte = at(0), !",]}#\r\n".utf8.contains(byte) { place += 1 }
            while place > start, bytes[place - 1] == 32 || bytes[place - 1] == 9 { place -= 1 }
            // A sign that stands where no value can: step over it, so that this ends.
            if place == start, place < bytes.count { place += 1 }
        }
        entry.value = start..<place
        entries.append(entry)
    }

    private mutating func skipString() {
        guard let quote = at(0) else { return }
        let isLong = at(1) == quote && at(2) == quote
        place += isLong ? 3 : 1
        while let byte = at(0) {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                place += 2
            } else if byte == quote, !isLong || (at(1) == quote && at(2) == quote) {
                place += isLong ? 3 : 1
                // Up to two quotes more belong to a long text.
                while isLong, at(0) == quote { place += 1 }
                return
            } else {
                place += 1
            }
        }
        place = bytes.count
    }
}
