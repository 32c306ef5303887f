import Codec
import Notation
import Protocol
import Recordings

/// Turns messages, as they come, into the lines of a recording.
///
/// A recording carries the scene of each session, so that it plays the same elsewhere: the header
/// has that of the first one, and a session with another scene is opened with it by a line of its
/// own: an event, or a request where an event cannot hold the scene. A line says where a scene is
/// missing.
struct Recorder {
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
    /// Sessions that are recorded without their scenes.
    private(set) var sceneless = 0
    /// The scene of sessions that do not open themselves.
    private var scene: Node?
    private var sessions: Set<String> = []

    var header: [UInt8] { Recording.header(scene: scene) + [UInt8(ascii: "\n")] }

    /// The session whose scene must be known to record a message; nil: none. The daemon has it once
    /// it has got the message.
    mutating func need(of frames: [[UInt8]]) -> Need? {
        // The daemon refuses a larger body, so that it opens no session.
        guard frames.count == 2, frames[1].count <= Limits.bodyBytesMax,
            let topic = try? Topic(frames[0]), let body = try? Document.json(frames[1])
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
        sessions.count < Recording.sessionsMax && sessions.insert(session).inserted
    }

    /// The lines of a message that needed a session's scene. Before the first message this sets the
    /// header's scene. `scene` is nil where the daemon gave none.
    mutating func lines(
        _ frames: [[UInt8]], received: Double, _ need: Need, _ scene: Node?
    ) -> [UInt8]? {
        guard let scene else { return lineWithoutScene(frames, received: received, need) }
        if need.name != nil { return lineNaming(scene, frames, received: received, need) }
        if count == 0, self.scene == nil, Self.fits(Recording.header(scene: scene)) {
            self.scene = scene
        }
        guard self.scene != scene else { return line(frames, received: received) }
        guard let own = line(frames, received: received) else { return nil }
        guard let opening = opening(of: need.session, scene) else {
            return missing(need.session) + own
        }
        return opening + own
    }

    /// The line that opens a session with its scene; nil: no line can hold that.
    private func opening(of session: String, _ scene: Node) -> [UInt8]? {
        let json = scene.json()
        let isEvent = json.count <= Limits.bodyBytesMax - Self.openBytes
        let line =
            isEvent
            ? Recording.line(
                time: last, topic: Array("command/\(session)".utf8),
                body: Array(#"{"command":"open","scene":"#.utf8) + json + [UInt8(ascii: "}")])
            : Recording.opening(time: last, session: session, scene: scene)
        return Self.fits(line) ? line + [UInt8(ascii: "\n")] : nil
    }

    /// The line of a message that names its session's scene, with the scene itself.
    private mutating func lineNaming(
        _ scene: Node, _ frames: [[UInt8]], received: Double, _ need: Need
    ) -> [UInt8]? {
        guard let body = try? Document.json(frames[1]), let members = body.members else {
            return line(frames, received: received)
        }
        let whole = members.map { $0.name == "scene" ? Node.Member("scene", scene) : $0 }
        let bytes = Node(.object(whole)).json()
        if bytes.count <= Limits.bodyBytesMax - Self.openBytes {
            return line([frames[0], bytes], received: received)
        }
        // A request that replaces a scene is an update, but one of any revision.
        let isUpdate = body["command"]?.string == "update"
        let replaces = isUpdate || body["replace"]?.bool == true
        if !isUpdate || body["revision"] == nil {
            let opening = add(claimed: body["t"]?.double, received: received) { time, _ in
                Recording.opening(
                    time: time, session: need.session, scene: scene, replaces: replaces)
            }
            if let opening { return opening }
            unfit -= 1
        }
        sceneless += 1
        return line(frames, received: received)
    }

    /// A message whose session's scene is not known. Where the header has one, a line says that it
    /// is another session's; a command that names its scene says enough.
    private mutating func lineWithoutScene(
        _ frames: [[UInt8]], received: Double, _ need: Need
    ) -> [UInt8]? {
        let own = line(frames, received: received)
        guard let own, need.name == nil, scene != nil else {
            sceneless += 1
            return own
        }
        return missing(need.session) + own
    }

    private mutating func missing(_ session: String) -> [UInt8] {
        sceneless += 1
        // Nobody could read a recording that misses more.
        guard sceneless <= Recording.sessionsMax else { return [] }
        return Recording.opening(time: last, session: session, scene: nil) + [UInt8(ascii: "\n")]
    }

    /// Whether a line can be read back.
    private static func fits(_ line: [UInt8]) -> Bool { line.count <= Recording.lineBytesMax }

    /// Bytes of an `open` beside its scene, with the time that `replay` gives it.
    private static let openBytes = 256

    var summary: String {
        "\(counted(count, "event")) recorded"
            + (unfit > 0 ? "; \(counted(unfit, "message")) not recordable" : "")
            + (sceneless > 0 ? "; \(counted(sceneless, "scene")) missing" : "")
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
        return add(claimed: body["t"]?.double, received: received) { time, begin in
            Recording.line(
                time: time, topic: frames[0], body: Self.shifted(body, by: begin, at: time))
        }
    }

    /// A line of the recording at its time, with its line end; nil where it could not be read back.
    /// `make` gets the line's time, and the recording's beginning in milliseconds since the epoch.
    private mutating func add(
        claimed: Double?, received: Double, _ make: (_ time: Double, _ begin: Double) -> [UInt8]
    ) -> [UInt8]? {
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
        let line = make(time, begin)
        // Do not write what could not be read back.
        guard Self.fits(line), count < Recording.eventsMax else {
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
