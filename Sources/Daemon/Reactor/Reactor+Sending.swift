import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Security
import Synchronization
import ZeroMQ

/// Chunks and completions of lanes and store, on their way to the sockets.
extension Reactor {
    /// Sends everything that was posted, in its order, then runs the completions.
    func sendOutgoing() throws(ZeroMQError) {
        // After a pause of this process the sessions may be another member's.
        let isLost = work.cluster?.driver.confirmLease() ?? false
        outbox.exchange(with: &outgoing)
        if traffic.lateReaders.areAny {
            subscriptions.tell(traffic.lateReaders, at: Clock.monotonic())
        }
        let began = outgoing.chunks.isEmpty ? 0 : Clock.monotonic()
        var bytes = 0
        for chunk in outgoing.chunks {
            bytes += chunk.bytes.count
            if isLost { chunk.dropOwners() }
            traffic.updateBytes.wrappingAdd(chunk.updateBytes, ordering: .relaxed)
            outbox.updatesSent.wrappingAdd(chunk.updateCount, ordering: .relaxed)
            if traffic.lateReaders.areAny { traffic.lateReaders.count(chunk) }
            try send(chunk)
            countFrames(chunk.frameDues)
            outbox.recycle(chunk)
        }
        if bytes > 0 {
            outbox.noteSent(bytes: bytes, nanoseconds: Clock.monotonic() - began)
        }
        for completion in outgoing.completions { completion() }
        outgoing.removeAll()
    }

    /// Counts the frames that have just been sent, and those of them that came late.
    private func countFrames(_ dues: [Int]) {
        guard !dues.isEmpty else { return }
        let latest = Clock.monotonic() - Step(1).nanoseconds
        counters.add(.frames, dues.count)
        counters.add(.framesLate, dues.count { $0 < latest })
    }

    private func send(_ chunk: Chunk) throws(ZeroMQError) {
        var index = 0
        while index < chunk.records.count {
            index = try sockets.sendUpdates(
                of: chunk, from: index, counting: &subscriptions.samples, in: outbox)
            guard index < chunk.records.count else { return }
            try sendOther(chunk.records[index], of: chunk)
            index += 1
        }
    }

    private func sendOther(_ record: Chunk.Record, of chunk: Chunk) throws(ZeroMQError) {
        guard case .other(let place) = record.content else { return }
        switch chunk.others[place] {
        case .reply(let envelope): try reply(envelope, chunk.bytes, record.range)
        case .nowhere(let report): try ownUpdates.sendRejection(report, counters, to: sockets)
        case .barrier(let barrier): complete(barrier)
        }
    }

    private func reply(
        _ envelope: Envelope, _ buffer: borrowing ByteBuffer, _ range: Range<Int>
    ) throws(ZeroMQError) {
        unanswered.remove(envelope)
        try sendReply(envelope, buffer, range)
    }

    private func sendReply(
        _ envelope: Envelope, _ buffer: borrowing ByteBuffer, _ range: Range<Int>
    ) throws(ZeroMQError) {
        let way = unanswered.replies.way(of: range.count, on: envelope.descriptor)
        if case .dropped = way {
            counters.add(.repliesDropped)
            guard range.count > Limits.replyBytesLarge else { return }
            return try tellOfDroppedReply(envelope)
        }
        if range.count >= Limits.pacedReplyBytesMin, traffic.isEncrypted,
            case .counted(let held, let cost) = way
        {
            return try pace(
                unsafe buffer.withUnsafeBytes(range) {
                    unsafe PacedReply(
                        envelope, Message(copying: $0, counting: cost, in: held),
                        since: Clock.monotonic())
                })
        }
        guard try sendBeginning(of: envelope, replyBytes: range.count) else { return }
        _ = try unsafe buffer.withUnsafeBytes(range) { bytes throws(ZeroMQError) in
            guard case .counted(let held, let cost) = way else {
                return try unsafe sockets.control.send(bytes)
            }
            var frame = unsafe Message(copying: bytes, counting: cost, in: held)
            return try sockets.control.send(&frame)
        }
    }

    /// Answers a request whose large reply had no room: for a small one there mostly is.
    private func tellOfDroppedReply(_ envelope: Envelope) throws(ZeroMQError) {
        var buffer = ByteBuffer(capacity: 256)
        Reply.failure(id: envelope.id, Self.replyDropped, into: &buffer)
        try sendReply(envelope, buffer, 0..<buffer.count)
    }

    private static let replyDropped = Rejection(
        .internal, "too many bytes of replies wait for this connection; read them, and ask again")

    /// Sends a large reply if it may leave now; otherwise it waits for its turn.
    private func pace(_ reply: PacedReply) throws(ZeroMQError) {
        if unanswered.paced.mayLeave(reply, at: reply.since) { return try send(reply) }
        counters.add(.repliesPaced)
        unanswered.paced.add(reply)
    }

    /// Sends the large replies whose time has come.
    func sendPaced() throws(ZeroMQError) {
        guard unanswered.paced.due < .max else { return }
        for _ in 0..<Limits.pacedRepliesAtOnce {
            guard let reply = unanswered.paced.next(at: Clock.monotonic()) else { return }
            try send(reply)
        }
    }

    /// Sends a reply that has waited for its turn.
    func send(_ reply: PacedReply) throws(ZeroMQError) {
        guard try sendBeginning(of: reply.envelope, replyBytes: reply.size) else { return }
        _ = try sockets.control.send(&reply.frame)
    }

    /// Sends the frames before a reply of so many bytes, which must follow. Returns false where the
    /// peer cannot have it.
    @inline(__always)
    private func sendBeginning(
        of envelope: Envelope, replyBytes: Int
    ) throws(ZeroMQError) -> Bool {
        guard envelope.isStillThere else {
            counters.add(.repliesUnroutable)
            return false
        }
        do throws(ZeroMQError) {
            let isTaken = try unsafe envelope.withIdentity { identity throws(ZeroMQError) in
                try unsafe sockets.control.send(identity, more: true)
            }
            guard isTaken else {
                counters.add(.repliesDropped)
                return false
            }
        } catch  where error.isHostUnreachable {
            // The peer has gone; its answer goes with it.
            outbox.unreachable.insert(envelope.identity)
            counters.add(.repliesUnroutable)
            return false
        }
        count(replyBytes, to: envelope)
        for frame in envelope.route {
            _ = try sockets.control.send(frame, more: true)
        }
        if envelope.hasDelimiter { _ = try sockets.control.send([], more: true) }
        return true
    }

    /// Counts a reply of so many bytes on its connection.
    @inline(__always)
    private func count(_ bytes: Int, to envelope: Envelope) {
        var accounted = bytes + Limits.replyFramingBytes
        var replied =
            traffic.bytes(ofFrame: bytes)
            + (envelope.hasDelimiter ? traffic.bytes(ofFrame: 0) : 0)
        for frame in envelope.route {
            accounted += frame.count + Limits.replyFramingBytes
            replied += traffic.bytes(ofFrame: frame.count)
        }
        traffic.connections.accounted.add(accounted, on: envelope.descriptor)
        traffic.connections.replied.add(replied, on: envelope.descriptor)
    }
}

extension Sockets {
    /// Sends the updates of a chunk from a record on; returns the first one that is no update. All
    /// in one call, for each call of the reactor's copies the sockets' names.
    func sendUpdates(
        of chunk: Chunk, from start: Int, counting samples: inout UpdateSamples,
        in outbox: Outbox
    ) throws(ZeroMQError) -> Int {
        for index in start..<chunk.records.count {
            let record = chunk.records[index]
            guard case .update(let topicEnd, _, let touchesBytes) = record.content else {
                return index
            }
            let count = samples.next(record.range.upperBound - topicEnd, in: outbox)
            try sendUpdate(
                chunk.bytes, record.range, topicEnd: topicEnd, touchesBytes: Int(touchesBytes),
                counting: count)
        }
        return chunk.records.count
    }

    /// Sends an update's two frames: the topic, and the body behind it.
    private func sendUpdate(
        _ buffer: borrowing ByteBuffer, _ range: Range<Int>, topicEnd: Int, touchesBytes: Int,
        counting count: UpdateSamples.Count?
    ) throws(ZeroMQError) {
        try Self.send(buffer, range, topicEnd: topicEnd, to: updates, counting: count)
        guard !groups.isEmpty else { return }
        for group in groups {
            let mayRead = unsafe buffer.withUnsafeBytes(range.lowerBound..<topicEnd) {
                unsafe group.mayRead($0)
            }
            guard mayRead else { continue }
            guard touchesBytes > 0, !group.key.touches else {
                try Self.send(buffer, range, topicEnd: topicEnd, to: group.socket, counting: count)
                continue
            }
            // A frame ends with the contacts, which these clients may not know.
            var rest = ByteBuffer(capacity: range.count)
            rest.append(buffer.array(range.lowerBound..<range.upperBound - 1 - touchesBytes))
            rest.append(UInt8(ascii: "}"))
            try Self.send(
                rest, 0..<rest.count, topicEnd: topicEnd - range.lowerBound, to: group.socket,
                counting: count)
        }
    }

    /// Sends an update's two frames to one socket of updates. With `count` it counts until all its
    /// subscribers have it.
    static func send(
        _ buffer: borrowing ByteBuffer, _ range: Range<Int>, topicEnd: Int,
        to socket: borrowing Socket, counting count: UpdateSamples.Count? = nil
    ) throws(ZeroMQError) {
        // A slow subscriber's pipe drops what does not fit; an XPUB refuses nothing.
        _ = try unsafe buffer.withUnsafeBytes(range.lowerBound..<topicEnd) {
            bytes throws(ZeroMQError) in
            try unsafe socket.send(bytes, more: true)
        }
        _ = try unsafe buffer.withUnsafeBytes(topicEnd..<range.upperBound) {
            bytes throws(ZeroMQError) in
            guard let count else { return try unsafe socket.send(bytes) }
            var frame = unsafe Message(copying: bytes, counting: count.cost, in: count.held)
            return try socket.send(&frame)
        }
    }
}
