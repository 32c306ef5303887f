/// A file's clock: held to never fall, and to span no more than a recording may.
struct Timeline {
    private var first: Int?
    private(set) var last = 0

    /// Takes the time of the next line, in microseconds on the file's own scale.
    mutating func advance(
        to microseconds: Int, _ line: Int, _ complaints: Complaints
    ) throws(RecordingError) {
        guard let first else {
            first = microseconds
            last = microseconds
            return
        }
        guard microseconds >= last else {
            throw complaints.error(
                line, "the time falls from \(Self.text(last)) to \(Self.text(microseconds)) s")
        }
        guard Double(microseconds - first) / 1_000 <= Recording.spanMillisecondsMax else {
            throw complaints.error(line, "more than a year after the first line")
        }
        last = microseconds
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
