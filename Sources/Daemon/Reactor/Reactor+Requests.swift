import Geometry
import Interactions
import Notation
import Protocol
import Synchronization
import ZeroMQ

/// Requests from their frames to their operations, and the replies that the reactor writes itself.
extension Reactor {
    /// Reads one round's requests, unless a lane is behind or too many are unanswered.
    func readRequests() throws(ZeroMQError) {
        let haveRoom = unanswered.haveRoom && work.haveRoom
        let isChanged = polling.readsRequests != haveRoom
        polling.setReadsRequests(haveRoom)
        guard haveRoom else { return }
        guard polling.isReady(.control) else {
            if !isChanged { traffic.requests.wrappingAdd(PeerTraffic.emptied, ordering: .relaxed) }
            return
        }
        var bytes = 0
        var received = 0
        defer { traffic.bytes.wrappingAdd(received, ordering: .relaxed) }
        if polling.isMidRequest {
            polling.isMidRequest = try !skipRest(of: sockets.control, received: &received)
            guard !polling.isMidRequest else { return }
        }
        for _ in 0..<Limits.roundMessagesMax / Limits.requestsAtOnceMax {
            var isEmpty = false
            while requests.count < Limits.requestsAtOnceMax, bytes < Limits.roundBytesMax,
                !polling.isMidRequest
            {
                guard let request = try readRequest(received: &received) else {
                    isEmpty = true
                    break
                }
                bytes += request.frames.reduce(0) { $0 + $1.count }
                requests.append(request)
            }
            traffic.requests.wrappingAdd(
                requests.count + (isEmpty ? PeerTraffic.emptied : 0), ordering: .relaxed)
            let isLast = requests.count < Limits.requestsAtOnceMax || bytes >= Limits.roundBytesMax
            // A peer's subscriptions before its request are in force before the answer.
            if !requests.isEmpty { try readSubscriptions() }
            for request in requests { perform(request) }
            requests.removeAll(keepingCapacity: true)
            if isLast { return }
        }
    }

    /// Reads one request: its frames, and the descriptor of its connection. Nil: there is none.
    private func readRequest(
        received: inout Int
    ) throws(ZeroMQError) -> ReceivedRequest? {
        guard try sockets.control.receive(into: &frame) else { return nil }
        // The first frame is the identity that the socket gives a peer.
        var request = ReceivedRequest(frames: [frame.bytes])
        while frame.hasMore, try sockets.control.receive(into: &frame) {
            received += traffic.bytes(of: frame)
            if request.frames.count == 1 {
                request.descriptor = frame.descriptor
                if clients.areLimited { request.client = frame.client }
            }
            request.frames.append(frame.bytes)
            if request.frames.count == Limits.requestFramesMax, frame.hasMore {
                polling.isMidRequest = try !skipRest(of: sockets.control, received: &received)
                break
            }
        }
        if traffic.isAuditing.load(ordering: .relaxed) { traffic.note(request.descriptor) }
        return request
    }

    /// Performs one request; whatever is wrong with it is answered.
    private func perform(_ request: ReceivedRequest) {
        let frames = request.frames
        counters.add(.requests)
        unanswered.addRequest()
        outbox.unreachable.remove(frames[0])
        var (envelope, text) = Envelope.split(frames)
        envelope.descriptor = request.descriptor
        envelope.client = request.client
        if clients.areLimited {
            envelope.connection = Envelope.connection(of: frames[0], request.descriptor)
        }
        guard let text else {
            let fields = frames.last.flatMap { try? RequestFields($0) }
            envelope.id = fields.flatMap { try? $0.id() }
            let rejection = Rejection(
                .badFrames,
                "a request is one frame; before it at most \(Limits.envelopeFramesMax) frames with "
                    + "\(Limits.envelopeBytesMax) bytes, the last one empty")
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

/// A request as it was read.
struct ReceivedRequest {
    var frames: [[UInt8]]
    /// The descriptor of its connection; −1: unknown.
    var descriptor: CInt = -1
    /// The client's number; −1: it has shown no key, or nobody is limited.
    var client = -1
}

extension Limits {
    /// Requests that are read together, before the subscriptions that came before them are.
    static let requestsAtOnceMax = 16
    /// Frames of a request that are kept: its identity, its envelope, the empty one, its text, and
    /// one that shows that there are too many.
    static let requestFramesMax = envelopeFramesMax + 3
}
