/// A file's clock: held to never fall, and to span no more than a recording may.
struct Timeline {
    /// How far a device's clock has come.
    private struct Course {
        var last: Int
        /// The time before that, and what the file spanned then.
        var before: Int?
        var spanBefore: ClosedRange<Int>?
    }

    private var span: ClosedRange<Int>?
    /// By device: those that are read at once may overtake each other.
    private var courses: [Int: Course] = [:]

    /// Throws where the next line cannot have this time, in microseconds on the file's own scale.
    func check(
        _ microseconds: Int, of device: Int = 0, _ line: Int, _ complaints: Diagnostics
    ) throws(RecordingError) {
        if isFall(microseconds, of: device) {
            throw fall(to: microseconds, of: device, line, complaints)
        }
        let span = extended(to: microseconds)
        guard
            Double(span.upperBound - span.lowerBound) / 1_000 <= Recording.spanMillisecondsMax
        else {
            throw complaints.error(line, "more than a year after the first line")
        }
    }

    /// Takes a time that was checked, once all else of its line is taken: what is left out says
    /// nothing of those behind it.
    mutating func take(_ microseconds: Int, of device: Int = 0) {
        courses[device] = Course(
            last: microseconds, before: courses[device]?.last, spanBefore: span)
        span = extended(to: microseconds)
    }

    /// Whether a time is before the device's last.
    func isFall(_ microseconds: Int, of device: Int) -> Bool {
        courses[device].map { microseconds < $0.last } ?? false
    }

    /// Whether a time would not fall, had the device's last not been.
    func isSoundBefore(_ microseconds: Int, of device: Int) -> Bool {
        courses[device]?.before.map { microseconds >= $0 } ?? true
    }

    /// Forgets the device's last time.
    mutating func goBack(_ device: Int) {
        guard let course = courses.removeValue(forKey: device) else { return }
        span = course.spanBefore
        if let before = course.before {
            courses[device] = Course(last: before, before: nil, spanBefore: span)
        }
    }

    func fall(
        to microseconds: Int, of device: Int, _ line: Int, _ complaints: Diagnostics
    ) -> RecordingError {
        let last = courses[device]?.last ?? microseconds
        return complaints.error(
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

    /// A time in milliseconds as microseconds; nil beyond what recordings know.
    static func microseconds(_ milliseconds: Double) -> Int? {
        guard milliseconds.magnitude <= Recording.timeMillisecondsMax else { return nil }
        return Int((milliseconds * 1_000).rounded())
    }
}
