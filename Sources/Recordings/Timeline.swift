/// A file's clock: held to never fall, and to span no more than a recording may.
struct Timeline {
    private var span: ClosedRange<Int>?
    /// The last time of each device: those that are read at once may overtake each other.
    private var lasts: [Int: Int] = [:]

    /// Takes the time of the next line, in microseconds on the file's own scale.
    mutating func advance(
        to microseconds: Int, of device: Int = 0, _ line: Int, _ complaints: Complaints
    ) throws(RecordingError) {
        if let last = lasts[device], microseconds < last {
            throw complaints.error(
                line, "the time falls from \(Self.text(last)) to \(Self.text(microseconds)) s")
        }
        let least = min(span?.lowerBound ?? microseconds, microseconds)
        let most = max(span?.upperBound ?? microseconds, microseconds)
        guard Double(most - least) / 1_000 <= Recording.spanMillisecondsMax else {
            throw complaints.error(line, "more than a year after the first line")
        }
        span = least...most
        lasts[device] = microseconds
    }

    private static func text(_ microseconds: Int) -> String {
        let digits = String((microseconds % 1_000_000).magnitude)
        let fraction = String(repeating: "0", count: 6 - digits.count) + digits
        return "\(microseconds / 1_000_000).\(fraction)"
    }

    /// A time in milliseconds as microseconds; nil beyond what recordings know.
    static func microseconds(_ milliseconds: Double) -> Int? {
        guard milliseconds.magnitude <= Recording.timeMillisecondsMax else { return nil }
        return Int((milliseconds * 1_000).rounded())
    }
}
