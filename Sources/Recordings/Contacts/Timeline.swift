/// The clock of a file: its times never fall, and span no more than a recording may.
struct Timeline {
    /// The last times of a device.
    private struct History {
        var last: Int
        /// The time before that, and the span of the file then.
        var before: Int?
        var spanBefore: ClosedRange<Int>?
    }

    private var span: ClosedRange<Int>?
    /// By device: devices that are read together may overtake each other.
    private var histories: [Int: History] = [:]

    /// Throws where the next line cannot have this time. Microseconds, on the file's own scale.
    func check(
        _ microseconds: Int, of device: Int = 0, _ line: Int, _ diagnostics: Diagnostics
    ) throws(RecordingError) {
        if isFall(microseconds, of: device) {
            throw fall(to: microseconds, of: device, line, diagnostics)
        }
        let span = extended(to: microseconds)
        guard
            Double(span.upperBound - span.lowerBound) / 1_000 <= Recording.spanMillisecondsMax
        else {
            throw diagnostics.error(line, "more than a year after the first line")
        }
    }

    /// Records a checked time. Call it once the whole line is accepted: the time of a line that is
    /// left out does not count.
    mutating func recordTime(_ microseconds: Int, of device: Int = 0) {
        histories[device] = History(
            last: microseconds, before: histories[device]?.last, spanBefore: span)
        span = extended(to: microseconds)
    }

    /// Whether a time is before the device's last.
    func isFall(_ microseconds: Int, of device: Int) -> Bool {
        histories[device].map { microseconds < $0.last } ?? false
    }

    /// Whether a time would not fall without the device's last time.
    func isSoundBefore(_ microseconds: Int, of device: Int) -> Bool {
        histories[device]?.before.map { microseconds >= $0 } ?? true
    }

    /// Forgets the device's last time.
    mutating func dropLastTime(of device: Int) {
        guard let history = histories.removeValue(forKey: device) else { return }
        span = history.spanBefore
        if let before = history.before {
            histories[device] = History(last: before, before: nil, spanBefore: span)
        }
    }

    func fall(
        to microseconds: Int, of device: Int, _ line: Int, _ diagnostics: Diagnostics
    ) -> RecordingError {
        let last = histories[device]?.last ?? microseconds
        return diagnostics.error(
            line, "the time falls from \(Self.text(last)) to \(Self.text(microseconds)) s")
    }

    private func extended(to microseconds: Int) -> ClosedRange<Int> {
        guard let span else { return microseconds...microseconds }
        return min(span.lowerBound, microseconds)...max(span.upperBound, microseconds)
    }

    private static func text(_ microseconds: Int) -> String {
        let digits = String(microseconds.magnitude % 1_000_000)
        let fraction = String(repeating: "0", count: 6 - digits.count) + digits
        let sign = microseconds < 0 ? "-" : ""
        return "\(sign)\(microseconds.magnitude / 1_000_000).\(fraction)"
    }

    /// Milliseconds as microseconds; nil beyond the times of recordings.
    static func microseconds(_ milliseconds: Double) -> Int? {
        guard milliseconds.magnitude <= Recording.timeMillisecondsMax else { return nil }
        return Int((milliseconds * 1_000).rounded())
    }
}
