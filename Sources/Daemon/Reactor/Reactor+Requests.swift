import Geometry
import Interactions
import Notation
import Protocol
import ZeroMQ

/// Requests from their frames to their operations, and the replies that the reactor writes itself.
extension Reactor {
    /// Reads one round's requests, unless a lane is behind or too many are unanswered.
    func readRequests() throws(ZeroMQError) {
        let haveRoom = unanswered.haveRoom && work.haveRoom
        polling.setReadsRequests(haveRoom)
        guard haveRoom, polling.isReady(.control) else { return }
        var bytes = 0
        for _ in 0..<Limits.roundMessagesMax / Limits.requestsAtOnceMax {
            while requests.count < Limits.requestsAtOnceMax, bytes < Limits.roundBytesMax,
                let frames = try sockets.control.receiveMessage(framesMax: 4, by: &frame)
            {
                requests.append(frames)
                bytes += frames.reduce(0) { $0 + $1.count }
            }
            let isLast = requests.count < Limits.requestsAtOnceMax || bytes >= Limits.roundBytesMax
            // A peer's subscriptions before its request are in force before the answer.
            if !requests.isEmpty { try readSubscriptions() }
            for frames in requests { perform(frames) }
            requests.removeAll(keepingCapacity: true)
            if isLast { return }
        }
    }

    /// Performs one request; whatever is wrong with it is answered.
    private func perform(_ frames: [[UInt8]]) {
        counters.add(.requests)
        unanswered.addRequest()
        var envelope = Envelope(
            identity: frames[0], hasDelimiter: frames.count > 1 && frames[1].isEmpty)
        let isWhole = frames.count == (envelope.hasDelimiter ? 3 : 2)
        guard isWhole, let text = frames.last else {
            let fields = frames.last.flatMap { try? RequestFields($0) }
            envelope.id = fields.flatMap { try? $0.id() }
            let rejection = Rejection(
                .badFrames, "a request is one frame, with at most an empty one before it")
            refuse(envelope, rejection)
            return
        }
        do throws(Rejection) {
            let fields = try RequestFields(text)
            envelope.id = try fields.id()
            try ControlRequests.submit(fields, envelope, to: self)
        } catch {
            refuse(envelope, error)
        }
    }

    private func refuse(_ envelope: Envelope, _ rejection: Rejection) {
        let chunk = outbox.chunk()
        chunk.refuse(envelope, rejection)
        outbox.post(chunk)
    }

    /// Answers at once, with the members that `write` appends.
    func answer(_ envelope: Envelope, _ write: (inout ByteBuffer) -> Void) {
        let chunk = outbox.chunk()
        chunk.reply(to: envelope, write)
        outbox.post(chunk)
    }
}

extension Limits {
    /// Requests that are read together, before the subscriptions that came before them are.
    static let requestsAtOnceMax = 16
}
