import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions

/// The way of an event from the bytes of a batch to its session, and the answer to its publisher.
///
/// Used on the lane's queue alone.
final class EventReceiver {
    private let table: LaneTable
    private let decoder = EventDecoder()

    init(_ table: LaneTable) { self.table = table }

    /// Takes an event that asks for no answer.
    @inline(__always)
    func take(_ event: PlacedEvent, in bytes: UnsafeRawBufferPointer, _ moment: Moment) {
        let frames = unsafe event.frames(in: bytes)
        if event.isWhole {
            _ = decode(frames, isReported: true, moment)
        } else {
            refuse(
                frames, Rejection(.badFrames, "an event has two frames: topic and body"), moment)
        }
    }

    /// Takes an event, and answers its publisher.
    func take(
        _ event: PlacedEvent, answering envelope: Envelope, in bytes: UnsafeRawBufferPointer,
        _ moment: Moment
    ) {
        let frames = unsafe event.frames(in: bytes)
        answer(envelope, decodeAnswered(frames, moment), of: frames)
    }

    /// Tells of an event that the reactor has refused. It was counted against its sender's bound,
    /// and is no report of its session's own.
    func tell(
        _ rejection: Rejection, of event: PlacedEvent, in bytes: UnsafeRawBufferPointer,
        _ moment: Moment
    ) {
        let frames = unsafe event.frames(in: bytes)
        if table.settings.tap.isOn { frames.tap(.refused(rejection), to: table.settings.tap) }
        table.counters.add(.rejected)
        let report = frames.report(rejection)
        table.countReport(report)
        table.publish(report, at: moment)
    }

    // MARK: Events that waited

    /// Takes an event that waited, and leaves its answer for later. Returns the receipt; nil: the
    /// work was no event that could be answered, and was not done.
    func receipt(
        for work: LaneWork, in bytes: UnsafeRawBufferPointer, _ moment: Moment
    ) -> EventReceipt? {
        switch work {
        case .event(let event) where event.isWhole:
            decode(unsafe event.frames(in: bytes), isReported: true, moment)
        case .acknowledgedEvent(_, let event):
            decodeAnswered(unsafe event.frames(in: bytes), moment)
        case .event, .refusedEvent, .request, .task: nil
        }
    }

    /// Answers an event that waited, if its publisher has asked for it.
    func answer(_ work: LaneWork, _ receipt: EventReceipt, in bytes: UnsafeRawBufferPointer) {
        guard case .acknowledgedEvent(let envelope, let event) = work else { return }
        answer(envelope, receipt, of: unsafe event.frames(in: bytes))
    }

    // MARK: From frames to the session

    private func answer(_ envelope: Envelope, _ receipt: EventReceipt, of frames: EventFrames) {
        if case .refused(let rejection) = receipt {
            return table.sink.chunk.refuse(envelope, rejection)
        }
        let answer = PendingReply.Answer(receipt)
        guard table.storage != nil, let name = unsafe Topic.session(in: frames.topic)?.range else {
            return table.sink.chunk.reply(to: envelope, answer)
        }
        let open = session(name, of: frames)
        let id =
            unsafe open?.session.id
            ?? String(decoding: UnsafeRawBufferPointer(rebasing: frames.topic[name]), as: UTF8.self)
        table.answerWhenDurable(envelope, answer, of: id, open)
    }

    /// Decodes an event whose publisher asked for an answer: that says whether it opened its
    /// session.
    private func decodeAnswered(
        _ frames: EventFrames, _ moment: Moment
    ) -> EventReceipt {
        let name = unsafe Topic.session(in: frames.topic)?.range
        let wasOpen = name.map { session($0, of: frames) != nil } ?? true
        let receipt = decode(frames, isReported: false, moment)
        guard !wasOpen, let name, let open = session(name, of: frames),
            open.session.lastEvent == .opened
        else { return receipt }
        return .opening(receipt)
    }

    /// Decodes and applies one event; a refused one is counted and, if asked, reported.
    private func decode(
        _ frames: EventFrames, isReported: Bool, _ moment: Moment
    ) -> EventReceipt {
        if let names = unsafe Topic.namesOfGesture(frames.topic),
            let open = session(names.session, of: frames),
            let sample = sample(names.component, of: frames, in: open)
        {
            let reception = table.receive(sample, of: open, at: moment)
            if case .applied = reception {
                if table.settings.tap.isOn { frames.tap(.applied, to: table.settings.tap) }
                table.counters.add(.applied)
                return .applied
            }
            return tell(reception, of: frames, open.session.id, open, isReported, moment)
        }
        let topic: Topic
        let open: ActiveSession?
        do throws(TopicError) {
            (topic, open) = try find(frames)
        } catch {
            let rejection = Rejection(error)
            if table.settings.tap.isOn { frames.tap(.refused(rejection), to: table.settings.tap) }
            table.counters.add(.rejected)
            if isReported { table.report(rejection, of: frames, nil, at: moment) }
            return .refused(rejection)
        }
        let reception: Session.Reception
        do throws(DecodingFailure) {
            var event = try unsafe decoder.decode(topic: topic, body: frames.body)
            event.publisher = frames.publisher
            reception = table.receive(event, of: topic.session, open, at: moment)
        } catch {
            reception = table.receiveUndecodable(
                error.contact(topic), error.rejection, of: topic.session, open)
        }
        return tell(reception, of: frames, topic.session, open, isReported, moment)
    }

    /// Counts a reception and, if asked, reports what was refused. Returns the receipt.
    private func tell(
        _ reception: Session.Reception, of frames: EventFrames, _ session: String,
        _ open: ActiveSession?, _ isReported: Bool, _ moment: Moment
    ) -> EventReceipt {
        if isReported { table.report(reception, of: frames, session: session, at: moment) }
        if table.settings.tap.isOn { frames.tap(TapLog.Outcome(reception), to: table.settings.tap) }
        switch reception {
        case .applied:
            table.counters.add(.applied)
            return hitAnswer(session, open)
        case .duplicate:
            table.counters.add(.duplicates)
            return .duplicate
        case .refused(let rejection):
            table.counters.add(.rejected)
            return .refused(rejection)
        case .suppressed(let rejection):
            table.counters.add(.suppressed)
            table.counters.add(.rejected)
            return .refused(rejection)
        }
    }

    /// The receipt of an event that was applied: with its hit on its session's own topic.
    private func hitAnswer(_ id: String, _ open: ActiveSession?) -> EventReceipt {
        guard let open = open ?? table.activeSessions[id], case .hit(let hit) = open.session.answer
        else { return .applied }
        if hit == nil { table.counters.add(.unhit) }
        return .hit(hit)
    }

    private func session(_ name: Range<Int>, of frames: EventFrames) -> ActiveSession? {
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[name])
        return unsafe table.activeSessions[name, frames.hash]
    }

    /// The sample of a component's gesture; nil for one that is to be refused. Names need no check
    /// where they are those of a session and a component that are there.
    private func sample(
        _ component: Range<Int>, of frames: EventFrames, in open: ActiveSession
    ) -> Sample? {
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[component])
        guard let place = unsafe open.component(named: name) else { return nil }
        var sample = unsafe decoder.sample(frames.body, of: place)
        sample?.publisher = frames.publisher
        return sample
    }

    /// The topic of an event, and its session where that is open. It makes no text of a name that
    /// the session has already.
    private func find(
        _ frames: EventFrames
    ) throws(TopicError) -> (Topic, ActiveSession?) {
        let parts = try unsafe TopicParts(frames.topic)
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.session])
        let component = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.component])
        let open = unsafe table.activeSessions[name, frames.hash]
        let place = unsafe open?.component(named: component)
        let topic = unsafe parts.topic(
            frames.topic, session: open?.session.id,
            component: place.flatMap { open?.session.scene.components[$0].id })
        return (topic, open)
    }

    /// Refuses an event for another reason than its content.
    func refuse(_ frames: EventFrames, _ rejection: Rejection, _ moment: Moment) {
        let session = (try? unsafe Topic(frames.topic))?.session
        if table.settings.tap.isOn { frames.tap(.refused(rejection), to: table.settings.tap) }
        table.counters.add(.rejected)
        table.report(
            rejection, of: frames, session.flatMap { table.activeSessions[$0] }, at: moment)
    }
}
