import Bridges
import Notation
import Protocol

/// Refusals that wait for the broker, and how many of them the log still names.
struct RefusalReports {
    /// Refusals told to the broker in a second, and that wait for it; more are only counted.
    private static let countMax = 10
    /// Refused values of variables that the log names in a minute; the broker is told of more.
    private static let complaintsMax = 10
    private static let complaintMilliseconds = 60_000

    private var waiting: [[UInt8]] = []
    private var (left, due) = (RefusalReports.countMax, 0)
    private var (complaintsLeft, complaintsDue) = (RefusalReports.complaintsMax, 0)

    mutating func add(_ topic: String, _ code: String, _ message: String, at moment: Moment) {
        if moment.steady >= due { (left, due) = (Self.countMax, moment.steady + 1_000) }
        // None leaves while something is unsettled; the topics are the broker's.
        guard left > 0, waiting.count < Self.countMax else { return }
        left -= 1
        // The broker allows topics of 64 KiB.
        let shown = String(
            decoding: topic.utf8.prefix(HouseTopics.topicBytesMax), as: UTF8.self)
        let members = [("code", code), ("message", message), ("topic", shown)]
        waiting.append(
            Node(.object(members.map { Node.Member($0.0, Node(.string($0.1))) })).json())
    }

    mutating func takeAll() -> [[UInt8]] {
        defer { waiting = [] }
        return waiting
    }

    /// The lines that the log may have of refused values in this minute, before this one; if there
    /// are any, this one counts.
    mutating func complain(at moment: Moment) -> Int {
        if moment.steady >= complaintsDue {
            complaintsLeft = Self.complaintsMax
            complaintsDue = moment.steady + Self.complaintMilliseconds
        }
        defer { complaintsLeft = max(0, complaintsLeft - 1) }
        return complaintsLeft
    }
}
