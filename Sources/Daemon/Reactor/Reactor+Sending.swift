import Protocol
import ZeroMQ

/// Chunks and completions of lanes and store, on their way to the sockets.
extension Reactor {
    /// Sends everything that was posted, in its order, then runs the completions.
    func sendOutgoing() throws(ZeroMQError) {
        outbox.exchange(with: &outgoing)
        for chunk in outgoing.chunks {
            for record in chunk.records { try send(record, of: chunk) }
            outbox.recycle(chunk)
        }
        for completion in outgoing.completions { completion() }
        outgoing.removeAll()
    }

    private func send(_ record: Chunk.Record, of chunk: Chunk) throws(ZeroMQError) {
        switch record.destination {
        case .update(let topicEnd):
            try sockets.sendUpdate(chunk.bytes, record.range, topicEnd: topicEnd)
        case .reply(let envelope):
            try reply(envelope, chunk.bytes, record.range)
        case .nowhere(let report):
            try ownUpdates.sendRejection(report, counters, to: sockets)
        case .barrier(let barrier): complete(barrier)
        }
    }

    private func reply(
        _ envelope: Envelope, _ buffer: borrowing ByteBuffer, _ range: Range<Int>
    ) throws(ZeroMQError) {
        unanswered.remove(envelope)
        do throws(ZeroMQError) {
            guard try sockets.control.send(envelope.identity, more: true) else {
                counters.add(.repliesDropped)
                return
            }
        } catch  where error.isHostUnreachable {
            // The peer has gone; its answer goes with it.
            counters.add(.repliesUnroutable)
            return
        }
        if envelope.hasDelimiter { _ = try sockets.control.send([], more: true) }
        _ = try unsafe buffer.withUnsafeBytes(range) { bytes throws(ZeroMQError) in
            try unsafe sockets.control.send(bytes)
        }
    }
}

extension Sockets {
    /// Sends an update's two frames: the topic, and the body behind it.
    func sendUpdate(
        _ buffer: borrowing ByteBuffer, _ range: Range<Int>, topicEnd: Int
    ) throws(ZeroMQError) {
        // A slow subscriber's pipe drops what does not fit; an XPUB refuses nothing.
        _ = try unsafe buffer.withUnsafeBytes(range.lowerBound..<topicEnd) {
            bytes throws(ZeroMQError) in
            try unsafe updates.send(bytes, more: true)
        }
        _ = try unsafe buffer.withUnsafeBytes(topicEnd..<range.upperBound) {
            bytes throws(ZeroMQError) in
            try unsafe updates.send(bytes)
        }
    }
}
