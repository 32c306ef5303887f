import Notation
import Protocol
import Recordings

/// Turns messages, as they come, into the lines of a recording.
struct Recorder {
    /// Milliseconds by which a publisher's clock may differ, as in the daemon.
    static let claimMillisecondsMax = 2_000.0

    private var first: Double?
    private var last = 0.0
    private(set) var count = 0
    private(set) var unfit = 0

    var header: [UInt8] { Recording.header() + [UInt8(ascii: "\n")] }

    var summary: String {
        "\(counted(count, "event")) recorded"
            + (unfit > 0 ? "; \(counted(unfit, "message")) not recordable" : "")
    }

    /// The line of a message, with its line end; nil where it is not a topic with JSON.
    ///
    /// The line's time is the event's own `t` if that is plausible, else the time of receipt.
    /// `received` is in milliseconds since the Unix epoch.
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
        // To the microsecond, which is all that a time since the epoch holds.
        time = max(last, ((time - begin) * 1_000).rounded() / 1_000)
        guard time <= Recording.spanMillisecondsMax else {
            unfit += 1
            return nil
        }
        let line = Recording.line(
            time: time, topic: frames[0], body: Self.shifted(body, by: begin, at: time))
        // Do not write what could not be read back.
        guard line.count <= Recording.lineBytesMax, count < Recording.eventsMax else {
            unfit += 1
            return nil
        }
        last = time
        count += 1
        return line + [UInt8(ascii: "\n")]
    }

    /// The body with `t` on the recording's scale, or without `t` where it equals the line's time.
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
