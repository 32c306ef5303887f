extension RecordingFormat {
    package static let evemu = RecordingFormat(
        title: "evemu",
        isFirstLine: { line, _ in Evemu.isLine(line) },
        // Its own first line says so, even where many comments follow.
        isComment: { $0.begins(with: "# EVEMU") },
        read: { bytes, options, diagnostics throws(RecordingError) in
            try Evemu.read(bytes, &diagnostics).recording(options, &diagnostics)
        },
        readDevices: { bytes, diagnostics throws(RecordingError) in
            try Evemu.read(bytes, &diagnostics).axes
        })
}

/// The files of `evemu-record` and `evemu-describe`: a device's description, its events, or both.
///
/// Versions 1.0 to 1.3: `E: <seconds>.<microseconds> <type> <code> <value>`, type and code in
/// hexadecimal, and of the description the lines `A: <axis> <min> <max> …`.
enum Evemu {
    /// Bytes of a line; the longest are names of devices and lists of bits.
    static let lineBytesMax = 4_096

    /// Whether a line can be of evemu.
    static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= 2, line[line.startIndex + 1] == UInt8(ascii: ":") else { return false }
        return "NIPBALSE".utf8.contains(line[line.startIndex])
    }

    static func read(
        _ bytes: [UInt8], _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> InputLog {
        var lines = Lines(of: bytes, bytesMax: lineBytesMax)
        var log = InputLog()
        while let line = try lines.next(&diagnostics) {
            // Comments may begin anywhere, but a device's name may contain a #.
            let text = line.begins(with: "N:") ? line : line.prefix { $0 != UInt8(ascii: "#") }
            if text.isEmpty { continue }
            do throws(RecordingError) {
                try read(text, lines.number, into: &log, &diagnostics)
            } catch {
                try diagnostics.skipLine(error)
            }
        }
        try log.finish(&diagnostics)
        return log
    }

    private static func read(
        _ line: ArraySlice<UInt8>, _ number: Int, into log: inout InputLog,
        _ diagnostics: inout Diagnostics
    ) throws(RecordingError) {
        let isEvent = line.begins(with: "E:")
        guard isEvent || line.begins(with: "A:") else {
            guard isLine(line) else {
                throw diagnostics.error(number, "not a line of evemu: '\(line.excerpt)'")
            }
            return
        }
        let words = line.dropFirst(2).words
        if isEvent {
            if let event = try event(words, number, diagnostics) {
                try log.append(event, &diagnostics)
            } else if let type = words[1].hexadecimal, let code = words[2].hexadecimal,
                InputEvent.isOther(type: type, code: code)
            {
                log.othersCount += 1
            }
            return
        }
        guard words.count >= 3, let axis = words[0].hexadecimal, let from = words[1].decimal,
            let to = words[2].decimal
        else {
            throw diagnostics.error(number, "not an axis: '\(line.excerpt)'")
        }
        log.axes[0].describe(axis: axis, from: from, to: to)
    }

    private static func event(
        _ words: [ArraySlice<UInt8>], _ number: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) -> InputEvent? {
        guard words.count == 4 else {
            throw diagnostics.error(
                number, "an event needs time, type, code and value, not \(words.count) words")
        }
        guard let time = words[0].microseconds else {
            throw diagnostics.error(number, "the time is '\(words[0].excerpt)', not seconds")
        }
        guard let type = words[1].hexadecimal, let code = words[2].hexadecimal else {
            throw diagnostics.error(
                number,
                "type and code are '\(words[1].excerpt) \(words[2].excerpt)', "
                    + "not hexadecimal")
        }
        guard let value = words[3].decimal, Int32(exactly: value) != nil else {
            throw diagnostics.error(
                number, "the value is '\(words[3].excerpt)', not a whole number of 32 bits")
        }
        return InputEvent.Code(type: type, code: code).map {
            InputEvent(microseconds: time, device: 0, code: $0, value: value, line: number)
        }
    }
}
