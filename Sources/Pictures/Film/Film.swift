import Codec
package import Geometry
package import Interactions
import Notation
import Protocol
package import Recordings
package import Sessions
import Simulation

/// A recording as pictures: all that its sessions publish, in order of time.
package struct Film: Sendable {
    /// Bytes of updates kept; an hour of a busy screen.
    package static let bytesMax = 1_073_741_824

    package struct Message: Sendable {
        package enum Kind: Sendable { case scene, frame, session }

        /// Milliseconds from the first event of the recording.
        package var time: Double
        package var kind: Kind
        package var session: String
        package var body: [UInt8]
    }

    package private(set) var messages: [Message] = []
    package private(set) var captions: [(time: Double, text: String)] = []
    /// The fingers, if they are wanted.
    package private(set) var touches: Touches?
    /// The session of each event, by time in milliseconds.
    private var touched: [(time: Double, session: String)] = []
    /// The time of the last message or event.
    package private(set) var end = 0.0

    package var sessions: [String] {
        var names: [String] = []
        for message in messages where !names.contains(message.session) {
            names.append(message.session)
        }
        return names
    }

    /// Runs a recording on virtual time.
    package init(
        _ recording: Recording, scenes: [String: Scene], frameRate: Int = 60,
        hasTouches: Bool = false
    ) throws(FilmError) {
        let first = recording.events.first?.time ?? 0
        var collector = Collector(first: first)
        do throws(Rejection) {
            var simulator = try Simulator(
                recording, scenes: scenes, frameRate: frameRate,
                channels: [.frame, .scene, .session])
            simulator.run(into: &collector)
        } catch {
            throw .rejected(error)
        }
        if collector.bytes > Self.bytesMax {
            throw .tooLong
        }
        messages = collector.messages
        for event in recording.events {
            let parts = event.topic.split(separator: UInt8(ascii: "/"))
            guard parts.count > 1 else { continue }
            touched.append((event.time - first, String(decoding: parts[1], as: UTF8.self)))
        }
        if hasTouches { touches = Touches(recording) }
        captions = recording.captions.map { ($0.time - first, $0.text) }
        end = max(messages.last?.time ?? 0, touched.last?.time ?? 0)
    }

    /// As wide and as high as any viewport of one session, or of all.
    package func largestViewport(of session: String?) -> Size {
        var size = Size(0, 0)
        for message in messages where message.kind == .scene {
            guard session == nil || message.session == session,
                let scene = try? Document.json(message.body)
            else { continue }
            var picture = Picture()
            picture.take(scene: scene)
            size.width = max(size.width, picture.viewport.width)
            size.height = max(size.height, picture.viewport.height)
        }
        return size.width > 0 ? size : Picture().viewport
    }

    /// The session that the recording plays at a time: the one of the last event.
    package func session(at time: Double) -> String? {
        touched.last(notAfter: time) { $0.time }.map { touched[$0].session }
            ?? messages.first?.session
    }

    /// The fingers on a session at a time, if they are wanted.
    package func fingers(on session: String, at time: Double) -> [Touches.Finger] {
        touches?.fingers(on: session, at: time) ?? []
    }

    /// The caption at a time.
    package func caption(at time: Double) -> String? {
        captions.last(notAfter: time) { $0.time }.map { captions[$0].text }
    }
}

package enum FilmError: Error {
    case rejected(Rejection)
    case tooLong
}

/// Keeps scenes and frames with their times.
private struct Collector: MessageSink {
    let first: Double
    var messages: [Film.Message] = []
    var bytes = 0
    let isFull = false

    init(first: Double) { self.first = first }

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        let kind: Film.Message.Kind
        let session: String
        switch topic {
        case .scene(let name): (kind, session) = (.scene, name)
        case .frame(let name): (kind, session) = (.frame, name)
        case .session(let name): (kind, session) = (.session, name)
        case .state, .rows, .touches, .transition, .badge, .variables, .rejected, .sync,
            .heartbeat:
            return
        }
        guard bytes <= Film.bytesMax else { return }
        var buffer = ByteBuffer()
        body(&buffer)
        let text = buffer.array()
        bytes += text.count
        messages.append(
            Film.Message(
                time: Self.time(of: text) - first, kind: kind, session: session, body: text))
    }

    /// The `t` that every body begins with, behind `epoch` and `seq`.
    private static func time(of body: [UInt8]) -> Double {
        let mark = Array("\"t\":".utf8)
        guard let place = body.range(ofFirst: mark) else { return 0 }
        let digits = body[place.upperBound...].prefix { $0 != UInt8(ascii: ",") }
        return Double(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}
