/// What Android's `getevent -t` prints, with labels (`-l`) or without.
///
/// `[ <seconds>.<microseconds>] [<device>:] <type> <code> <value>`, numbers in hexadecimal; before
/// them perhaps the devices (`add device …`), with `-i` or `-p` the extent of their axes.
enum Getevent {
    /// Bytes of a line: the longest are lists of keys.
    static let lineBytesMax = 4_096

    private static let types = ["EV_SYN": 0, "EV_KEY": 1, "EV_ABS": 3]
    private static let codes = [
        "SYN_REPORT": (0, 0), "SYN_MT_REPORT": (0, 2), "SYN_DROPPED": (0, 3),
        "BTN_TOUCH": (1, 0x14A), "ABS_X": (3, 0x00), "ABS_Y": (3, 0x01),
        "ABS_PRESSURE": (3, 0x18),
        "ABS_MT_SLOT": (3, 0x2F), "ABS_MT_TOUCH_MAJOR": (3, 0x30),
        "ABS_MT_POSITION_X": (3, 0x35), "ABS_MT_POSITION_Y": (3, 0x36),
        "ABS_MT_TRACKING_ID": (3, 0x39),
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

    /// What is printed without `-t`: `0003 0039 00000001` or labels, behind a device or not.
    private static func isTimeless(_ line: ArraySlice<UInt8>) -> Bool {
        if line.begins(with: "/dev/input/") { return true }
        let words = line.words
        guard words.count == 3 else { return false }
        return words[0].begins(with: "EV_")
            || words.map(\.count) == [4, 4, 8] && words.allSatisfy { $0.hexadecimal != nil }
    }

    static func read(
        _ bytes: [UInt8], _ complaints: inout Diagnostics
    ) throws(RecordingError) -> InputLog {
        var lines = Lines(of: bytes, bytesMax: lineBytesMax)
        var reader = Reader()
        while let line = try lines.next(&complaints) {
            do throws(RecordingError) {
                try reader.read(line, lines.number, &complaints)
            } catch {
                try complaints.skip(error)
            }
        }
        try reader.log.finish(&complaints)
        return reader.log
    }

    private struct Reader {
        var log = InputLog()
        /// Places of devices in `log.axes`. One that is not named is the first of all.
        private var devices: [ArraySlice<UInt8>: Int] = [:]
        /// The device that is being described; nil after the first event.
        private var described: Int?

        mutating func read(
            _ line: ArraySlice<UInt8>, _ number: Int, _ complaints: inout Diagnostics
        ) throws(RecordingError) {
            if isEvent(line) {
                described = nil
                if let event = try event(line, number, complaints) {
                    try log.append(event, &complaints)
                }
            } else if isTimeless(line) {
                throw complaints.error(number, "an event without its time (getevent -t tells)")
            } else if line.begins(with: "add device ") {
                guard let path = line.split(separator: UInt8(ascii: ":"), maxSplits: 1).last else {
                    return
                }
                described = try device(path.trimmed, number, complaints)
            } else if let described {
                describe(described, line)
            } else if !line.begins(with: "could not ") && !line.begins(with: "remove device ") {
                throw complaints.error(number, "no line of getevent: '\(line.excerpt)'")
            }
        }

        private mutating func device(
            _ path: ArraySlice<UInt8>, _ number: Int, _ complaints: Diagnostics
        ) throws(RecordingError) -> Int {
            if let known = devices[path] { return known }
            guard devices.count < InputLog.devicesMax else {
                throw complaints.error(number, "more than \(InputLog.devicesMax) devices")
            }
            // The first is where events stand that name none: those of a single device.
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
            _ line: ArraySlice<UInt8>, _ number: Int, _ complaints: Diagnostics
        ) throws(RecordingError) -> InputEvent? {
            guard let close = line.firstIndex(of: UInt8(ascii: "]")),
                let time = line[line.startIndex..<close].dropFirst().trimmed.microseconds
            else {
                throw complaints.error(number, "no time: '\(line.excerpt)'")
            }
            var words = line[close...].dropFirst().words[...]
            var place = 0
            if let first = words.first, first.last == UInt8(ascii: ":") {
                place = try device(first.dropLast(), number, complaints)
                words.removeFirst()
            }
            // With -r, how often reports come stands behind them.
            if words.count > 3, words[words.startIndex + 3].equals("rate") {
                words = words.prefix(3)
            }
            guard words.count == 3 else {
                throw complaints.error(
                    number, "an event needs type, code and value, not \(words.count) words")
            }
            let said = Array(words)
            guard let code = try code(said, number, complaints) else { return nil }
            return InputEvent(
                microseconds: time, device: place, code: code,
                value: try value(said[2], number, complaints), line: number)
        }

        /// What an event of three words is about; nil for nothing of contacts.
        private func code(
            _ words: [ArraySlice<UInt8>], _ number: Int, _ complaints: Diagnostics
        ) throws(RecordingError) -> InputEvent.Code? {
            let label = String(decoding: words[1], as: UTF8.self)
            if words[0].begins(with: "EV_") {
                guard let type = types[String(decoding: words[0], as: UTF8.self)] else {
                    return nil
                }
                guard let known = codes[label] else { return nil }
                guard known.0 == type else {
                    throw complaints.error(
                        number, "\(label) is no \(String(decoding: words[0], as: UTF8.self))")
                }
                return InputEvent.Code(type: known.0, code: known.1)
            }
            guard let type = words[0].hexadecimal, let code = words[1].hexadecimal else {
                throw complaints.error(
                    number,
                    "type and code are '\(words[0].excerpt) \(words[1].excerpt)', neither "
                        + "labels nor hexadecimal")
            }
            return InputEvent.Code(type: type, code: code)
        }

        private func value(
            _ word: ArraySlice<UInt8>, _ number: Int, _ complaints: Diagnostics
        ) throws(RecordingError) -> Int {
            if word.equals("DOWN") { return 1 }
            if word.equals("UP") { return 0 }
            guard let value = word.hexadecimal else {
                throw complaints.error(
                    number, "the value is '\(word.excerpt)', not hexadecimal of 32 bits")
            }
            return Int(Int32(truncatingIfNeeded: value))
        }
    }
}
