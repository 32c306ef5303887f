import Notation

/// Reads a log of input events line by line. Each format that is written in lines has one.
protocol InputLines {
    init()

    /// All that was read so far.
    var log: InputLog { get set }

    /// Reads one line by its number. Throws where the line is wrong; `--keep-going` leaves it out.
    mutating func read(
        _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: inout Diagnostics
    ) throws(RecordingError)
}

extension InputLines {
    /// Reads a whole file. `lineBytesMax` bounds each line.
    static func log(
        of bytes: [UInt8], lineBytesMax: Int, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> InputLog {
        var lines = Lines(of: bytes, bytesMax: lineBytesMax)
        var reader = Self()
        while let line = try lines.next(&diagnostics) {
            do throws(RecordingError) {
                try reader.read(line, lines.number, &diagnostics)
            } catch {
                try diagnostics.skipLine(error)
            }
        }
        try reader.log.finish(&diagnostics)
        return reader.log
    }
}
