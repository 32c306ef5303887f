extension RecordingFormat {
    package static let libinput = RecordingFormat(
        title: "libinput record (YAML)",
        isFirstLine: { _, beginning in
            beginning.contains("evdev:")
                && ["\n- node:", "ndevices:"].contains { beginning.contains($0) }
        },
        // Its own first line says so, even where a long description follows.
        isComment: { $0.begins(with: "# libinput record") },
        read: { bytes, options, diagnostics throws(RecordingError) in
            try LibinputRecord.read(bytes, &diagnostics).recording(options, &diagnostics)
        },
        readDevices: { bytes, diagnostics throws(RecordingError) in
            try LibinputRecord.read(bytes, &diagnostics).axes
        })
}

/// The files of `libinput record`, with one device or several, whose clocks begin together.
///
/// They are YAML as that program writes it, which is read by lines: `- node:` begins a device,
/// `absinfo:` its axes as `53: [0, 3200, 0, 0, 12]`, and an event is
/// `- [<seconds>, <microseconds>, <type>, <code>, <value>]`, all numbers decimal.
enum LibinputRecord {
    /// Bytes of a line; the longest lists the 4,096 bytes of a HID descriptor.
    static let lineBytesMax = 65_536

    static func read(
        _ bytes: [UInt8], _ diagnostics: inout Diagnostics
    ) throws(RecordingError) -> InputLog {
        try Reader.log(of: bytes, lineBytesMax: lineBytesMax, &diagnostics)
    }

    private struct Reader: InputLines {
        var log = InputLog()
        private var hasDevice = false
        private var isInAxes = false
        /// Among the events, in a list of the kernel's; libinput's own stand between them.
        private var isInEvents = false

        mutating func read(
            _ line: ArraySlice<UInt8>, _ number: Int, _ diagnostics: inout Diagnostics
        ) throws(RecordingError) {
            let text = Self.bare(line)
            let isItem = text.first == UInt8(ascii: "-")
            let item: ArraySlice<UInt8>? = isItem ? text.dropFirst().trimmed : nil
            if text.isEmpty { return }
            if let item, item.first == UInt8(ascii: "[") {
                try readEvent(item, number, &diagnostics)
            } else if let item, item.begins(with: "node:") {
                try beginDevice(number, diagnostics)
            } else if text.equals("absinfo:") {
                (isInAxes, isInEvents) = (true, false)
            } else if let item, item.last == UInt8(ascii: ":") {
                (isInAxes, isInEvents) = (false, item.equals("evdev:"))
            } else if isInAxes, let axis = Self.axis(text) {
                log.axes[log.axes.count - 1].describe(axis: axis.code, from: axis.from, to: axis.to)
            } else if isInEvents {
                throw diagnostics.error(number, "not an event of libinput: '\(line.excerpt)'")
            } else {
                isInAxes = false
            }
        }

        /// A line without the comment behind it.
        private static func bare(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            if line.first == UInt8(ascii: "#") { return [] }
            // Nothing that stands in quotes, such as a name, is ever read.
            let mark = line.indices.dropFirst().first {
                line[$0] == UInt8(ascii: "#") && Lines.isBlank(line[$0 - 1])
            }
            return line[..<(mark ?? line.endIndex)].trimmed
        }

        private mutating func beginDevice(
            _ number: Int, _ diagnostics: Diagnostics
        ) throws(RecordingError) {
            (isInAxes, isInEvents) = (false, false)
            if hasDevice {
                guard log.axes.count < InputLog.devicesMax else {
                    throw diagnostics.error(number, "more than \(InputLog.devicesMax) devices")
                }
                log.axes.append(Axes())
            }
            hasDevice = true
        }

        /// `53: [0, 3200, 0, 0, 12]`: the least value, the greatest, fuzz, flat, resolution.
        private static func axis(
            _ text: ArraySlice<UInt8>
        ) -> (code: Int, from: Int, to: Int)? {
            let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2, let code = parts[0].trimmed.decimal,
                let numbers = numbers(parts[1].trimmed), numbers.count >= 2
            else { return nil }
            return (code, numbers[0], numbers[1])
        }

        /// The whole numbers of `[1, 2, 3]`.
        private static func numbers(_ text: ArraySlice<UInt8>) -> [Int]? {
            guard text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else {
                return nil
            }
            let words = text.dropFirst().dropLast().split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let numbers = words.compactMap(\.trimmed.decimal)
            return numbers.count == words.count ? numbers : nil
        }

        private mutating func readEvent(
            _ item: ArraySlice<UInt8>, _ number: Int, _ diagnostics: inout Diagnostics
        ) throws(RecordingError) {
            guard let numbers = Self.numbers(item), numbers.count == 5 else {
                throw diagnostics.error(
                    number,
                    "an event needs [seconds, microseconds, type, code, value], "
                        + "not '\(item.excerpt)'")
            }
            guard (0...9_000_000_000).contains(numbers[0]), (0..<1_000_000).contains(numbers[1])
            else {
                throw diagnostics.error(
                    number,
                    "the time is '\(numbers[0]), \(numbers[1])', not seconds and "
                        + "microseconds")
            }
            guard Int32(exactly: numbers[4]) != nil else {
                throw diagnostics.error(
                    number, "the value is '\(numbers[4])', not a whole number of 32 bits")
            }
            try log.append(
                numbers[0] * 1_000_000 + numbers[1], device: log.axes.count - 1,
                type: numbers[2], code: numbers[3], value: numbers[4], number, &diagnostics)
        }
    }
}
