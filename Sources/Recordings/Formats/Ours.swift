import Notation
import Protocol

extension RecordingFormat {
    /// This project's own: a header, then one event or caption a line.
    package static let ours = RecordingFormat(
        title: "this project's own (JSON Lines)", fillsViewport: false,
        isFirstLine: { line, _ in line.first == UInt8(ascii: "{") },
        read: { bytes, options, diagnostics throws(RecordingError) in
            let recording = try Recording(parsing: bytes, &diagnostics)
            return options.session.map(recording.moved(to:)) ?? recording
        })
}

extension Recording {
    /// Reads a recording's text whole; `file` is its name in errors.
    package init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        var diagnostics = Diagnostics(file: file, keepsGoing: false)
        try self.init(parsing: bytes, &diagnostics)
    }

    /// The same, where bad lines may be left out. A bad header always ends the reading.
    init(parsing bytes: [UInt8], _ diagnostics: inout Diagnostics) throws(RecordingError) {
        let file = diagnostics.file
        var lines = Lines(of: bytes, bytesMax: Self.lineBytesMax)
        var reader = RecordingReader(file: file)
        while let line = try lines.next(&diagnostics) {
            do throws(RecordingError) {
                try reader.read(Array(line), number: lines.number)
            } catch {
                guard reader.hasHeader else { throw error }
                var error = error
                if lines.isCutShort, !diagnostics.keepsGoing,
                    error.message.hasPrefix("not JSON")
                {
                    error.message += " (cut short? --keep-going leaves it out)"
                }
                try diagnostics.skipLine(error)
            }
        }
        guard reader.hasHeader else {
            throw RecordingError(
                file: file, line: 1,
                message: "the file is empty; the first line must be \(headerForm)")
        }
        self = reader.recording
    }
}

private let headerForm = #"{"gesture-recording":1,…}"#

/// Reads a recording line by line.
private struct RecordingReader {
    let file: String
    var recording = Recording(events: [])
    var hasHeader = false
    private var line = 0
    private var firstTime: Double?
    private var lastTime = 0.0
    /// The last step named, by session.
    private var lastSteps: [[UInt8]: Int] = [:]

    init(file: String) { self.file = file }

    private func error(_ message: String) -> RecordingError {
        RecordingError(file: file, line: line, message: message)
    }

    mutating func read(_ bytes: [UInt8], number: Int) throws(RecordingError) {
        line = number
        let node: Node
        do throws(DocumentError) {
            node = try Document.json(bytes, exactly: true)
        } catch {
            throw self.error(error.message)
        }
        guard node.members != nil else { throw error("not a JSON object") }
        if hasHeader { try readEntry(node) } else { try readHeader(node) }
    }

    private mutating func readHeader(_ node: Node) throws(RecordingError) {
        guard let version = node["gesture-recording"] else {
            throw error("not a recording: the first line must be \(headerForm)")
        }
        guard version.int == 1 else { throw error("only recordings of version 1 can be read") }
        if let scene = node["scene"], !scene.isNull {
            guard scene.string != nil || scene.members != nil else {
                throw error("scene must be a name or an object")
            }
            recording.scene = scene
        }
        if let seed = node["seed"], !seed.isNull {
            guard case .integer(let whole) = seed.value, whole >= 0 else {
                throw error("seed must be a whole number from 0 to \(Int.max)")
            }
            recording.seed = UInt64(whole)
        }
        hasHeader = true
    }

    private mutating func readEntry(_ node: Node) throws(RecordingError) {
        let time = try readTime(node)
        let caption = try readCaption(node, at: time)
        let isEvent = node["topic"] != nil || node["body"] != nil
        let opening = isEvent ? nil : try readOpening(node, at: time)
        let isOther = !isEvent && (caption != nil || opening != nil)
        var event = isOther ? nil : try readEvent(node, at: time)
        // Only now, so that a line that is left out changes nothing.
        if let caption { recording.captions.append(caption) }
        switch opening {
        case .missing(let scene): recording.missingScenes.append(scene)
        case .request(let request): event = request
        case nil: break
        }
        if let event {
            recording.events.append(event)
            if let step = event.step { lastSteps[Self.session(of: event.topic)] = step }
        }
        firstTime = firstTime ?? time
        lastTime = time
    }

    private func readCaption(
        _ node: Node, at time: Double
    ) throws(RecordingError) -> Recording.Caption? {
        guard let caption = node["caption"] else { return nil }
        guard let text = caption.string else { throw error("caption must be a string") }
        guard recording.captions.count < Recording.captionsMax else {
            throw error("more than \(Recording.captionsMax) captions")
        }
        return Recording.Caption(
            time: time, text: text, eventsBefore: recording.events.count)
    }

    /// A line with the scene of a session, or with null for one that is missing.
    private enum Opening {
        case request(Recording.Event)
        case missing(Recording.MissingScene)
    }

    private func readOpening(_ node: Node, at time: Double) throws(RecordingError) -> Opening? {
        guard let member = node["session"] else { return nil }
        guard let scene = node["scene"] else {
            // A caption may have members of its own.
            if node["caption"] != nil { return nil }
            throw error("scene is missing")
        }
        guard let session = member.string, Name.isValidSession(session) else {
            throw error("session must be \(Name.sessionRule)")
        }
        if scene.isNull {
            guard recording.missingScenes.count < Recording.sessionsMax else {
                throw error("more than \(Recording.sessionsMax) scenes are missing")
            }
            return .missing(
                Recording.MissingScene(
                    time: time, session: session, eventsBefore: recording.events.count,
                    line: line))
        }
        guard scene.string != nil || scene.members != nil else {
            throw error("scene must be a name, an object or null")
        }
        var members = [
            Node.Member("command", Node(.string("open"))), Node.Member("scene", scene),
        ]
        if let replace = node["replace"] {
            guard let replaces = replace.bool else { throw error("replace must be true or false") }
            if replaces { members.append(Node.Member("replace", replace)) }
        }
        try checkCount()
        let topic = Array("command/\(session)".utf8)
        return .request(
            Recording.Event(
                time: time, step: try readStep(node, topic: topic), topic: topic,
                body: Node(.object(members)).json(), line: line, isRequest: true))
    }

    private func checkCount() throws(RecordingError) {
        guard recording.events.count < Recording.eventsMax else {
            throw error("more than \(Recording.eventsMax) events")
        }
    }

    private func readEvent(
        _ node: Node, at time: Double
    ) throws(RecordingError) -> Recording.Event {
        try checkCount()
        guard let topic = node["topic"] else { throw error("topic is missing") }
        guard let name = topic.string, !name.isEmpty else {
            throw error("topic must be a string that is not empty")
        }
        guard let body = node["body"] else { throw error("body is missing") }
        let bytes = Array(name.utf8)
        return Recording.Event(
            time: time, step: try readStep(node, topic: bytes), topic: bytes,
            body: body.json(), line: line)
    }

    private func readTime(_ node: Node) throws(RecordingError) -> Double {
        guard let member = node["t"] else { throw error("t is missing") }
        guard let time = member.double, time >= 0, time <= Recording.timeMillisecondsMax else {
            throw error("t must be milliseconds from 0 to 9e12")
        }
        guard time >= lastTime else { throw error("t falls from \(lastTime) to \(time)") }
        let first = firstTime ?? time
        guard time - first <= Recording.spanMillisecondsMax else {
            throw error("t is more than a year after the first")
        }
        return time
    }

    private func readStep(_ node: Node, topic: [UInt8]) throws(RecordingError) -> Int? {
        guard let member = node["step"], !member.isNull else { return nil }
        guard let step = member.int, (0...Recording.stepMax).contains(step) else {
            throw error("step must be a whole number from 0 to \(Recording.stepMax)")
        }
        if let last = lastSteps[Self.session(of: topic)], step < last {
            throw error("step falls from \(last) to \(step)")
        }
        return step
    }

    private static func session(of topic: [UInt8]) -> [UInt8] {
        let parts = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count > 1 ? Array(parts[1]) : []
    }
}
