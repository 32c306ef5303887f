import Codec
import Notation
import Protocol
import Recordings

/// Turns messages, as they come, into the lines of a recording.
///
/// A recording carries the scene of each session, so that it plays the same elsewhere: the header
/// has that of the first one, and a session with another scene is opened with it by a line of its
/// own.
struct Recorder {
    /// Sessions whose scenes are looked for; those beyond are recorded without.
    static let sessionsMax = 10_000

    /// A session whose scene a message needs.
    struct Need: Equatable {
        var session: String
        /// The name of the scene that the message gives it; nil: it gives none.
        var name: String?
    }

    /// Milliseconds by which a publisher's clock may differ, as in the daemon.
    static let claimMillisecondsMax = 2_000.0

    private var first: Double?
    private var last = 0.0
    private(set) var count = 0
    private(set) var unfit = 0
    /// The scene of sessions that do not open themselves.
    private var scene: Node?
    private var sessions: Set<String> = []

    var header: [UInt8] { Recording.header(scene: scene) + [UInt8(ascii: "\n")] }

    /// The session whose scene must be known to record a message; nil: none. The daemon has it once
    /// it has got the message.
    mutating func need(of frames: [[UInt8]]) -> Need? {
        guard frames.count == 2, let topic = try? Topic(frames[0]),
            let body = try? Document.json(frames[1])
        else { return nil }
        let session = topic.session
        if case .command(_, component: nil) = topic {
            switch body["command"]?.string {
            case "open", "update":
                if let name = body["scene"]?.string {
                    insert(session)
                    return Need(session: session, name: name)
                }
                if body["command"]?.string == "open" { insert(session) }
            case "close":
                // Its next event opens it once more.
                sessions.remove(session)
                return nil
            default: break
            }
        }
        return insert(session) ? Need(session: session, name: nil) : nil
    }

    /// Whether it was not known before, and there is room.
    @discardableResult
    private mutating func insert(_ session: String) -> Bool {
        sessions.count < Self.sessionsMax && sessions.insert(session).inserted
    }

    /// The lines of a message that needed a session's scene. Before the first message this sets the
    /// header's scene. `scene` is nil where the daemon has none.
    mutating func lines(
        _ frames: [[UInt8]], received: Double, _ need: Need, _ scene: Node?
    ) -> [UInt8]? {
        guard let scene, let json = Self.fitting(scene) else {
            return line(frames, received: received)
        }
        if need.name != nil {
            guard let body = try? Document.json(frames[1]), let members = body.members else {
                return line(frames, received: received)
            }
            let whole = members.map { $0.name == "scene" ? Node.Member("scene", scene) : $0 }
            return line([frames[0], Node(.object(whole)).json()], received: received)
        }
        if count == 0, self.scene == nil { self.scene = scene }
        let own = line(frames, received: received)
        guard let own, self.scene != scene else { return own }
        let open = Recording.line(
            time: last, topic: Array("command/\(need.session)".utf8),
            body: Array(#"{"command":"open","scene":"#.utf8) + json + [UInt8(ascii: "}")])
        return open + [UInt8(ascii: "\n")] + own
    }

    /// A scene as JSON, where an event may hold it.
    private static func fitting(_ scene: Node) -> [UInt8]? {
        let json = scene.json()
        return json.count < Limits.bodyBytesMax - openBytes ? json : nil
    }

    /// Bytes of an `open` beside its scene.
    private static let openBytes = 256

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
