package import Geometry
import Interactions
package import Notation

extension Session {
    /// Updates that were published in this epoch, over all topics: the sum of their last numbers.
    package var publishedCount: Int {
        let states = outgoing.states.reduce(0) { $0 + $1.seq }
        let others =
            outgoing.badge.seq + outgoing.session.seq + outgoing.rejectedSeq
            + (outgoing.variables?.seq ?? 0)
        let pictures =
            outgoing.pictures.scene.seq + outgoing.pictures.frame.seq
            + outgoing.rows.list.reduce(0) { $0 + $1.publication.seq }
            + (touches.publication?.seq ?? 0)
        return states + outgoing.transitionSeqs.reduce(0, +) + others + pictures
    }

    /// Whether the clock stands on a frame.
    package var isInFrame: Bool { clock.count % frameSteps == 0 }

    /// The last frame's step at or before `step`.
    package func frame(notAfter step: Step) -> Step {
        Step(step.count - step.count % frameSteps)
    }

    /// Publishes what is due now on the channels of `interest`.
    ///
    /// A channel that nobody wants costs no encoding and no number. States and badges wait if there
    /// is no room; everything else is published.
    package mutating func flush(
        to interest: Channels, inFrame: Bool, into sink: inout some UpdateSink
    ) {
        if !outgoing.events.isEmpty { flushEvents(interest, into: &sink) }
        if inFrame, outgoing.texts.areAny { tellChangedTexts() }
        if interest.contains(.scene), !outgoing.isOver, !sink.isFull { flushScene(into: &sink) }
        var transitions: [Outgoing.DatedTransition]?
        if !outgoing.transitions.isEmpty {
            if interest.contains(.frame) { transitions = outgoing.transitions }
            flushTransitions(interest, into: &sink)
        }
        if !outgoing.rejections.isEmpty { flushRejections(interest, into: &sink) }
        guard !outgoing.isOver else { return }
        if !touches.ledger.isEmpty { touches.dropSilent(at: motion) }
        if mayBeAsked { forgetAsking(except: interest) }
        if outgoing.session.answerStep.map({ $0 <= clock }) == true {
            let stamp = outgoing.session.send(at: clock, opened: opened)
            sink.session(identity, outgoing.lastEvent, stamp)
        }
        defer { outgoing.mergeBadges() }
        guard !sink.isFull else {
            if let transitions {
                send(picture(of: 0, transitions: transitions, badges: nil), &sink)
            }
            return
        }
        if interest.contains(.badge) { flushBadges(into: &sink) }
        if interest.contains(.variables) { flushVariables(into: &sink) }
        if interest.contains(.touches) { flushTouches(inFrame: inFrame, into: &sink) }
        if !outgoing.rows.list.isEmpty, !interest.isDisjoint(with: [.rows, .frame]) {
            lookAtRows(inFrame: inFrame)
            if interest.contains(.rows) { flushRows(into: &sink) }
        }
        if interest.contains(.state) { flushStates(inFrame: inFrame, into: &sink) }
        if interest.contains(.frame) { flushFrame(inFrame, transitions ?? [], into: &sink) }
    }

    private mutating func flushScene(into sink: inout some UpdateSink) {
        guard outgoing.pictures.scene.isDue(at: clock, inFrame: true) else { return }
        let stamp = outgoing.pictures.scene.send(at: clock, opened: opened)
        sink.scene(identity, sceneDescription, stamp)
    }

    private mutating func flushStates(inFrame: Bool, into sink: inout some UpdateSink) {
        for index in outgoing.states.indices
        where outgoing.states[index].isDue(at: clock, inFrame: inFrame) {
            let stamp = outgoing.states[index].send(at: clock, opened: opened)
            var notes = StateNotes(
                self.notes[index], recognizer: recognizer(on: index), opened: opened)
            if tellsTexts { addTexts(to: &notes, of: index) }
            sink.state(
                identity, component: scene.components[index].id, &machines[index], notes, stamp)
        }
    }

    /// Sends what is due in one message, then everything to those who asked for it.
    private mutating func flushFrame(
        _ inFrame: Bool, _ transitions: [Outgoing.DatedTransition], into sink: inout some UpdateSink
    ) {
        let pictures = outgoing.pictures
        let isAsked = pictures.frame.answerStep.map { $0 <= clock } == true
        let due = pictures.due(inFrame: inFrame)
        let badges = pictures.isBadgeChanged ? self.badges : nil
        let variables = pictures.areVariablesChanged == true ? variablePicture : nil
        let rows = outgoing.rows.isFrameDue ? pictureRows() : []
        let isAnyDue = due != 0 || badges != nil || variables != nil || !rows.isEmpty
        // Contacts alone wait for a frame; what they have moved takes them along.
        let areTouchesDue =
            touches.isFrameDue && (inFrame || isAnyDue || !transitions.isEmpty)
        let isDue = isAnyDue || areTouchesDue
        if !transitions.isEmpty || (isDue && !isAsked) {
            var picture = picture(
                of: due, transitions: transitions, badges: badges, rows: rows)
            picture.variables = variables
            if areTouchesDue { picture.touches = touches.told }
            send(picture, &sink)
        }
        if isAsked { send(wholePicture, &sink) }
    }

    private mutating func send(_ picture: SessionPicture, _ sink: inout some UpdateSink) {
        outgoing.pictures.sent(picture.included)
        if picture.badges != nil { outgoing.pictures.isBadgeChanged = false }
        if picture.variables != nil { outgoing.pictures.areVariablesChanged = nil }
        if picture.touches != nil { touches.sentInFrame() }
        for rows in picture.rows {
            guard let place = outgoing.rows.place(of: rows.component) else { continue }
            outgoing.rows.list[place].isFrameDue = false
        }
        outgoing.pictures.frame.change(urgently: true)
        let stamp = outgoing.pictures.frame.send(at: clock, opened: opened)
        sink.frame(identity, picture, stamp)
    }

    /// The scene as `scene/` tells it.
    package var sceneDescription: SceneDescription {
        var description = SceneDescription(
            scene: scene, revision: revision, frameRate: Step.perSecond / frameSteps)
        description.texts = textContext
        return description
    }

    /// Counts that changed again before they were published, which wait to be published each.
    package var formerBadgesCount: Int { outgoing.formerBadges.count }

    /// Leaves out former counts that wait: only the newest is published.
    package mutating func mergeBadges() { outgoing.mergeBadges() }

    private mutating func flushEvents(_ interest: Channels, into sink: inout some UpdateSink) {
        for event in outgoing.events {
            outgoing.lastEvent = event
            outgoing.session.change(urgently: true)
            guard interest.contains(.session) else { continue }
            let stamp = outgoing.session.send(at: clock, opened: opened)
            sink.session(identity, event, stamp)
        }
        outgoing.events.removeAll()
    }

    private mutating func flushBadges(into sink: inout some UpdateSink) {
        for former in outgoing.formerBadges where former.badges.version < badges.version {
            let stamp = outgoing.badge.send(at: former.step, opened: opened)
            sink.badge(identity, former.badges, stamp)
            outgoing.badge.change(urgently: true)
        }
        let isTold = badges.hasChanged || outgoing.badge.isAsked
        guard isTold, outgoing.badge.isDue(at: clock, inFrame: true) else { return }
        let stamp = outgoing.badge.send(at: clock, opened: opened)
        sink.badge(identity, badges, stamp)
    }

    private mutating func flushVariables(into sink: inout some UpdateSink) {
        guard let picture = variablePicture,
            outgoing.variables?.isDue(at: clock, inFrame: true) == true,
            let stamp = outgoing.sendVariables(at: clock, opened: opened)
        else { return }
        sink.variables(identity, picture, stamp)
    }

    private mutating func flushTouches(inFrame: Bool, into sink: inout some UpdateSink) {
        guard touches.publication?.isDue(at: clock, inFrame: inFrame) == true,
            let stamp = touches.send(at: clock, opened: opened)
        else { return }
        sink.touches(identity, touches.told, stamp)
    }

    private mutating func flushTransitions(
        _ interest: Channels, into sink: inout some UpdateSink
    ) {
        if interest.contains(.transition) {
            for dated in outgoing.transitions {
                outgoing.transitionSeqs[dated.component] += 1
                let stamp = Stamp(
                    seq: outgoing.transitionSeqs[dated.component],
                    instant: opened + dated.step)
                sink.transition(
                    identity, component: scene.components[dated.component].id,
                    dated.transition, stamp)
            }
        }
        // Without its memory: each frame looks here, and finds an empty list without reading any.
        outgoing.transitions.removeAll()
    }

    private mutating func flushRejections(
        _ interest: Channels, into sink: inout some UpdateSink
    ) {
        if interest.contains(.rejected) {
            for report in outgoing.rejections {
                outgoing.rejectedSeq += 1
                sink.rejected(identity, report, Stamp(seq: outgoing.rejectedSeq, instant: instant))
            }
        }
        outgoing.rejections.removeAll()
    }

    // MARK: Subscriptions

    /// A topic with a current state.
    package enum CurrentTopic: Hashable, Sendable {
        case state(component: Int)
        case rows(component: Int)
        case badge
        case session
        case scene
        case frame
        case variables
        case touches
    }

    /// Forgets subscriptions of subscribers who left before they were answered.
    private mutating func forgetAsking(except interest: Channels) {
        outgoing.forgetAsking(except: interest)
        if !interest.contains(.touches) { touches.forgetAsking() }
    }

    /// Answers a subscription with the current update of a topic, as soon as that is allowed.
    package mutating func answer(_ topic: CurrentTopic) {
        mayBeAsked = true
        switch topic {
        case .state(let component): outgoing.states[component].ask()
        case .rows(let component):
            guard let place = outgoing.rows.place(of: component) else { return }
            outgoing.rows.list[place].publication.ask()
        case .badge: outgoing.badge.ask()
        case .session: outgoing.session.ask()
        case .scene: outgoing.pictures.scene.ask()
        case .frame: outgoing.pictures.frame.ask()
        case .variables: outgoing.askVariables()
        case .touches: touches.ask()
        }
    }

    /// The number sent last on a topic; 0: none was.
    package func seq(of topic: CurrentTopic) -> Int {
        switch topic {
        case .state(let component): outgoing.states[component].seq
        case .rows(let component):
            outgoing.rows.place(of: component).map { outgoing.rows.list[$0].publication.seq } ?? 0
        case .badge: outgoing.badge.seq
        case .session: outgoing.session.seq
        case .scene: outgoing.pictures.scene.seq
        case .frame: outgoing.pictures.frame.seq
        case .variables: outgoing.variables?.seq ?? 0
        case .touches: touches.publication?.seq ?? 0
        }
    }

    package var lastEvent: SessionEvent { outgoing.events.last ?? outgoing.lastEvent }

    // MARK: Rejections

    /// Whether one more rejection of this session may be published; if so, it counts.
    package mutating func mayReport() -> Bool { outgoing.rejectionLimit.take(at: clock.count) }

    package mutating func report(_ report: RejectionReport) {
        outgoing.rejections.append(report)
    }
}

extension Limits {
    /// Rejections of one session that are published in a second.
    package static let rejectionsPerSessionMax = 10
}
