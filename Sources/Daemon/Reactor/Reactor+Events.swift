import Codec
import Geometry
import Notation
import Protocol
import Sessions
import ZeroMQ

/// Events from their frames to the batches of their lanes. Lanes decode them, the reactor does not.
extension Reactor {
    /// Reads one round's events, unless a lane is behind: then publishers wait.
    func readEvents() throws(ZeroMQError) {
        let haveRoom = work.haveRoom
        if polling.setReadsEvents(haveRoom), !haveRoom { counters.add(.pauses) }
        guard haveRoom, polling.isReady(.events) else { return }
        var count = 0
        var bytes = 0
        while count < Limits.roundMessagesMax, bytes < Limits.roundBytesMax,
            try sockets.events.receive(into: &frame)
        {
            count += 1
            bytes += try readEvent()
        }
        counters.add(.events, count)
    }

    /// Reads the message whose first frame has just been received; returns the bytes that it keeps.
    private func readEvent() throws(ZeroMQError) -> Int {
        let hash = unsafe frame.withBytes { bytes in unsafe Topic.session(in: bytes)?.hash }
        // A bad topic has no lane of its own; the first lane refuses it.
        let lane = hash.map(work.lane) ?? 0
        let topicStart = work.end(of: lane)
        work.append(frame, atMost: Name.topicBytesMax, to: lane)
        let bodyStart = work.end(of: lane)
        var frames = 1
        while frame.hasMore, try sockets.events.receive(into: &frame) {
            frames += 1
            if frames == 2 { work.append(frame, atMost: Limits.bodyBytesMax, to: lane) }
        }
        let end = work.end(of: lane)
        work.add(
            .event(
                topic: topicStart..<bodyStart, body: bodyStart..<end, hash: hash ?? StableHash(),
                isWhole: frames == 2),
            to: lane, isEvent: true)
        return end - topicStart
    }
}

extension Limits {
    /// Messages that the reactor reads in one round, of each socket, before it does anything else.
    static let roundMessagesMax = 512
    /// Bytes of events that the reactor reads in one round: a large body is at most one of many.
    static let roundBytesMax = 1024 * 1024
}
