package import Interactions

/// An open session where its table keeps it. An object, so that a lane's lists can share it and
/// every event changes the session in place.
package protocol SessionHandle: AnyObject {
    var session: Session { get set }
}

/// An event as it was received, before it was decoded.
package protocol ReceivedEvent {
    /// Its rejection as it is published: with the topic and the beginning of the body.
    func report(_ rejection: Rejection) -> RejectionReport
}

/// The sessions of one place and the way of each event to its session.
///
/// A lane of the daemon and the simulator both adopt it, so that live and simulated sessions open,
/// receive, refuse, report and close by the same code. The extension below holds the rules; the
/// requirements are what differs: where sessions stand, what the time is, what the store allows.
/// The state that the rules need is the ``SessionOpener``, a value. It is a protocol and not a
/// struct that owns the sessions, because a restore happens in the middle of a first event and
/// opens a session of the same table; and it costs nothing, for each adopter gets its own code.
package protocol SessionTable: AnyObject {
    associatedtype Handle: SessionHandle
    associatedtype Received: ReceivedEvent
    /// One reading of the adopter's clock.
    associatedtype Moment

    var opener: SessionOpener { get set }

    // MARK: Where sessions stand

    /// The session of a name, where it is open.
    func openSession(_ id: String) -> Handle?
    /// The session of a name, where it is open or can be brought back from a store.
    func find(_ id: String, _ moment: Moment) throws(Rejection) -> Handle?
    /// A session that is not open yet; `open(_:)` opens it.
    func makeSession(_ id: String, _ scene: Scene, at moment: Moment) -> Handle
    /// Adds a made session to the open ones. Throws where there is no room.
    func insert(_ made: Handle) throws(Rejection)
    /// An open session became another scene. Returns the scene as it is kept, which may be shared;
    /// throws where there is no room for it.
    func exchange(_ open: Handle, for next: Scene) throws(Rejection) -> Scene
    /// Publishes what a session that ends has still to tell.
    func publishLastWord(of ended: Handle)
    /// Takes a session out of the open ones.
    func remove(_ ended: Handle, after event: SessionEvent)

    // MARK: Time

    /// Brings a session to a moment.
    func advance(_ open: Handle, to moment: Moment)
    /// A moment as an event's time of receipt, in milliseconds since the Unix epoch.
    func milliseconds(of open: Handle, at moment: Moment) -> Double

    // MARK: Hooks of adopters

    /// Why an event must wait, whatever its session would say; nil: it need not, as no gesture.
    func obstacle(to event: Event, in open: Handle) -> Rejection?
    /// Removes a session that the store has but cannot bring back. Returns whether there was one,
    /// or whether one is closed whose removal is not stored yet.
    func removeUnreadable(_ id: String) -> Bool
    /// A session applied an event.
    func recordUse(of open: Handle, at moment: Moment)
    /// A session may have something to tell, or to do by itself.
    func markChanged(_ open: Handle)
    /// Whether the bound of all sessions together allows one more report; if so, it counts.
    func mayReport(at moment: Moment) -> Bool
    /// The same of an event that belongs to no open session.
    func mayReportWithoutSession(_ event: Received, at moment: Moment) -> Bool
    /// Publishes a report that belongs to no open session.
    func publish(_ report: RejectionReport, at moment: Moment)
    /// A report will be published, or one was left out because of a bound.
    func countReport(_ report: RejectionReport?)
}

/// Adopters without a store and without bounds of their own.
extension SessionTable {
    package func exchange(_ open: Handle, for next: Scene) -> Scene { next }
    package func obstacle(to event: Event, in open: Handle) -> Rejection? { nil }
    package func removeUnreadable(_ id: String) -> Bool { false }
    package func recordUse(of open: Handle, at moment: Moment) {}
    package func markChanged(_ open: Handle) {}
    package func mayReport(at moment: Moment) -> Bool { true }
    package func mayReportWithoutSession(_ event: Received, at moment: Moment) -> Bool { true }
    package func countReport(_ report: RejectionReport?) {}
}

extension SessionTable {
    // MARK: Events

    /// Takes a decoded event. `open` is its session, where that is open.
    package func receive(
        _ event: Event, of id: String, _ open: Handle?, at moment: Moment
    ) -> Session.Reception {
        guard let open else { return receiveFirst(event, of: id, at: moment) }
        if let rejection = obstacle(to: event, in: open) { return .refused(rejection) }
        let reception = change(open, by: event, at: moment) ?? apply(event, to: open, at: moment)
        if reception == .applied, case .close = event.payload { close(open, .closed) }
        return reception
    }

    /// Takes a gesture's sample on a component of an open session.
    package func receive(
        _ sample: Sample, of open: Handle, at moment: Moment
    ) -> Session.Reception {
        advance(open, to: moment)
        let reception = open.session.receive(
            sample, received: milliseconds(of: open, at: moment))
        note(reception, of: open, at: moment)
        return reception
    }

    /// Takes an event that could not be decoded, as far as its contact could be read.
    package func receiveUndecodable(
        _ contact: Contact?, _ rejection: Rejection, of id: String, _ open: Handle?
    ) -> Session.Reception {
        open?.session.refuse(contact, with: rejection)
            ?? opener.refuse(contact?.of(session: id), with: rejection)
    }

    /// The first event opens its session, unless it is refused: so the session is tried first.
    private func receiveFirst(
        _ event: Event, of id: String, at moment: Moment
    ) -> Session.Reception {
        let contact = Contact(event)?.of(session: id)
        if let contact, let first = opener.judge(contact) { return .suppressed(first) }
        do throws(Rejection) {
            if let restored = try find(id, moment) {
                return receive(event, of: id, restored, at: moment)
            }
            let made = makeSession(id, try opener.scene(of: event, session: id), at: moment)
            let reception = apply(opener.first(event), to: made, at: moment)
            if case .refused(let rejection) = reception { throw rejection }
            if reception == .applied { try open(made) }
            return reception
        } catch {
            if case .close = event.payload, removeUnreadable(id) { return .applied }
            return opener.refuse(contact, with: error)
        }
    }

    /// Applies an event that changes the scene of an open session; nil: it is none.
    private func change(
        _ open: Handle, by event: Event, at moment: Moment
    ) -> Session.Reception? {
        guard event.payload.isChange else { return nil }
        let former = open.session
        let reception = apply(event, to: open, at: moment)
        guard reception == .applied else { return reception }
        do throws(Rejection) {
            let kept = try exchange(open, for: open.session.scene)
            open.session.share(kept)
            return .applied
        } catch {
            open.session = former
            return .refused(error)
        }
    }

    private func apply(
        _ event: Event, to open: Handle, at moment: Moment
    ) -> Session.Reception {
        advance(open, to: moment)
        let reception = open.session.receive(
            event, received: milliseconds(of: open, at: moment))
        note(reception, of: open, at: moment)
        return reception
    }

    private func note(_ reception: Session.Reception, of open: Handle, at moment: Moment) {
        switch reception {
        case .applied:
            recordUse(of: open, at: moment)
            markChanged(open)
        case .refused:
            // A contact that is given up ends with the next step.
            markChanged(open)
        case .duplicate, .suppressed: break
        }
    }

    // MARK: Lives

    /// Opens a made session for all to see. Throws where there is no room for it.
    package func open(_ made: Handle) throws(Rejection) {
        try insert(made)
        opener.opened(&made.session)
    }

    /// Ends a session's life with its last update.
    package func close(_ open: Handle, _ event: SessionEvent) {
        open.session.end(event)
        publishLastWord(of: open)
        remove(open, after: event)
    }

    // MARK: Reports

    /// Reports an event that was a duplicate or refused, to its session's subscribers.
    package func report(
        _ reception: Session.Reception, of event: Received, session id: String,
        at moment: Moment
    ) {
        switch reception {
        case .applied, .suppressed: break
        case .duplicate: report(.duplicate, of: event, openSession(id), at: moment)
        case .refused(let rejection): report(rejection, of: event, openSession(id), at: moment)
        }
    }

    /// Reports a rejection, within its session's bound and everybody's.
    package func report(
        _ rejection: Rejection, of event: Received, _ open: Handle?, at moment: Moment
    ) {
        if let open {
            advance(open, to: moment)
            markChanged(open)
            guard open.session.mayReport(), mayReport(at: moment) else { return countReport(nil) }
            let report = event.report(rejection)
            countReport(report)
            open.session.report(report)
        } else {
            guard mayReportWithoutSession(event, at: moment), mayReport(at: moment) else {
                return countReport(nil)
            }
            let report = event.report(rejection)
            countReport(report)
            publish(report, at: moment)
        }
    }
}
