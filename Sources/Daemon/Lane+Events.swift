import Gestures
import Interactions
import Sessions
import Wire

extension Lane {
    /// Does a batch's work in order.
    func perform(_ batch: Batch, _ moment: Moment) {
        unsafe batch.bytes.withUnsafeBytes { bytes in
            for work in batch.work {
                switch work {
                case .event(let topic, let body):
                    let frames = unsafe Frames(
                        topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]))
                    _ = receive(frames, isReported: true, moment)
                case .publish(let envelope, let topic, let body):
                    let frames = unsafe Frames(
                        topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]))
                    answer(envelope, receive(frames, isReported: false, moment))
                case .open(let envelope, let session, let scene):
                    open(envelope, session: session, scene, moment)
                case .close(let envelope, let session):
                    close(envelope, session: session, moment)
                case .snapshot(let envelope, let session):
                    snapshot(envelope, session: session, moment)
                case .list(let list): add(to: list)
                case .interest(let session, let channels):
                    setInterest(channels, of: session)
                case .broadInterest(let channels): broadInterest = channels
                case .answer(let session, let prefix):
                    answerSubscription(prefix, session: session, moment)
                }
            }
        }
    }

    /// An event's two frames where they were received; valid while the batch is performed.
    @safe
    struct Frames {
        let topic: UnsafeRawBufferPointer
        let body: UnsafeRawBufferPointer

        init(topic: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) {
            unsafe self.topic = topic
            unsafe self.body = body
        }
    }

    /// What a publisher that waits for an answer is told.
    enum Receipt {
        case applied
        case duplicate
        case refused(Rejection)
    }

    /// Decodes and applies one event; what is refused is counted and, if asked, reported.
    private func receive(_ frames: Frames, isReported: Bool, _ moment: Moment) -> Receipt {
        let topic: Topic
        do throws(Rejection) {
            topic = try unsafe Topic(frames.topic)
        } catch {
            return refuse(error, frames, resident: nil, isReported, moment)
        }
        let resident = residents[topic.session]
        let event: Event
        do throws(DecodingFailure) {
            event = try unsafe decoder.decode(topic: topic, body: frames.body)
        } catch {
            let contact = Contact(topic, error.gesture, error.phase)
            return refuse(error.rejection, contact, frames, resident, isReported, moment)
        }
        let contact = Contact(event)
        if let resident, let rejection = swallow(contact, resident) { return .refused(rejection) }
        do throws(Rejection) {
            switch try apply(event, to: topic.session, resident, moment) {
            case .applied:
                counters.add(.applied)
                return .applied
            case .duplicate:
                counters.add(.duplicates)
                if isReported {
                    let rejection = Rejection(.duplicate, "this id was applied already")
                    report(rejection, frames, resident, moment)
                }
                return .duplicate
            }
        } catch {
            return refuse(error, contact, frames, resident, isReported, moment)
        }
    }

    private func apply(
        _ event: Event, to session: String, _ resident: Resident?, _ moment: Moment
    ) throws(Rejection) -> Session.Outcome {
        if case .close = event.payload {
            guard let resident else { throw .unknown(session: session) }
            let outcome = try apply(event, to: resident, moment)
            if outcome == .applied { drop(resident, .closed) }
            return outcome
        }
        if let resident { return try apply(event, to: resident, moment) }
        // A refused event opens nothing, so the session is tried before it is kept.
        let made = makeSession(session, try firstScene(of: event, session), at: moment)
        let outcome = try apply(event, to: made, moment)
        try keep(made)
        return outcome
    }

    /// The scene of a session that opens by this event.
    private func firstScene(of event: Event, _ session: String) throws(Rejection) -> Scene {
        if case .open(let reference) = event.payload { return try scene(reference) }
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

    private func apply(
        _ event: Event, to resident: Resident, _ moment: Moment
    ) throws(Rejection) -> Session.Outcome {
        let jumped = resident.session.advance(to: resident.clock(at: moment.step))
        if jumped > 0 { counters.add(.stepsJumped, jumped) }
        let received = resident.milliseconds(at: moment.now, grid: settings.grid)
        let outcome = try resident.session.apply(event, received: received)
        resident.lastEvent = moment.step
        touch(resident)
        return outcome
    }
}

// MARK: - Refusals

extension Lane {
    /// The continuous gesture on one component that a sample belongs to, as far as it is known.
    struct Contact {
        var component: String
        var gesture: GestureKind
        var phase: Phase

        /// Nil for what is no continuous gesture, or was not to be read as one.
        init?(_ topic: Topic, _ gesture: GestureKind?, _ phase: Phase?) {
            guard case .gesture(_, let component) = topic, let gesture, let phase else {
                return nil
            }
            self.component = component
            self.gesture = gesture
            self.phase = phase
        }

        init?(_ event: Event) {
            guard case .gesture(let component, let gesture) = event.payload,
                let phase = gesture.phase
            else { return nil }
            self.component = component
            self.gesture = gesture.kind
            self.phase = phase
        }
    }

    /// What the contact was refused with at its `began`; the sample is counted and nothing more.
    private func swallow(_ contact: Contact?, _ resident: Resident) -> Rejection? {
        guard let contact else { return nil }
        let rejection = resident.session.swallows(
            component: contact.component, gesture: contact.gesture, phase: contact.phase)
        if rejection != nil {
            counters.add(.rejected)
            counters.add(.swallowed)
        }
        return rejection
    }

    private func refuse(
        _ rejection: Rejection, _ contact: Contact?, _ frames: Frames, _ resident: Resident?,
        _ isReported: Bool, _ moment: Moment
    ) -> Receipt {
        if let contact, let resident {
            if let first = swallow(contact, resident) { return .refused(first) }
            if contact.phase == .began {
                resident.session.refuse(
                    component: contact.component, gesture: contact.gesture, with: rejection)
            }
        }
        return refuse(rejection, frames, resident: resident, isReported, moment)
    }

    private func refuse(
        _ rejection: Rejection, _ frames: Frames, resident: Resident?, _ isReported: Bool,
        _ moment: Moment
    ) -> Receipt {
        counters.add(.rejected)
        if isReported { report(rejection, frames, resident, moment) }
        return .refused(rejection)
    }

    /// Publishes a rejection, within its session's bound and everybody's.
    private func report(
        _ rejection: Rejection, _ frames: Frames, _ resident: Resident?, _ moment: Moment
    ) {
        if let resident, residents[resident.session.id] === resident {
            resident.session.advance(to: resident.clock(at: moment.step))
            touch(resident)
            guard resident.session.mayReport(), budget.take(at: moment.now) else {
                counters.add(.rejectionsUntold)
                return
            }
            resident.session.report(frames.report(rejection))
        } else {
            guard budget.take(at: moment.now) else {
                counters.add(.rejectionsUntold)
                return
            }
            sink.nowhere(frames.report(rejection))
        }
    }
}

extension Lane.Frames {
    func report(_ rejection: Rejection) -> RejectionReport {
        let topic = unsafe Update.excerpt(
            of: RawSpan(_unsafeBytes: topic), bytesMax: Limits.topicBytesMax)
        let excerpt = unsafe Update.excerpt(
            of: RawSpan(_unsafeBytes: body), bytesMax: Limits.excerptBytesMax)
        return RejectionReport(rejection, topic: topic, excerpt: excerpt)
    }
}
