extension RecordingFormat {
    package static let getevent = RecordingFormat(
        title: "getevent -t",
        isFirstLine: { line, _ in Getevent.isLine(line) },
        read: { bytes, options, diagnostics throws(RecordingError) in
            try Getevent.read(bytes, &diagnostics).recording(options, &diagnostics)
        },
        readDevices: { bytes, diagnostics throws(RecordingError) in
            try Getevent.read(bytes, &diagnostics).axes
        })
}

/// The output of Android's `getevent -t`, with labels (`-l`) or without.
///
/// `[ <seconds>.<microseconds>] [<device>:] <type> <code> <value>`, numbers in hexadecimal; before
/// them perhaps the devices (`add device …`), with `-i` or `-p` the extent of their axes.
enum Getevent {
    /// Bytes of a line; the longest are lists of keys.
    static let lineBytesMax = 4_096

    private static let types = ["EV_SYN": 0, "EV_KEY": 1, "EV_ABS": 3]
    private static let codes = [
        "SYN_REPORT": (0, 0), "SYN_MT_REPORT": (0, 2), "SYN_DROPPED": (0, 3),
        "BTN_TOUCH": (1, 0x14A), "ABS_X": (3, 0x00), "ABS_Y": (3, 0x01),
        "ABS_PRESSURE": (3, 0x18),
        "ABS_MT_SLOT": (3, 0x2F), "ABS_MT_TOUCH_MAJOR": (3, 0x30),
        "ABS_MT_POSITION_X": (3, 0x35), "ABS_MT_POSITION_Y": (3, 0x36),
        "ABS_MT_TOOL_TYPE": (3, 0x37), "ABS_MT_TRACKING_ID": (3, 0x39),
        "ABS_MT_PRESSURE": (3, 0x3A), "ABS_MT_DISTANCE": (3, 0x3B), "BTN_LEFT": (1, 0x110),
        "BTN_MOUSE": (1, 0x110), "BTN_TOOL_FINGER": (1, 0x145), "BTN_TOOL_PEN": (1, 0x140),
        "BTN_DIGI": (1, 0x140),
        "BTN_TOOL_RUBBER": (1, 0x141), "BTN_TOOL_BRUSH": (1, 0x142),
        "BTN_TOOL_PENCIL": (1, 0x143), "BTN_TOOL_AIRBRUSH": (1, 0x144),
    ]
    /// Values that have labels, of keys and of `ABS_MT_TOOL_TYPE`.
    private static let values = [
        "UP": 0, "DOWN": 1, "REPEAT": 2, "MT_TOOL_FINGER": ToolType.finger, "MT_TOOL_PEN": 1,
        "MT_TOOL_PALM": ToolType.palm, "MT_TOOL_DIAL": 10, "MT_TOOL_MAX": 15,
    ]

    /// Whether a file can begin with the line.
    static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
        isEvent(line) || isTimeless(line) || line.begins(with: "add device ")
            || line.begins(with: "could not ")
    }

    private static func isEvent(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "[")
            && line.dropFirst().words.first?.contains(UInt8(ascii: ".")) == true
    }

    /// Whether `getevent` printed the line without `-t`: `0003 0039 00000001` or labels, perhaps
    /// after a device.
    private static func isTimeless(_ line: ArraySlice<UInt8>) -> Bool {
        if line.begins(with: "/dev/input/") { return true }
        let words = line.words
        guard words.count == 3 else { return false }
        return words[0].begins(with: "EV_")
            || words.map(\.count) == [4, 4, 8] && words.allSatisfy { $0.hexadecimal != nil }
    }

    static func read(
        _ bytes: [UInt8], _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> InputLog {
        try Reader.log(of: bytes, lineBytesMax: lineBytesMax, &diagnostics)
    }

    private struct Reader: InputLines {
        var log = InputLog()
        /// Indices of devices in `log.axes`. Events that name no device are of the first.
        private var devices: [ArraySlice<UInt8>: Int] = [:]
        /// The device whose description is being read; nil after the first event.
        private var described: Int?

        mutating func read(
            _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: inout Diagnostics
        ) throws(RecordingError) {
            if isEvent(line) {
                described = nil
                if let event = try event(line, number, diagnostics) {
                    try log.append(event, &diagnostics)
                }
            } else if isTimeless(line) {
                throw diagnostics.error(number, "the event has no time; record with getevent -t")
            } else if line.begins(with: "add device ") {
                guard let path = line.split(separator: UInt8(ascii: ":"), maxSplits: 1).last else {
                    return
                }
                described = try device(path.trimmed, number, diagnostics)
            } else if let described {
                describe(described, line)
            } else if !line.begins(with: "could not ") && !line.begins(with: "remove device ") {
                throw diagnostics.error(number, "not a line of getevent: '\(line.excerpt)'")
            }
        }

        private mutating func device(
            _ path: ArraySlice<UInt8>, _ number: Int, _ diagnostics: Diagnostics
        ) throws(RecordingError) -> Int {
            if let known = devices[path] { return known }
            guard devices.count < InputLog.devicesMax else {
                throw diagnostics.error(number, "more than \(InputLog.devicesMax) devices")
            }
            // The first is already there, for events that name no device.
            if !devices.isEmpty { log.axes.append(Axes()) }
            devices[path] = log.axes.count - 1
            return log.axes.count - 1
        }

        /// `… 0035  : value 0, min 0, max 1079, fuzz 0 …`, the axis labelled or in hexadecimal.
        private mutating func describe(_ device: Int, _ line: ArraySlice<UInt8>) {
            let words = line.split { Lines.isBlank($0) || [0x2C, 0x3A].contains($0) }
            guard let least = words.firstIndex(where: { $0.equals("min") }),
                let most = words.firstIndex(where: { $0.equals("max") }),
                let value = words.firstIndex(where: { $0.equals("value") }), value > 0,
                least + 1 < words.count, most + 1 < words.count,
                let from = words[least + 1].decimal, let to = words[most + 1].decimal
            else { return }
            let name = words[value - 1]
            let axis =
                codes[String(decoding: name, as: UTF8.self)].map(\.1) ?? name.hexadecimal
            if let axis { log.axes[device].describe(axis: axis, from: from, to: to) }
        }

        private mutating func event(
            _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: Diagnostics
        ) throws(RecordingError) -> InputEvent? {
            guard let close = line.firstIndex(of: UInt8(ascii: "]")),
                let time = line[line.startIndex..<close].dropFirst().trimmed.microseconds
            else {
                throw diagnostics.error(number, "the event has no time: '\(line.excerpt)'")
            }
            var words = line[close...].dropFirst().words[...]
            var place = 0
            if let first = words.first, first.last == UInt8(ascii: ":") {
                place = try device(first.dropLast(), number, diagnostics)
                words.removeFirst()
            }
            // With -r the rate of the reports follows.
            if words.count > 3, words[words.startIndex + 3].equals("rate") {
                words = words.prefix(3)
            }
            guard words.count == 3 else {
                throw diagnostics.error(
                    number, "an event needs type, code and value, not \(words.count) words")
            }
            let fields = Array(words)
            guard let code = try code(fields, number, diagnostics) else {
                if isOther(fields) { log.othersCount += 1 }
                return nil
            }
            return InputEvent(
                microseconds: time, device: place, code: code,
                value: try value(fields[2], number, diagnostics), line: number)
        }

        private func isOther(_ words: [ArraySlice<UInt8>]) -> Bool {
            if words[0].begins(with: "EV_") {
                let isKey = ["KEY_", "BTN_"].contains { words[1].begins(with: $0) }
                // Touchscreens send tools and the buttons of pens beside their contacts.
                let isTool = ["BTN_TOOL_", "BTN_STYLUS"].contains { words[1].begins(with: $0) }
                return words[0].equals("EV_KEY") && isKey && !isTool
                    || words[0].equals("EV_REL") || words[0].equals("EV_SW")
            }
            guard let type = words[0].hexadecimal, let code = words[1].hexadecimal else {
                return false
            }
            return InputEvent.isOther(type: type, code: code)
        }

        /// The code of an event; nil where it says nothing about contacts.
        private func code(
            _ words: [ArraySlice<UInt8>], _ number: Int, _ diagnostics: Diagnostics
        ) throws(RecordingError) -> InputEvent.Code? {
            let label = String(decoding: words[1], as: UTF8.self)
            if words[0].begins(with: "EV_") {
                guard let type = types[String(decoding: words[0], as: UTF8.self)] else {
                    return nil
                }
                guard let known = codes[label] else { return nil }
                guard known.0 == type else {
                    throw diagnostics.error(
                        number,
                        "\(label) is not of type \(String(decoding: words[0], as: UTF8.self))")
                }
                return InputEvent.Code(type: known.0, code: known.1)
            }
            guard let type = words[0].hexadecimal, let code = words[1].hexadecimal else {
                throw diagnostics.error(
                    number,
                    "type and code are '\(words[0].excerpt) \(words[1].excerpt)', neither "
                        + "labels nor hexadecimal")
            }
            return InputEvent.Code(type: type, code: code)
        }

        private func value(
            _ word: ArraySlice<UInt8>, _ number: Int, _ diagnostics: Diagnostics
        ) throws(RecordingError) -> Int {
            if let value = values[String(decoding: word, as: UTF8.self)] { return value }
            guard let value = word.hexadecimal else {
                throw diagnostics.error(
                    number, "the value is '\(word.excerpt)', not hexadecimal of 32 bits")
            }
            return Int(Int32(truncatingIfNeeded: value))
        }
    }
}
