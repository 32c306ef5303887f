import Notation

/// Samples of contacts as comma-separated values: `t_ms,pointer,phase,x,y` in any order, named by
/// the first line. Phases are `down`, `move`, `up` and `cancel`; places are points.
enum Flicks {
    /// Bytes of a line.
    static let lineBytesMax = 4_096

    private static let columns = ["t_ms", "pointer", "phase", "x", "y"]

    private struct Sample {
        var microseconds: Int
        var pointer: Int
        var phase: String
        var place: ContactLog.Place
    }

    /// Whether a line names the columns.
    static func isHeader(_ line: ArraySlice<UInt8>) -> Bool { header(line) != nil }

    static func read(
        _ bytes: [UInt8], _ options: ReadingOptions, _ complaints: inout Diagnostics
    ) throws(RecordingError) -> ContactLog {
        var lines = Lines(of: bytes, bytesMax: lineBytesMax, keepsBlanks: true)
        var log = ContactLog()
        var timeline = Timeline()
        var header: (places: [Int], separator: Separator)?
        while let line = try lines.next(&complaints) {
            guard let (places, separator) = header else {
                header = try places(line, lines.number, complaints)
                continue
            }
            do throws(RecordingError) {
                let cells = try cells(line, separator, lines.number, complaints)
                // What a spreadsheet leaves of a row without anything in it.
                if cells.allSatisfy(\.isEmpty) { continue }
                let sample = try sample(
                    cells, places, separator, lines.number, scale: options.scale ?? 1, complaints)
                try timeline.check(sample.microseconds, lines.number, complaints)
                try take(sample, lines.number, into: &log, complaints)
                timeline.take(sample.microseconds)
            } catch {
                try complaints.skip(error)
            }
        }
        return log
    }

    /// The places of the five columns, and what parts them.
    private static func places(
        _ line: ArraySlice<UInt8>, _ number: Int, _ complaints: Diagnostics
    ) throws(RecordingError) -> (places: [Int], separator: Separator) {
        guard let (names, separator) = header(line) else {
            throw complaints.error(number, "no line that names the columns t_ms and phase")
        }
        var places: [Int] = []
        for column in columns {
            guard let place = names.firstIndex(where: { $0.equals(column) }) else {
                throw complaints.error(number, "no column \(column)")
            }
            places.append(place)
        }
        return (places, separator)
    }

    private static func sample(
        _ cells: [ArraySlice<UInt8>], _ places: [Int], _ separator: Separator, _ number: Int,
        scale: Double, _ complaints: Diagnostics
    ) throws(RecordingError) -> Sample {
        let needed = (places.max() ?? 0) + 1
        guard cells.count >= needed else {
            throw complaints.error(
                number, "\(counted(cells.count, "value")) where there are \(needed) columns")
        }
        func value(_ column: Int) throws(RecordingError) -> Double {
            let cell = cells[places[column]]
            if let value = separator.number(cell) { return value }
            let hint =
                Separator.semicolon.number(cell) == nil
                ? "" : "; decimals stand behind a point, or a comma where ; parts the columns"
            throw complaints.error(
                number, "\(columns[column]) is '\(cell.excerpt)', not a number\(hint)")
        }
        guard let time = Timeline.microseconds(try value(0)) else {
            throw complaints.error(number, "t_ms is beyond ±9e12")
        }
        let pointer = cells[places[1]]
        guard let pointer = pointer.decimal else {
            throw complaints.error(
                number, "pointer is '\(pointer.excerpt)', not a whole number")
        }
        let place = ContactLog.Place(x: try value(3) * scale, y: try value(4) * scale)
        try complaints.check(place, number)
        return Sample(
            microseconds: time, pointer: pointer,
            phase: String(decoding: cells[places[2]], as: UTF8.self), place: place)
    }

    private static func take(
        _ sample: Sample, _ number: Int, into log: inout ContactLog, _ complaints: Diagnostics
    ) throws(RecordingError) {
        let (key, time) = (sample.pointer, sample.microseconds)
        let isKnown = log.isDown(key)
        switch sample.phase {
        case "down":
            try log.begin(
                key, pointer: sample.pointer, at: sample.place, time, number, complaints)
        case "move":
            if !isKnown { log.miss(key, pointer: sample.pointer, number) }
            try log.move(key, to: sample.place, time, number, complaints)
        case "up":
            if !isKnown { log.miss(key, pointer: sample.pointer, number) }
            try log.end(key, at: sample.place, time, number, complaints)
        case "cancel":
            if !isKnown { log.miss(key, pointer: sample.pointer, number) }
            try log.cancel(key, isLost: false, time, number, complaints)
        default:
            let phase = ArraySlice(sample.phase.utf8).excerpt
            throw complaints.error(number, "phase is '\(phase)', not down, move, up or cancel")
        }
    }
}
