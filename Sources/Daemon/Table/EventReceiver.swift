import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions

extension Lane {
    /// Does a batch's work in order, from one piece on, until a piece of time is over. Returns the
    /// first that is left. All of a batch is done that was held until the store had answered.
    func perform(
        _ batch: Batch, from start: Int = 0, _ moment: Moment, wasHeld: Bool = false
    ) -> Int {
        // Asked once: a piece of work that is handed on would be copied.
        let asksFirst = storage?.answersLate ?? false
        // No work is copied where it stands.
        return unsafe batch.bytes.withUnsafeBytes { bytes in
            unsafe batch.work.withUnsafeBufferPointer { work in
                unsafe perform(work, from: start, bytes, moment, asksFirst, wasHeld)
            }
        }
    }

    private func perform(
        _ work: UnsafeBufferPointer<LaneWork>, from start: Int, _ bytes: UnsafeRawBufferPointer,
        _ moment: Moment, _ asksFirst: Bool, _ wasHeld: Bool
    ) -> Int {
        let readsAhead = activeSessions.fillCaches
        for index in start..<work.count {
            if readsAhead, index + Limits.sessionsAhead < work.count,
                case .event(let event) = unsafe work[index + Limits.sessionsAhead]
            {
                activeSessions.readAhead(event.hash)
            }
            let isCommand = unsafe work[index].isCommand(bytes)
            // Asked one by one: a property of the spare time would copy it for each event.
            let mayWait = isCommand || !spare.costly.isEmpty || !spare.changing.isEmpty
            let waits =
                mayWait
                ? unsafe hasToWait(work[index], bytes, moment, wasHeld: wasHeld) : false
            let looksUp =
                asksFirst && !waits && !wasHeld
                ? unsafe hasToLookUp(work[index], bytes) : false
            if !waits, !looksUp {
                unsafe perform(work[index], bytes, moment, mayLeave: !wasHeld)
            }
            sink.postIfLarge()
            // Most take microseconds, so the clock is read for few.
            let isLong = unsafe intake.mayHaveReacted || work[index].mayTakeLong(bytes)
            intake.mayHaveReacted = false
            guard isLong || (index + 1) % Limits.shortWorksMax == 0, !wasHeld else {
                continue
            }
            if isPieceOver(since: moment.now) { return index + 1 }
        }
        return work.count
    }

    @inline(__always)
    func perform(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment, mayLeave: Bool
    ) {
        switch work {
        case .event(let event):
            let frames = unsafe event.frames(in: bytes)
            if event.isWhole {
                _ = receive(frames, isReported: true, moment)
            } else {
                refuse(
                    frames, Rejection(.badFrames, "an event has two frames: topic and body"),
                    moment)
            }
        case .acknowledgedEvent(let envelope, let event):
            let frames = unsafe event.frames(in: bytes)
            answer(envelope, receiveAnswered(frames, moment), of: frames)
        case .refusedEvent(let rejection, let event):
            let frames = unsafe event.frames(in: bytes)
            if settings.tap.isOn { frames.tap(.refused(rejection), to: settings.tap) }
            // It was counted against its sender's bound, and is no report of the session's own.
            counters.add(.rejected)
            let report = frames.report(rejection)
            countReport(report)
            publish(report, at: moment)
        case .request(let envelope, let request):
            if mayLeave, request.isCostly(on: self) {
                leave(request, envelope)
            } else {
                request.perform(on: self, answering: envelope, at: moment)
            }
        case .task(let task): task.perform(on: self, at: moment)
        }
    }

    /// Receives an event that waited. Returns the receipt; nil: it was none.
    func receive(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment
    ) -> EventIntake.Receipt? {
        switch work {
        case .event(let event) where event.isWhole:
            return receive(unsafe event.frames(in: bytes), isReported: true, moment)
        case .acknowledgedEvent(_, let event):
            return receiveAnswered(unsafe event.frames(in: bytes), moment)
        case .event, .refusedEvent, .request, .task:
            unsafe perform(work, bytes, moment, mayLeave: false)
            return nil
        }
    }

    /// Answers an event that waited, if its publisher has asked for it.
    func answer(
        _ work: LaneWork, _ receipt: EventIntake.Receipt, _ bytes: UnsafeRawBufferPointer
    ) {
        guard case .acknowledgedEvent(let envelope, let event) = work else { return }
        answer(envelope, receipt, of: unsafe event.frames(in: bytes))
    }

    private func answer(
        _ envelope: Envelope, _ receipt: EventIntake.Receipt, of frames: EventIntake.Frames
    ) {
        if case .refused(let rejection) = receipt {
            return sink.chunk.refuse(envelope, rejection)
        }
        let answer = PendingReply.Answer(receipt)
        guard let storage, let name = unsafe Topic.session(in: frames.topic)?.range else {
            return sink.chunk.reply(to: envelope, answer)
        }
        let open = session(name, of: frames)
        let id =
            unsafe open?.session.id
            ?? String(decoding: UnsafeRawBufferPointer(rebasing: frames.topic[name]), as: UTF8.self)
        storage.answer(envelope, answer, of: id, open)
    }

    /// Receives an event whose publisher asked for an answer: that says whether it opened its
    /// session.
    private func receiveAnswered(
        _ frames: EventIntake.Frames, _ moment: Moment
    ) -> EventIntake.Receipt {
        let name = unsafe Topic.session(in: frames.topic)?.range
        let wasOpen = name.map { session($0, of: frames) != nil } ?? true
        let receipt = receive(frames, isReported: false, moment)
        guard !wasOpen, let name, let open = session(name, of: frames),
            open.session.lastEvent == .opened
        else { return receipt }
        return .opening(receipt)
    }

    /// Decodes and applies one event; a refused one is counted and, if asked, reported.
    private func receive(
        _ frames: EventIntake.Frames, isReported: Bool, _ moment: Moment
    ) -> EventIntake.Receipt {
        if let names = unsafe Topic.namesOfGesture(frames.topic),
            let open = session(names.session, of: frames),
            let sample = sample(names.component, of: frames, in: open)
        {
            let reception = receive(sample, of: open, at: moment)
            if case .applied = reception {
                if settings.tap.isOn { frames.tap(.applied, to: settings.tap) }
                counters.add(.applied)
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
            if settings.tap.isOn { frames.tap(.refused(rejection), to: settings.tap) }
            counters.add(.rejected)
            if isReported { report(rejection, of: frames, nil, at: moment) }
            return .refused(rejection)
        }
        let reception: Session.Reception
        do throws(DecodingFailure) {
            let event = try unsafe intake.decoder.decode(topic: topic, body: frames.body)
            reception = receive(event, of: topic.session, open, at: moment)
        } catch {
            reception = receiveUndecodable(
                error.contact(topic), error.rejection, of: topic.session, open)
        }
        return tell(reception, of: frames, topic.session, open, isReported, moment)
    }

    /// Counts a reception and, if asked, reports what was refused. Returns the receipt.
    private func tell(
        _ reception: Session.Reception, of frames: EventIntake.Frames, _ session: String,
        _ open: ActiveSession?, _ isReported: Bool, _ moment: Moment
    ) -> EventIntake.Receipt {
        if isReported { report(reception, of: frames, session: session, at: moment) }
        if settings.tap.isOn { frames.tap(TapLog.Outcome(reception), to: settings.tap) }
        switch reception {
        case .applied:
            counters.add(.applied)
            return hitAnswer(session, open)
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

    /// The receipt of an event that was applied: with its hit on its session's own topic.
    private func hitAnswer(_ id: String, _ open: ActiveSession?) -> EventIntake.Receipt {
        guard let open = open ?? activeSessions[id], case .hit(let hit) = open.session.answer
        else { return .applied }
        if hit == nil { counters.add(.unhit) }
        return .hit(HitAnswer(hit, in: open.session))
    }

    private func session(_ name: Range<Int>, of frames: EventIntake.Frames) -> ActiveSession? {
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[name])
        return unsafe activeSessions[name, frames.hash]
    }

    /// The sample of a component's gesture; nil for one that is to be refused. Names need no check
    /// where they are those of a session and a component that are there.
    private func sample(
        _ component: Range<Int>, of frames: EventIntake.Frames, in open: ActiveSession
    ) -> Sample? {
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[component])
        guard let place = unsafe open.component(named: name) else { return nil }
        return unsafe intake.decoder.sample(frames.body, of: place)
    }

    /// The topic of an event, and its session where that is open. It makes no text of a name that
    /// the session has already.
    private func find(
        _ frames: EventIntake.Frames
    ) throws(TopicError) -> (Topic, ActiveSession?) {
        let parts = try unsafe TopicParts(frames.topic)
        let name = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.session])
        let component = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[parts.component])
        let open = unsafe activeSessions[name, frames.hash]
        let place = unsafe open?.component(named: component)
        let topic = unsafe parts.topic(
            frames.topic, session: open?.session.id,
            component: place.flatMap { open?.session.scene.components[$0].id })
        return (topic, open)
    }

    /// Refuses an event for another reason than its content.
    func refuse(_ frames: EventIntake.Frames, _ rejection: Rejection, _ moment: Moment) {
        let session = (try? unsafe Topic(frames.topic))?.session
        if settings.tap.isOn { frames.tap(.refused(rejection), to: settings.tap) }
        counters.add(.rejected)
        report(rejection, of: frames, session.flatMap { activeSessions[$0] }, at: moment)
    }
}

extension Limits {
    /// Short pieces of work between two looks at the clock. An event of a session with reactions is
    /// none: a chain may follow from it.
    static let shortWorksMax = 16
}
