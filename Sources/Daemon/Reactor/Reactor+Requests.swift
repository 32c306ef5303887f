import Geometry
import Interactions
import Notation
import Protocol

/// Requests from their frames to their operations, and the replies that the reactor writes itself.
extension Reactor {
    /// Takes one request with its envelope; whatever is wrong with it is answered.
    func receive(_ frames: [[UInt8]]) {
        counters.add(.requests)
        requestsWaiting += 1
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

    /// Adds an event that came by a request to the next batch of its session's lane.
    func addEvent(
        topic: String, body: ArraySlice<UInt8>, of session: String, acknowledgedTo: Envelope
    ) {
        let lane = lane(for: StableHash(session))
        let start = batches[lane].bytes.count
        batches[lane].bytes += topic.utf8
        let middle = batches[lane].bytes.count
        batches[lane].bytes += body
        let end = batches[lane].bytes.count
        counters.add(.events)
        add(
            .acknowledgedEvent(acknowledgedTo, topic: start..<middle, body: middle..<end), to: lane,
            isEvent: true)
    }
}
