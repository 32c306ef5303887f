import Notation

extension RecordingFormat {
    package static let flicks = RecordingFormat(
        title: "contacts (CSV)", fillsViewport: false,
        isFirstLine: { line, _ in Flicks.isHeader(line) },
        read: { bytes, options, diagnostics throws(RecordingError) in
            var contacts = try Flicks.read(bytes, options, &diagnostics)
            return Recording(events: contacts.finish(topic: options.topic(), &diagnostics))
        })
}

/// Samples of contacts as comma-separated values. The first line names the columns `t_ms`,
/// `pointer`, `phase`, `x` and `y` in any order. Phases are `down`, `move`, `up` and `cancel`;
/// places are in points.
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
        _ bytes: [UInt8], _ options: ReadingOptions, _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> ContactLog {
        var lines = Lines(of: bytes, bytesMax: lineBytesMax, keepsBlanks: true)
        var log = ContactLog()
        var timeline = Timeline()
        var header: (places: [Int], separator: Separator)?
        while let line = try lines.next(&diagnostics) {
            guard let (places, separator) = header else {
                header = try places(line, lines.number, diagnostics)
                continue
            }
            do throws(RecordingError) {
                let cells = try cells(line, separator, lines.number, diagnostics)
                // Spreadsheets write an empty row so.
                if cells.allSatisfy(\.isEmpty) { continue }
                let sample = try sample(
                    cells, places, separator, lines.number, scale: options.scale ?? 1, diagnostics)
                try timeline.check(sample.microseconds, lines.number, diagnostics)
                try apply(sample, lines.number, into: &log, diagnostics)
                timeline.recordTime(sample.microseconds)
            } catch {
                try diagnostics.skipLine(error)
            }
        }
        return log
    }

    /// The indices of the five columns, and the separator.
    private static func places(
        _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) -> (places: [Int], separator: Separator) {
        guard let (names, separator) = header(line) else {
            throw diagnostics.error(
                number, "the first line does not name the columns t_ms and phase")
        }
        var places: [Int] = []
        for column in columns {
            guard let place = names.firstIndex(where: { $0.equals(column) }) else {
                throw diagnostics.error(number, "there is no column \(column)")
            }
            places.append(place)
        }
        return (places, separator)
    }

    private static func sample(
        _ cells: [ArraySlice<UInt8>], _ places: [Int], _ separator: Separator, _ number: Int,
        scale: Double, _ diagnostics: Diagnostics
    ) throws(RecordingError) -> Sample {
        let needed = (places.max() ?? 0) + 1
        guard cells.count >= needed else {
            throw diagnostics.error(
                number, "\(counted(cells.count, "value")) where there are \(needed) columns")
        }
        func value(_ column: Int) throws(RecordingError) -> Double {
            let cell = cells[places[column]]
            if let value = separator.number(cell) { return value }
            let hint =
                Separator.semicolon.number(cell) == nil
                ? "" : "; decimals stand behind a point, or a comma where ; parts the columns"
            throw diagnostics.error(
                number, "\(columns[column]) is '\(cell.excerpt)', not a number\(hint)")
        }
        guard let time = Timeline.microseconds(try value(0)) else {
            throw diagnostics.error(number, "t_ms is beyond ±9e12")
        }
        let pointer = cells[places[1]]
        guard let pointer = pointer.decimal else {
            throw diagnostics.error(
                number, "pointer is '\(pointer.excerpt)', not a whole number")
        }
        let place = ContactLog.Place(x: try value(3) * scale, y: try value(4) * scale)
        try diagnostics.check(place, number)
        return Sample(
            microseconds: time, pointer: pointer,
            phase: String(decoding: cells[places[2]], as: UTF8.self), place: place)
    }

    private static func apply(
        _ sample: Sample, _ number: Int, into log: inout ContactLog, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        let (key, time) = (sample.pointer, sample.microseconds)
        let isKnown = log.isDown(key)
        switch sample.phase {
        case "down":
            try log.begin(
                key, pointer: sample.pointer, at: sample.place, time, number, diagnostics)
        case "move":
            if !isKnown { log.miss(key, pointer: sample.pointer, number) }
            try log.move(key, to: sample.place, time, number, diagnostics)
        case "up":
            if !isKnown { log.miss(key, pointer: sample.pointer, number) }
            try log.end(key, at: sample.place, time, number, diagnostics)
        case "cancel":
            if !isKnown { log.miss(key, pointer: sample.pointer, number) }
            try log.cancel(key, isLost: false, time, number, diagnostics)
        default:
            let phase = ArraySlice(sample.phase.utf8).excerpt
            throw diagnostics.error(number, "phase is '\(phase)', not down, move, up or cancel")
        }
    }
}
