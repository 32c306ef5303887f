package import Geometry

/// The fields that every update's body starts with.
package struct UpdateHead: Hashable, Sendable {
    /// The run of the daemon, or of the session in it, that the update belongs to: of the
    /// characters of names, which are written as they stand.
    package var epoch: String
    /// The number among the updates of its topic, from 1; 0 in a snapshot if none was sent.
    package var seq: Int
    /// The instant that the update shows.
    package var time: Instant

    @inlinable @inline(__always)
    package init(epoch: String, seq: Int, time: Instant) {
        self.epoch = epoch
        self.seq = seq
        self.time = time
    }
}

/// Appends the bodies of updates, each one JSON object. `UpdateTopic` writes the topics; Codec
/// adds the bodies that show components.
package enum UpdateBody {
    /// The members of a badge, to the end of the object. `counts` are written in their order.
    package static func badge(
        version: Int, total: Int, counts: some Sequence<(kind: String, count: Int)>,
        into buffer: inout ByteBuffer
    ) {
        buffer.append("\"version\":")
        buffer.json(version)
        buffer.key("total")
        buffer.json(total)
        buffer.key("counts")
        buffer.append(UInt8(ascii: "{"))
        var isFirst = true
        for (kind, count) in counts {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            buffer.json(kind)
            buffer.append(UInt8(ascii: ":"))
            buffer.json(count)
        }
        buffer.append("}}")
    }

    /// `event` is `opened`, `closed`, `parked`, `restored`, `expired` or `moved`. `owner` is JSON,
    /// for `moved` alone.
    package static func session(
        _ head: UpdateHead, event: String, scene: String?, owner: [UInt8]? = nil,
        into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("event")
        buffer.json(event)
        buffer.key("scene")
        buffer.json(scene)
        if let owner {
            buffer.key("owner")
            buffer.append(owner)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// `topic` and `excerpt` must come from `excerpt(of:bytesMax:)`. `reaction` is the index of the
    /// scene's reaction that sent it; nil: a publisher did.
    package static func rejected(
        _ head: UpdateHead, code: String, message: String, topic: String, excerpt: String,
        reaction: Int? = nil, into buffer: inout ByteBuffer
    ) {
        begin(head, into: &buffer)
        buffer.key("code")
        buffer.json(code)
        buffer.key("message")
        buffer.json(message)
        buffer.key("topic")
        buffer.json(topic)
        buffer.key("excerpt")
        buffer.json(excerpt)
        if let reaction {
            buffer.key("reaction")
            buffer.json(reaction)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    package static func sync(_ head: UpdateHead, into buffer: inout ByteBuffer) {
        begin(head, into: &buffer)
        buffer.append(UInt8(ascii: "}"))
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
        if let member = beat.member {
            buffer.key("member")
            buffer.json(member.name)
            buffer.key("shards")
            buffer.json(member.shards)
            buffer.key("leased")
            buffer.json(member.isLeased)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// The beginning of the bytes as text of at most `bytesMax` bytes of UTF-8. It repairs invalid
    /// bytes and never cuts inside a character.
    package static func excerpt(of bytes: RawSpan, bytesMax: Int) -> String {
        // Three bytes more, so that a cut character starts after the end.
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

    /// Goes on with a state up to its model's first field. The phase is a kind's own word, and is
    /// written as it stands.
    package static func beginState(phase: String, into buffer: inout ByteBuffer) {
        unsafe phase.withBytes { phase in
            unsafe buffer.write(atMost: phase.count &+ 32) { start in
                let place = unsafe piece(",\"phase\":\"", at: start)
                unsafe copyShort(UnsafeRawBufferPointer(phase), to: place)
                return unsafe piece("\",\"model\":{", at: place + phase.count)
            }
        }
    }

    /// Goes on with a state from its model's end up to its first view.
    package static func beginViews(into buffer: inout ByteBuffer) {
        unsafe buffer.write(atMost: 16) { unsafe piece("},\"views\":{", at: $0) }
    }

    /// Opens a body and writes the fields that every update starts with.
    package static func begin(_ head: UpdateHead, into buffer: inout ByteBuffer) {
        begin(epoch: head.epoch, seq: head.seq, time: head.time, into: &buffer)
    }

    /// The same without a head, which would retain its epoch.
    package static func begin(
        epoch: String, seq: Int, time: Instant, into buffer: inout ByteBuffer
    ) {
        let digits = buffer.digits
        var second = buffer.second
        unsafe epoch.withBytes { epoch in
            unsafe buffer.write(atMost: epoch.count &+ 2 &* Digits.bytesMax &+ 32) { start in
                var place = unsafe piece("{\"epoch\":\"", at: start)
                unsafe copyShort(UnsafeRawBufferPointer(epoch), to: place)
                unsafe place = piece("\",\"seq\":", at: place + epoch.count)
                unsafe place = digits.signed(seq, at: place)
                unsafe place = piece(",\"t\":", at: place)
                return unsafe digits.milliseconds(time, &second, at: place)
            }
        }
        buffer.second = second
    }
}

/// The counts that the daemon publishes once a second.
package struct Heartbeat: Hashable, Sendable {
    package var uptimeSeconds = 0.0
    package var sessions = 0
    /// The number of sessions in which something moves.
    package var moving = 0
    /// Since the start, like the next two.
    package var events = 0
    package var rejected = 0
    package var updates = 0
    /// Nil: the daemon belongs to no cluster.
    package var member: Member?

    /// A member of a cluster, as it tells of itself.
    package struct Member: Hashable, Sendable {
        package var name: String
        /// How many shards it owns.
        package var shards: Int
        /// Whether it may acknowledge anything now.
        package var isLeased: Bool

        package init(name: String, shards: Int, isLeased: Bool) {
            self.name = name
            self.shards = shards
            self.isLeased = isLeased
        }
    }

    package init() {}
}
