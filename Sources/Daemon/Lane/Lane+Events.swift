import Codec
import Geometry
import Gestures
import Interactions
import Protocol
import Sessions

extension Lane {
    /// Does a batch's work in order.
    func perform(_ batch: Batch, _ moment: Moment) {
        unsafe batch.bytes.withUnsafeBytes { bytes in
            for work in batch.work {
                switch work {
                case .event(let topic, let body, let hash, let isWhole):
                    let frames = unsafe EventIntake.Frames(
                        topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]),
                        hash: hash)
                    if isWhole {
                        _ = receive(frames, isReported: true, moment)
                    } else {
                        refuseParts(frames, moment)
                    }
                case .acknowledgedEvent(let envelope, let topic, let body):
                    let frames = unsafe EventIntake.Frames(
                        topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]))
                    let receipt = receive(frames, isReported: false, moment)
                    answer(envelope, receipt, of: envelope.publishes ?? "")
                case .request(let envelope, let request):
                    request.perform(on: self, answering: envelope, at: moment)
                case .interest(let session, let channels):
                    setInterest(channels, of: session)
                case .broadInterest(let channels): interests.broad = channels
                case .barrier(let barrier): pass(barrier)
                case .answer(let session, let prefix):
                    answerSubscription(prefix, session: session, moment)
                }
                sink.postIfLarge()
            }
        }
    }

    private func answer(
        _ envelope: Envelope, _ receipt: EventIntake.Receipt, of session: String
    ) {
        switch receipt {
        case .applied: answerWhenDurable(envelope, .done, of: session)
        case .duplicate: answerWhenDurable(envelope, .duplicate, of: session)
        case .refused(let rejection): sink.chunk.refuse(envelope, rejection)
        }
    }

    /// Decodes and applies one event; a refused one is counted and, if asked, reported.
    private func receive(
        _ frames: EventIntake.Frames, isReported: Bool, _ moment: Moment
    ) -> EventIntake.Receipt {
        let topic: Topic
        let open: ActiveSession?
        do throws(Rejection) {
            (topic, open) = try find(frames)
        } catch {
            counters.add(.rejected)
            if isReported { report(error, of: frames, nil, at: moment) }
            return .refused(error)
        }
        let reception: Session.Reception
        do throws(DecodingFailure) {
            let event = try unsafe intake.decoder.decode(topic: topic, body: frames.body)
            reception = receive(event, of: topic.session, open, at: moment)
        } catch {
            reception = receiveUndecodable(
                error.contact(topic), error.rejection, of: topic.session, open)
        }
        if isReported { report(reception, of: frames, session: topic.session, at: moment) }
        switch reception {
        case .applied:
            counters.add(.applied)
            return .applied
        case .duplicate:
            counters.add(.duplicates)
            return .duplicate
        case .refused(let rejection):
            counters.add(.rejected)
            return .refused(rejection)
        case .suppressed(let rejection):
            counters.add(.suppressed)
            counters.add(.rejected)
            return .refused(rejection)
        }
    }

    /// The topic of an event, and its session where that is open. It makes no text of a name that
    /// the session has already.
    private func find(
        _ frames: EventIntake.Frames
    ) throws(Rejection) -> (Topic, ActiveSession?) {
        let parts: TopicParts
        do throws(TopicError) {
            parts = try unsafe TopicParts(frames.topic)
        } catch {
            throw Rejection(error)
        }
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.session])
        let open = unsafe activeSessions[name, frames.hash]
        let component = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.component])
        let topic = unsafe parts.topic(
            frames.topic, session: open?.session.id,
            component: open?.longComponentID(component))
        return (topic, open)
    }

    /// Refuses a message that is not made of two frames.
    private func refuseParts(_ frames: EventIntake.Frames, _ moment: Moment) {
        let session = (try? unsafe Topic(frames.topic))?.session
        let rejection = Rejection(.badFrames, "an event has two frames: topic and body")
        counters.add(.rejected)
        report(rejection, of: frames, session.flatMap { activeSessions[$0] }, at: moment)
    }
}
