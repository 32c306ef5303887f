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
        switch try EvemuLine(line, number, diagnostics) {
        case .axis(let axis, let from, let to): log.axes[0].describe(axis: axis, from: from, to: to)
        case .event(let time, let type, let code, let value):
            try log.append(time, type: type, code: code, value: value, number, &diagnostics)
        case .bits, .other: break
        }
    }
}
