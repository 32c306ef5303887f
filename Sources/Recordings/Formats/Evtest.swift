extension RecordingFormat {
    package static let evtest = RecordingFormat(
        title: "evtest",
        isFirstLine: { line, beginning in
            // People copy it with the command before it.
            Evtest.isLine(line) || beginning.contains("\n" + Evtest.eventMark)
        },
        read: { bytes, options, diagnostics throws(RecordingError) in
            try Evtest.read(bytes, &diagnostics).recording(options, &diagnostics)
        },
        readDevices: { bytes, diagnostics throws(RecordingError) in
            try Evtest.read(bytes, &diagnostics).axes
        })
}

/// The output of `evtest`: a device's description, then its events, perhaps several times.
///
/// An event is `Event: time <seconds>.<microseconds>, type 3 (EV_ABS), code 53 (…), value 398`, or
/// `Event: time …, -------------- SYN_REPORT ------------`. All numbers are decimal.
enum Evtest {
    /// Bytes of a line; no line of a device is nearly as long.
    static let lineBytesMax = 4_096

    static let eventMark = "Event: time "
    /// The lines with which a device's description begins.
    private static let heads = ["Input driver version is ", "Input device ID: "]
    /// The codes of synchronization by their names; older versions have others.
    private static let marks: [(text: String, code: Int)] = [
        ("SYN_REPORT", 0), ("Report Sync", 0), ("SYN_CONFIG", 1), ("Config Sync", 1),
        ("SYN_MT_REPORT", 2), ("SYN_DROPPED", 3),
        // Between hyphens it ends a report; older versions name the type.
        ("EV_SYN", 0),
    ]
    /// The beginnings of lines among the events that are none: the shell's, and a warning's.
    private static let asides = ["Testing ", "***", "This device is grabbed", "^C", "$ ", "# "]

    /// Whether a file can begin with the line.
    static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
        ([eventMark, "Input device name: ", "No device specified, trying to scan "] + heads)
            .contains { line.begins(with: $0) }
    }

    static func read(
        _ bytes: [UInt8], _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> InputLog {
        try Reader.log(of: bytes, lineBytesMax: lineBytesMax, &diagnostics)
    }

    private struct Reader: InputLines {
        var log = InputLog()
        private var isDescribing = true
        private var hasEvents = false
        /// The type and code that the next lines of a description are about, and the code's least
        /// value.
        private var type: Int?
        private var axis: Int?
        private var least: Int?

        mutating func read(
            _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: inout Diagnostics
        ) throws(RecordingError) {
            if line.begins(with: "Event:") {
                (isDescribing, hasEvents) = (false, true)
                try readEvent(line, number, &diagnostics)
            } else if heads.contains(where: { line.begins(with: $0) }) {
                try beginDevice(number, diagnostics)
            } else if isDescribing {
                describe(line.words)
            } else if !asides.contains(where: { line.begins(with: $0) }) {
                throw diagnostics.error(number, "not a line of evtest: '\(line.excerpt)'")
            }
        }

        /// Another run of evtest, perhaps of another device.
        private mutating func beginDevice(
            _ number: Int, _ diagnostics: Diagnostics
        ) throws(RecordingError) {
            isDescribing = true
            (type, axis, least) = (nil, nil, nil)
            guard hasEvents else { return }
            guard log.axes.count < InputLog.devicesMax else {
                throw diagnostics.error(number, "more than \(InputLog.devicesMax) devices")
            }
            log.axes.append(Axes())
            hasEvents = false
        }

        /// `Event type 3 (EV_ABS)`, `Event code 53 (ABS_MT_POSITION_X)`, `Min 0`, `Max 3200`.
        private mutating func describe(_ words: [ArraySlice<UInt8>]) {
            let value = words.last?.decimal
            switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
            case "Event" where words.count > 2 && words[1].equals("type"):
                (type, axis) = (words[2].decimal, nil)
            case "Event" where words.count > 2 && words[1].equals("code"):
                (axis, least) = (type == 3 ? words[2].decimal : nil, nil)
            case "Min": least = value
            case "Max":
                guard let axis, let least, let value else { return }
                log.axes[log.axes.count - 1].describe(axis: axis, from: least, to: value)
            default: break
            }
        }

        private mutating func readEvent(
            _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: inout Diagnostics
        ) throws(RecordingError) {
            let parts = line.split(separator: UInt8(ascii: ",")).map(\.trimmed)
            guard let first = parts.first, first.begins(with: eventMark),
                let time = first.dropFirst(eventMark.utf8.count).microseconds
            else {
                throw diagnostics.error(number, "the event has no time: '\(line.excerpt)'")
            }
            if parts.count == 2, let code = Self.mark(parts[1]) {
                try append(time, (0, code, 0), number, &diagnostics)
                return
            }
            guard parts.count == 4, let type = Self.field("type", parts[1]),
                let code = Self.field("code", parts[2])
            else {
                throw diagnostics.error(
                    number, "an event needs type, code and value: '\(line.excerpt)'")
            }
            // Values of other types may be hexadecimal.
            let isValueRead = [1, 3].contains(type)
            let value = isValueRead ? Self.field("value", parts[3]) : 0
            guard let value, Int32(exactly: value) != nil else {
                throw diagnostics.error(
                    number, "not a value of 32 bits: '\(parts[3].excerpt)'")
            }
            try append(time, (type, code, value), number, &diagnostics)
        }

        private mutating func append(
            _ time: Int, _ event: (type: Int, code: Int, value: Int), _ number: Int,
            _ diagnostics: inout Diagnostics
        ) throws(RecordingError) {
            try log.append(
                time, device: log.axes.count - 1, type: event.type, code: event.code,
                value: event.value, number, &diagnostics)
        }

        /// The number behind a word: 3 in `type 3 (EV_ABS)`.
        private static func field(_ name: String, _ part: ArraySlice<UInt8>) -> Int? {
            let words = part.words
            return words.count > 1 && words[0].equals(name) ? words[1].decimal : nil
        }

        /// The code of `-------------- SYN_REPORT ------------` and its siblings.
        private static func mark(_ part: ArraySlice<UInt8>) -> Int? {
            guard let first = part.first, "-+>".utf8.contains(first) else { return nil }
            return marks.first(where: { part.contains($0.text) })?.code
        }
    }
}
