/// Which refused requests the log tells of: each kind once in a while, and never a flood.
///
/// A page that is refused tries again every second, and strangers write what they like.
package struct RefusalLog: Sendable {
    /// Nanoseconds until the same line is told again: who looks for the reason finds it near.
    package static let repeatNanoseconds = 600_000_000_000
    /// Different lines that are remembered, so that they are not told again too soon.
    package static let linesMax = 64
    /// Lines in a minute; further ones are only counted.
    package static let linesPerMinuteMax = 10
    private static let minute = 60_000_000_000
    /// Characters of a request's words that are shown.
    private static let shownMax = 100

    /// When each line was told last.
    private var told: [String: Int] = [:]
    private var minuteBegan = 0
    private var linesOfMinute = 0
    private var untold = 0

    package init() {}

    /// The line to write, with what was left out before it; nil: it is not to be told now.
    package mutating func line(_ text: String, at time: Int) -> String? {
        if let last = told[text], time - last < Self.repeatNanoseconds { return nil }
        if time - minuteBegan >= Self.minute { (minuteBegan, linesOfMinute) = (time, 0) }
        guard linesOfMinute < Self.linesPerMinuteMax else {
            untold += 1
            return nil
        }
        linesOfMinute += 1
        if told.count >= Self.linesMax, let oldest = told.min(by: { $0.value < $1.value }) {
            told[oldest.key] = nil
        }
        told[text] = time
        defer { untold = 0 }
        return untold == 0 ? text : "\(text) (\(untold) other refusals before it are not told)"
    }

    /// Words of a request, in quotes: ASCII alone, and not many of them.
    package static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.prefix(shownMax).map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }
        return "\"" + String(String.UnicodeScalarView(start))
            + (scalars.count > shownMax ? "…\"" : "\"")
    }
}
