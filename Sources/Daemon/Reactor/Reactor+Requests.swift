import Codec
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
        let haveRoom = unanswered.haveRoom && work.haveRoom && !outbox.isFull
        let isChanged = polling.readsRequests != haveRoom
        polling.setReadsRequests(haveRoom)
        guard haveRoom else { return }
        guard polling.isReady(.control) else {
            if !isChanged { traffic.requests.wrappingAdd(PeerTraffic.emptied, ordering: .relaxed) }
            return
        }
        let began = Clock.monotonic()
        var bytes = 0
        var received = 0
        defer { traffic.bytes.wrappingAdd(received, ordering: .relaxed) }
        if polling.isMidRequest {
            polling.isMidRequest = try !skipRest(of: sockets.control, received: &received)
            traffic.connections.read.add(received, on: frames.frame.descriptor)
            guard !polling.isMidRequest else { return }
        }
        for _ in 0..<Limits.roundMessagesMax / Limits.requestsAtOnceMax {
            var isEmpty = false
            while !isEmpty, round.requests.count < Limits.requestsAtOnceMax,
                round.bytes.count < Limits.requestBytesAtOnceMax,
                bytes + round.bytes.count < Limits.roundBytesMax,
                received < Limits.droppedRoundBytesMax, !polling.isMidRequest
            {
                isEmpty = try !readRequest(received: &received)
            }
            bytes += round.bytes.count
            let count = round.requests.count
            traffic.requests.wrappingAdd(
                count + (isEmpty ? PeerTraffic.emptied : 0), ordering: .relaxed)
            // A peer's subscriptions before its request are in force before the answer.
            if count > 0 { try readSubscriptions() }
            for index in 0..<count { perform(round.requests[index]) }
            round.removeAll()
            if isEmpty || polling.isMidRequest || bytes >= Limits.roundBytesMax
                || received >= Limits.droppedRoundBytesMax || !mayReadMoreRequests(since: began)
            {
                return
            }
        }
    }

    /// Whether a round that has performed as many requests as are read together goes on with more.
    private func mayReadMoreRequests(since began: Int) -> Bool {
        unanswered.haveRoom && work.haveRoomForMore && !outbox.isFull
            && Clock.monotonic() - began < Limits.requestsMicrosecondsMax * 1_000
    }

    /// Reads one request: its frames, and the descriptor of its connection. False: there is none.
    private func readRequest(received: inout Int) throws(ZeroMQError) -> Bool {
        guard try sockets.control.receive(into: &frames.frame) else { return false }
        round.begin()
        unsafe frames.frame.withBytes { unsafe round.append($0) }
        let before = received
        var descriptor: CInt = -1
        var count = 1
        while frames.frame.hasMore, try sockets.control.receive(into: &frames.frame) {
            received += traffic.bytes(of: frames.frame)
            if count == 1 {
                descriptor = frames.frame.descriptor
                let sender = clients.areLimited ? frames.frame.sender : nil
                round.note(
                    descriptor: descriptor, client: sender?.client ?? -1,
                    handshake: sender?.number ?? 0)
            }
            let isTaken = round.large.take(
                frames.frame.count, of: descriptor, at: Clock.monotonic())
            unsafe frames.frame.withBytes { bytes in
                if isTaken {
                    unsafe round.append(bytes)
                } else {
                    unsafe round.appendBeginning(bytes)
                }
            }
            count += 1
            if count == Limits.requestFramesMax, frames.frame.hasMore {
                polling.isMidRequest = try !skipRest(of: sockets.control, received: &received)
                break
            }
        }
        if traffic.isAuditing.load(ordering: .relaxed) { traffic.note(descriptor) }
        traffic.connections.read.add(received - before, on: descriptor)
        return true
    }

    /// Performs one request; whatever is wrong with it is answered.
    private func perform(_ request: ReceivedRequest) {
        counters.add(.requests)
        unanswered.addRequest()
        var (envelope, text) = round.split(request)
        outbox.unreachable.remove(envelope.identity)
        if clients.areLimited {
            let found = unsafe envelope.withIdentity {
                unsafe Envelope.connection(of: $0, request.descriptor)
            }
            envelope.connection = sockets.handshakes.chosen.connection(
                ofHandshake: request.handshake, found: found)
        }
        guard let text else {
            let fields = try? RequestFields(round.lastFrame(of: request))
            envelope.id = fields.flatMap { try? $0.id() }
            let rejection = Rejection(
                .badFrames,
                "a request is one frame; before it at most \(Limits.envelopeFramesMax) frames with "
                    + "\(Limits.envelopeBytesMax) bytes, the last one empty")
            refuse(envelope, rejection)
            return
        }
        if request.isDropped {
            envelope.id = RequestFields.id(inBeginning: round.bytes.array(text))
            counters.add(.requestsDropped)
            return refuse(
                envelope, Rejection(.busy, "too many large requests came; send it again later"))
        }
        unsafe round.bytes.withUnsafeBytes(text) { unsafe perform($0, &envelope) }
    }

    private func perform(_ text: UnsafeRawBufferPointer, _ envelope: inout Envelope) {
        do throws(Rejection) {
            if let publish = unsafe PlainPublish(text) {
                envelope.id = publish.id
                let topic = unsafe UnsafeRawBufferPointer(rebasing: text[publish.topic])
                let body = unsafe UnsafeRawBufferPointer(rebasing: text[publish.body])
                try permit(unsafe PublishRequest.right(for: topic), to: envelope.client)
                try unsafe self.publish(topic, body, answering: envelope)
            } else {
                let fields = try fields(of: unsafe Array(text), &envelope)
                try ControlRequests.submit(fields, envelope, to: self)
            }
        } catch {
            refuse(envelope, error)
        }
    }

    /// The members of a request, with its id noted. A text that is none may still say which request
    /// it was meant to be.
    private func fields(
        of text: [UInt8], _ envelope: inout Envelope
    ) throws(Rejection) -> RequestFields {
        do throws(Rejection) {
            let fields = try RequestFields(text)
            envelope.id = try fields.id()
            return fields
        } catch {
            let beginning = text.prefix(Limits.droppedRequestBytesMax)
            envelope.id = RequestFields.id(inBeginning: Array(beginning))
            throw error
        }
    }

    /// Throws where a client may not ask for something; everybody may who is not limited.
    func permit(_ right: @autoclosure () -> RequestRight, to client: Int) throws(Rejection) {
        guard client >= 0, let refusal = clients.refusal(of: right(), for: client) else { return }
        countUnauthorized(client)
        throw refusal
    }

    /// Hands a publish to the lane of its session.
    func publish(
        _ topic: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer,
        answering envelope: Envelope
    ) throws(Rejection) {
        let name: Range<Int>
        do throws(TopicError) {
            name = try unsafe TopicParts(topic).session
        } catch {
            // No lane is its own: it counts here as there.
            counters.add(.events)
            counters.add(.rejected)
            throw Rejection(error)
        }
        let session = unsafe UnsafeRawBufferPointer(rebasing: topic[name])
        let key = work.choice.key(of: unsafe RawSpan(_unsafeBytes: session))
        try unanswered.addPublish(of: key)
        if traffic.tap.isOn {
            let name = senderName(
                client: envelope.client, descriptor: envelope.descriptor, host: nil)
            unsafe traffic.tap.note(topic, body, from: name)
        }
        var envelope = envelope
        envelope.publishes = key
        counters.add(.events)
        if work.cluster == nil {
            unsafe work.add(
                topic: topic, body: body, answering: envelope,
                publisher: clients.publisher(envelope.client), to: work.choice.lane(of: key))
        } else {
            place(
                unsafe .publish(envelope, topic: Array(topic), body: Array(body)),
                of: unsafe String(decoding: session, as: UTF8.self))
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
    /// Microseconds that the reactor reads and answers requests before it sends, and looks at the
    /// other sockets: an eighth of a frame. It goes on in the next round.
    static let requestsMicrosecondsMax = 2_000
}
