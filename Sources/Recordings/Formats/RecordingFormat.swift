/// The kinds of recordings that can be read, told by their content and never by their name.
package enum RecordingFormat: String, Hashable, Sendable, CaseIterable {
    case ours
    /// One stroke of the $1 recognizer's gesture set.
    case stroke
    case evemu
    case getevent
    case flicks
    case wheel

    /// What a person calls it.
    package var title: String {
        switch self {
        case .ours: "a recording of this project's (JSON Lines)"
        case .stroke: "a stroke of the $1 gesture set (XML)"
        case .evemu: "evemu's"
        case .getevent: "getevent's"
        case .flicks: "contacts as comma-separated values"
        case .wheel: "a wheel log (JSON)"
        }
    }

    /// Bytes from the beginning in which a file must show what it is.
    static let looksAtBytes = 65_536

    /// Throws where the file is none of them.
    package init(of bytes: [UInt8], file: String) throws(RecordingError) {
        func error(_ line: Int, _ message: String) -> RecordingError {
            RecordingError(file: file, line: line, message: message)
        }
        let beginning = Array(bytes.prefix(Self.looksAtBytes))
        // What some shells write of what a program prints.
        if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
            throw error(1, "UTF-16; a recording is read as UTF-8")
        }
        var complaints = Diagnostics(file: file, keepsGoing: false)
        var lines = Lines(of: beginning, bytesMax: Self.looksAtBytes)
        var firstComment: Int?
        while let line = try lines.next(&complaints) {
            // One further below spoils its own line only: a crash leaves files that end so.
            if line.contains(0) {
                throw error(lines.number, "binary: no recording that can be read")
            }
            if line.first == UInt8(ascii: "#") {
                if firstComment == nil { firstComment = lines.number }
                // That of a device's description says what it is, however long it goes on.
                if line.begins(with: "# EVEMU") {
                    self = .evemu
                    return
                }
                continue
            }
            guard let format = Self(line, before: beginning) else {
                throw error(
                    lines.number,
                    "no recording that is known (this project's, evemu's, getevent's, flicks as "
                        + "CSV, a wheel log, a $1 stroke): '\(line.excerpt)'")
            }
            self = format
            return
        }
        throw error(firstComment ?? 1, firstComment == nil ? "empty" : "nothing but comments")
    }

    /// By the first line that says anything.
    private init?(_ line: ArraySlice<UInt8>, before bytes: [UInt8]) {
        if line.first == UInt8(ascii: "{") {
            let isWheel =
                !line.holds("\"gesture-recording\"") && bytes[...].holds("\"wheelEvents\"")
            self = isWheel ? .wheel : .ours
        } else if line.first == UInt8(ascii: "<") {
            self = .stroke
        } else if Evemu.isLine(line) {
            self = .evemu
        } else if Getevent.isLine(line) {
            self = .getevent
        } else if Flicks.isHeader(line) {
            self = .flicks
        } else {
            return nil
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        var start = startIndex
        while let next = self[start...].firstIndex(of: wanted[0]) {
            if self[next...].starts(with: wanted) { return true }
            start = next + 1
        }
        return false
    }
}
