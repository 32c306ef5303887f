package import Notation
import Protocol

/// Events as they came once, with their times: what `simulate` and `replay` play.
///
/// JSON Lines: a header, then one event or caption a line. It is read whole or not at all.
package struct Recording: Hashable, Sendable {
    package struct Event: Hashable, Sendable {
        /// Milliseconds on the recording's own scale, never falling.
        package var time: Double
        /// The step of its session at which it is applied, if the recording places it.
        package var step: Int?
        package var topic: [UInt8]
        /// JSON; not checked any further, so that a recording can show what is refused.
        package var body: [UInt8]
        /// Where it stands in its file, from 1.
        package var line: Int

        package init(
            time: Double, step: Int? = nil, topic: [UInt8], body: [UInt8], line: Int
        ) {
            self.time = time
            self.step = step
            self.topic = topic
            self.body = body
            self.line = line
        }
    }

    /// Words for the person who watches. They change nothing.
    package struct Caption: Hashable, Sendable {
        /// Milliseconds on the recording's own scale.
        package var time: Double
        package var text: String
        /// How many events stand before it.
        package var eventsBefore: Int
    }

    /// The name or the object that the header gives.
    package var scene: Node?
    package var seed: UInt64?
    package var events: [Event]
    package var captions: [Caption]

    package init(
        scene: Node? = nil, seed: UInt64? = nil, events: [Event], captions: [Caption] = []
    ) {
        self.scene = scene
        self.seed = seed
        self.events = events
        self.captions = captions
    }
}

/// What is wrong with a recording, and where; it prints as `file:line: what`.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1.
    package var line: Int
    package var message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { "\(file):\(line): \(message)" }
}

extension Recording {
    /// Milliseconds from a recording's first line to its last: a year, so that nanoseconds and
    /// steps of it stay far from an integer's end.
    package static let spanMillisecondsMax = 366.0 * 86_400_000
    /// Milliseconds of any time: its nanoseconds since the Unix epoch fit an integer.
    package static let timeMillisecondsMax = 9e12
    /// The last step that a line can name: as long as the span.
    package static let stepMax = 366 * 86_400 * 120
    /// Bytes of a file: days of samples.
    package static let fileBytesMax = 256 * 1_024 * 1_024
    /// Bytes of a line: more than any event's body, or a header's scene.
    package static let lineBytesMax = 1_024 * 1_024
    /// Events of a recording: hours of ten fingers.
    package static let eventsMax = 1_000_000
    /// Captions of a recording.
    package static let captionsMax = 100_000

    /// Reads a recording's text; `file` is what errors call it.
    package init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
        var complaints = Diagnostics(file: file, keepsGoing: false)
        try self.init(parsing: bytes, &complaints)
    }

    /// The same, where lines that cannot be read may be left out; a bad header never is.
    init(parsing bytes: [UInt8], _ complaints: inout Diagnostics) throws(RecordingError) {
        let file = complaints.file
        var lines = Lines(of: bytes, bytesMax: Self.lineBytesMax)
        var reader = RecordingReader(file: file)
        while let line = try lines.next(&complaints) {
            do throws(RecordingError) {
                try reader.read(Array(line), number: lines.number)
            } catch {
                guard reader.hasHeader else { throw error }
                var error = error
                if lines.isCutShort, !complaints.keepsGoing,
                    error.message.hasPrefix("not JSON")
                {
                    error.message += " (cut short? --keep-going leaves it out)"
                }
                try complaints.skip(error)
            }
        }
        guard reader.hasHeader else {
            throw RecordingError(
                file: file, line: 1, message: "empty; the first line must be \(headerForm)")
        }
        self = reader.recording
    }
}

private let headerForm = #"{"gesture-recording":1,…}"#

/// Takes one line after another.
private struct RecordingReader {
    let file: String
    var recording = Recording(events: [])
    var hasHeader = false
    private var line = 0
    private var firstTime: Double?
    private var lastTime = 0.0
    /// The last step that was named, by the topic's session.
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
        let isCaption = caption != nil && node["topic"] == nil && node["body"] == nil
        let event = isCaption ? nil : try readEvent(node, at: time)
        // Only now: a line that is left out leaves nothing behind.
        if let caption { recording.captions.append(caption) }
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

    private func readEvent(
        _ node: Node, at time: Double
    ) throws(RecordingError) -> Recording.Event {
        guard recording.events.count < Recording.eventsMax else {
            throw error("more than \(Recording.eventsMax) events")
        }
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
