import Notation
import Protocol
import Recordings

/// Makes the lines of a recording from messages as they come.
struct Recorder {
    /// Milliseconds by which a publisher's time may differ from ours, as the daemon has it.
    static let claimMillisecondsMax = 2_000.0

    private var first: Double?
    private var last = 0.0
    private(set) var count = 0
    private(set) var unfit = 0

    var header: [UInt8] { Recording.header() + [UInt8(ascii: "\n")] }

    var summary: String {
        "\(count) event\(count == 1 ? "" : "s") recorded"
            + (unfit > 0 ? "; \(unfit) that no recording can hold went by" : "")
    }

    /// The line of a message, with its end; nil where it is no topic and JSON.
    ///
    /// The event's time is that of its own `t`, as far as that can be, else that of its receipt;
    /// `received` is in milliseconds since the Unix epoch. What `t` says then stands in the line.
    mutating func line(_ frames: [[UInt8]], received: Double) -> [UInt8]? {
        guard frames.count == 2, !frames[0].isEmpty,
            String(validating: frames[0], as: UTF8.self) != nil,
            let body = try? Document.json(frames[1])
        else {
            unfit += 1
            return nil
        }
        let claimed = body["t"]?.double
        let isFit = claimed.map { abs($0 - received) <= Self.claimMillisecondsMax } ?? false
        var time = isFit ? claimed ?? received : received
        let begin = first ?? time
        first = begin
        // To the microsecond: more than that a time since the epoch does not hold.
        time = max(last, ((time - begin) * 1_000).rounded() / 1_000)
        guard time <= Recording.spanMillisecondsMax else {
            unfit += 1
            return nil
        }
        let said = Recording.line(
            time: time, topic: frames[0], body: Self.shifted(body, by: begin, at: time))
        // What could not be read back is not written.
        guard said.count <= Recording.lineBytesMax, count < Recording.eventsMax else {
            unfit += 1
            return nil
        }
        last = time
        count += 1
        return said + [UInt8(ascii: "\n")]
    }

    /// The body with its `t` on the recording's scale; without it where it says what the line does.
    private static func shifted(_ body: Node, by begin: Double, at time: Double) -> [UInt8] {
        guard let members = body.members, let claimed = body["t"]?.double else {
            return body.json()
        }
        let moved = ((claimed - begin) * 1_000).rounded() / 1_000
        let others = members.filter { $0.name != "t" }
        if moved == time { return Node(.object(others)).json() }
        return Node(.object(others + [Node.Member("t", Node(.number(moved)))])).json()
    }
}
