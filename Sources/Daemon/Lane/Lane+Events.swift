import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions

extension Lane {
    /// Does a batch's work in order.
    func perform(_ batch: Batch, _ moment: Moment) {
        unsafe batch.bytes.withUnsafeBytes { bytes in
            for work in batch.work {
                switch work {
                case .event(let topic, let body, let hash, let isWhole):
                    let frames = unsafe Frames(
                        topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]),
                        hash: hash)
                    if isWhole {
                        _ = receive(frames, isReported: true, moment)
                    } else {
                        refuseParts(frames, moment)
                    }
                case .acknowledgedEvent(let envelope, let topic, let body):
                    let frames = unsafe Frames(
                        topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]))
                    let receipt = receive(frames, isReported: false, moment)
                    answer(envelope, receipt, of: envelope.publishes ?? "")
                case .request(let envelope, let request):
                    request.perform(on: self, answering: envelope, at: moment)
                case .interest(let session, let channels):
                    setInterest(channels, of: session)
                case .broadInterest(let channels): broadInterest = channels
                case .barrier(let trip): pass(trip)
                case .answer(let session, let prefix):
                    answerSubscription(prefix, session: session, moment)
                }
                sink.postIfLarge()
            }
        }
    }

    /// An event's two frames where they were received; valid while the batch is performed.
    @safe
    struct Frames {
        let topic: UnsafeRawBufferPointer
        let body: UnsafeRawBufferPointer
        /// Of the topic's session.
        let hash: StableHash

        init(
            topic: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, hash: StableHash? = nil
        ) {
            unsafe self.topic = topic
            unsafe self.body = body
            self.hash = unsafe hash ?? Topic.session(in: topic)?.hash ?? StableHash()
        }
    }

    /// What a publisher that waits for an answer is told.
    enum Receipt {
        case applied
        case duplicate
        case refused(Rejection)
    }

    private func answer(_ envelope: Envelope, _ receipt: Receipt, of session: String) {
        switch receipt {
        case .applied: answerWhenDurable(envelope, .done, of: session)
        case .duplicate: answerWhenDurable(envelope, .duplicate, of: session)
        case .refused(let rejection): sink.chunk.refuse(envelope, rejection)
        }
    }

    /// Decodes and applies one event; what is refused is counted and, if asked, reported.
    private func receive(_ frames: Frames, isReported: Bool, _ moment: Moment) -> Receipt {
        let topic: Topic
        let resident: ActiveSession?
        do throws(Rejection) {
            (topic, resident) = try find(frames)
        } catch {
            return refuse(error, frames, nil, isReported, moment)
        }
        let reception: Session.Reception
        do throws(DecodingFailure) {
            let event = try unsafe decoder.decode(topic: topic, body: frames.body)
            reception = receive(event, of: topic.session, resident, moment)
        } catch {
            let contact = error.contact(topic)
            reception =
                resident?.session.refuse(contact, with: error.rejection)
                ?? refuseWithoutSession(contact?.of(session: topic.session), with: error.rejection)
        }
        switch reception {
        case .applied:
            counters.add(.applied)
            return .applied
        case .duplicate:
            counters.add(.duplicates)
            // One that was parked is back by then.
            if isReported { report(.duplicate, frames, residents[topic.session], moment) }
            return .duplicate
        case .refused(let rejection):
            return refuse(rejection, frames, residents[topic.session], isReported, moment)
        case .suppressed(let rejection):
            counters.add(.suppressed)
            return refuse(rejection, frames, nil, false, moment)
        }
    }

    /// The topic of an event, and its session where that is open.
    private func find(_ frames: Frames) throws(Rejection) -> (Topic, ActiveSession?) {
        let parts: TopicParts
        do throws(TopicError) {
            parts = try unsafe TopicParts(frames.topic)
        } catch {
            throw Rejection(error)
        }
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.session])
        let resident = unsafe residents[name, frames.hash]
        let component = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.component])
        let topic = unsafe parts.topic(
            frames.topic, session: resident?.session.id,
            component: resident?.session.scene.longID(component))
        return (topic, resident)
    }

    private func receive(
        _ event: Event, of session: String, _ resident: ActiveSession?, _ moment: Moment
    ) -> Session.Reception {
        guard let resident else { return receiveFirst(event, of: session, moment) }
        if case .notification = event.payload, !mayChangeCounts(of: resident) {
            return .refused(Self.nothingStored)
        }
        if case .close = event.payload, !mayRemove { return .refused(Self.nothingStored) }
        let reception = receive(event, in: resident, moment)
        if reception == .applied, case .close = event.payload { drop(resident, .closed) }
        return reception
    }

    /// The first event of a session opens it, unless it is refused: so it is tried before.
    private func receiveFirst(
        _ event: Event, of session: String, _ moment: Moment
    ) -> Session.Reception {
        let contact = Contact(event)?.of(session: session)
        if let contact, let first = refusedWithoutSession.judge(contact) {
            return .suppressed(first)
        }
        do throws(Rejection) {
            if let restored = try find(session, moment) {
                return receive(event, of: session, restored, moment)
            }
            let made = makeSession(session, try firstScene(of: event, session), at: moment)
            let reception = receive(event, in: made, moment)
            if case .refused(let rejection) = reception { throw rejection }
            if reception == .applied { try keep(made) }
            return reception
        } catch {
            // What cannot come back can be closed all the same.
            if case .close = event.payload, mayRemove, forget(session) { return .applied }
            return refuseWithoutSession(contact, with: error)
        }
    }

    private func receive(
        _ event: Event, in resident: ActiveSession, _ moment: Moment
    ) -> Session.Reception {
        let jumped = resident.session.advance(to: resident.clock(at: moment.step))
        if jumped > 0 { counters.add(.stepsJumped, jumped) }
        let received = resident.milliseconds(at: moment.now, grid: settings.grid)
        let reception = resident.session.receive(event, received: received)
        switch reception {
        case .applied:
            resident.touch(at: moment.step)
            touch(resident)
        case .refused:
            // A contact that is given up ends with the next step, so the session is looked at then.
            touch(resident)
        case .duplicate, .suppressed: break
        }
        return reception
    }

    /// Refuses what would have opened a session; the rest of such a contact is suppressed as well.
    private func refuseWithoutSession(
        _ contact: Contact?, with rejection: Rejection
    ) -> Session.Reception {
        guard let contact else { return .refused(rejection) }
        if let first = refusedWithoutSession.judge(contact) { return .suppressed(first) }
        if contact.phase == .began { refusedWithoutSession.insert(contact, rejection) }
        return .refused(rejection)
    }

    /// The scene of a session that opens by this event.
    private func firstScene(of event: Event, _ session: String) throws(Rejection) -> Scene {
        switch event.payload {
        case .open(let reference): return try scene(reference)
        case .close: throw .unknown(session: session)
        case .gesture, .command, .notification: break
        }
        guard let name = settings.autoOpen else { throw .unknown(session: session) }
        return try scene(.named(name))
    }

    func scene(_ reference: SceneReference) throws(Rejection) -> Scene {
        switch reference {
        case .inline(let scene): return scene
        case .named(let name):
            guard let scene = settings.scenes[name] else {
                throw Rejection(.unknownScene, "there is no scene \"\(name)\"")
            }
            return scene
        }
    }
}

// MARK: - Refusals

extension Lane {
    /// Refuses a message that is not made of two frames.
    private func refuseParts(_ frames: Frames, _ moment: Moment) {
        let session = (try? unsafe Topic(frames.topic))?.session
        let rejection = Rejection(.badFrames, "an event has two frames: topic and body")
        _ = refuse(rejection, frames, session.flatMap { residents[$0] }, true, moment)
    }

    private func refuse(
        _ rejection: Rejection, _ frames: Frames, _ resident: ActiveSession?, _ isReported: Bool,
        _ moment: Moment
    ) -> Receipt {
        counters.add(.rejected)
        if isReported { report(rejection, frames, resident, moment) }
        return .refused(rejection)
    }

    /// Publishes a rejection, within its session's bound and everybody's.
    private func report(
        _ rejection: Rejection, _ frames: Frames, _ resident: ActiveSession?, _ moment: Moment
    ) {
        if let resident, resident.isOpen {
            resident.session.advance(to: resident.clock(at: moment.step))
            touch(resident)
            guard resident.session.mayReport(), budget.take(at: moment.now) else {
                counters.add(.rejectionsUntold)
                return
            }
            resident.session.report(note(frames.report(rejection)))
        } else {
            guard nowhereLimits.take(frames.session, at: moment.now), budget.take(at: moment.now)
            else {
                counters.add(.rejectionsUntold)
                return
            }
            sink.nowhere(note(frames.report(rejection)))
        }
    }

    /// Remembers for the log what is told of, which is bounded.
    private func note(_ report: RejectionReport) -> RejectionReport {
        if report.rejection.code != .duplicate {
            rejectionLog.note(report.rejection, topic: report.topic)
        }
        return report
    }
}

extension Scene {
    /// The id of a component whose bytes these are, if it is one of those that a new text of them
    /// would allocate for; shorter ones are kept in the text's own place.
    fileprivate func longID(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count > 15 else { return nil }
        return components.first { unsafe $0.id.isMade(of: bytes) }?.id
    }
}

extension Lane.Frames {
    /// The session that the topic names, be it wrong otherwise.
    fileprivate var session: StableHash? { unsafe Topic.session(in: topic)?.hash }

    func report(_ rejection: Rejection) -> RejectionReport {
        let topic = unsafe Update.excerpt(
            of: RawSpan(_unsafeBytes: topic), bytesMax: Limits.topicBytesMax)
        let excerpt = unsafe Update.excerpt(
            of: RawSpan(_unsafeBytes: body), bytesMax: Limits.excerptBytesMax)
        return RejectionReport(rejection, topic: topic, excerpt: excerpt)
    }
}
