package import Geometry
package import Gestures
package import Interactions
import Motion
import Notation
import Sessions

/// What every update's body starts with.
package struct UpdateHead: Hashable, Sendable {
    /// One life of the daemon, or of a session.
    package var epoch: String
    /// From 1; 0 in a snapshot where none was sent.
    package var seq: Int
    /// The instant that the update shows.
    package var time: Instant

    package init(epoch: String, seq: Int, time: Instant) {
        self.epoch = epoch
        self.seq = seq
        self.time = time
    }
}

/// Appends the bodies of updates to a buffer, each one JSON object; `UpdateTopic` its topic.
package enum Update {
    /// `recognizer` is the model's last field, where there is one.
    package static func state(
        _ head: UpdateHead, _ shown: some Presentable, recognizer: GestureKind? = nil,
        into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("phase")
        buffer.json(shown.phase)
        unsafe withUnsafeMutablePointer(to: &buffer) { buffer in
            unsafe buffer.pointee.append(",\"model\":{")
            var model = unsafe JSONStateSink(buffer)
            shown.model(into: &model)
            if let recognizer { model.field("recognizer", recognizer.rawValue) }
            unsafe buffer.pointee.append("},\"views\":{")
            var views = unsafe JSONStateSink(buffer)
            shown.views(into: &views)
            unsafe buffer.pointee.append("}}")
        }
    }

    package static func transition(
        _ head: UpdateHead, _ transition: Transition, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("name")
        buffer.json(transition.name)
        buffer.key("event")
        buffer.json(transition.event.rawValue)
        if let from = transition.from {
            buffer.key("from")
            end(from, into: &buffer)
        }
        if let to = transition.to {
            buffer.key("to")
            end(to, into: &buffer)
        }
        if let meeting = transition.meeting { self.meeting(meeting, into: &buffer) }
        buffer.key("duration")
        buffer.json(fine: transition.duration)
        buffer.key("curve")
        buffer.json(transition.curve?.rawValue)
        buffer.append("}")
    }

    /// `counts` in the order in which they are to be written.
    package static func badge(
        _ head: UpdateHead, version: Int, total: Int,
        counts: some Sequence<(kind: String, count: Int)>, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("version")
        buffer.json(version)
        buffer.key("total")
        buffer.json(total)
        buffer.key("counts")
        buffer.append("{")
        var isFirst = true
        for (kind, count) in counts {
            if !isFirst { buffer.append(",") }
            isFirst = false
            buffer.json(kind)
            buffer.append(":")
            buffer.json(count)
        }
        buffer.append("}}")
    }

    /// `event` is `opened`, `closed`, `parked`, `restored` or `expired`.
    package static func session(
        _ head: UpdateHead, event: String, scene: String?, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("event")
        buffer.json(event)
        buffer.key("scene")
        buffer.json(scene)
        buffer.append("}")
    }

    /// Topic and body as they came, of any length and content; they are shortened and repaired.
    package static func rejected(
        _ head: UpdateHead, _ rejection: Rejection, topic: RawSpan, body: RawSpan,
        into buffer: inout ByteBuffer
    ) {
        rejected(
            head, rejection, topic: excerpt(of: topic, bytesMax: Limits.topicBytesMax),
            excerpt: excerpt(of: body, bytesMax: Limits.excerptBytesMax), into: &buffer)
    }

    /// Topic and excerpt as `excerpt` made them.
    package static func rejected(
        _ head: UpdateHead, _ rejection: Rejection, topic: String, excerpt: String,
        into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("code")
        buffer.json(rejection.code.rawValue)
        buffer.key("message")
        buffer.json(rejection.message)
        buffer.key("topic")
        buffer.json(topic)
        buffer.key("excerpt")
        buffer.json(excerpt)
        buffer.append("}")
    }

    package static func sync(_ head: UpdateHead, into buffer: inout ByteBuffer) {
        begin(head, into: &buffer)
        buffer.append("}")
    }

    package static func heartbeat(
        _ head: UpdateHead, _ beat: Heartbeat, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("uptime")
        buffer.json(fine: beat.uptimeSeconds)
        buffer.key("sessions")
        buffer.json(beat.sessions)
        buffer.key("moving")
        buffer.json(beat.moving)
        buffer.key("events")
        buffer.json(beat.events)
        buffer.key("rejected")
        buffer.json(beat.rejected)
        buffer.key("updates")
        buffer.json(beat.updates)
        buffer.append("}")
    }

    /// The first bytes as text: invalid ones repaired, never cut inside a character, so that it
    /// has at most `bytesMax` bytes of UTF-8.
    package static func excerpt(of bytes: RawSpan, bytesMax: Int) -> String {
        // Three bytes more, so that a character that is cut starts beyond the end.
        let prefix = bytes.extracting(first: bytesMax + 3)
        let text = unsafe prefix.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        var length = 0
        var end = text.unicodeScalars.startIndex
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            if length > bytesMax { break }
            text.unicodeScalars.formIndex(after: &end)
        }
        return String(text.unicodeScalars[..<end])
    }

    @inline(__always)
    private static func begin(_ head: UpdateHead, into buffer: inout ByteBuffer) {
        buffer.append("{\"epoch\":")
        buffer.json(head.epoch)
        buffer.append(",\"seq\":")
        buffer.json(head.seq)
        buffer.append(",\"t\":")
        buffer.json(head.time)
    }

    private static func meeting(
        _ meeting: Transition.Meeting, into buffer: inout ByteBuffer
    ) {
        buffer.key("items")
        for (index, item) in meeting.items.enumerated() {
            buffer.append(index == 0 ? "[" : ",")
            buffer.json(item)
        }
        buffer.append("]")
        if let boundary = meeting.boundary {
            buffer.key("boundary")
            buffer.json(boundary)
        }
        buffer.key("point")
        buffer.append("[")
        buffer.json(points: meeting.point.x)
        buffer.append(",")
        buffer.json(points: meeting.point.y)
        buffer.append("]")
    }

    private static func end(_ end: Transition.End, into buffer: inout ByteBuffer) {
        switch end {
        case .index(let index): buffer.json(index)
        case .screen(let screen): buffer.json(screen)
        }
    }
}

/// What the daemon tells once a second.
package struct Heartbeat: Hashable, Sendable {
    package var uptimeSeconds = 0.0
    package var sessions = 0
    /// Sessions in which something moves.
    package var moving = 0
    /// Since the start, as the next two.
    package var events = 0
    package var rejected = 0
    package var updates = 0

    package init() {}
}
