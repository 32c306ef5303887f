package import Geometry
import Interactions
package import Notation

/// A session's pending and published updates, topic by topic.
///
/// The room `Updates`: events and steps mark topics as changed (`Publication.change`); a flush, at
/// the end of a batch or at a frame (`Session+Frame`), gives each due topic a number and hands it
/// to the ``UpdateSink``, if anybody wants it. Transitions and rejections are all published, in
/// order; of states and counts the newest. Their order within a flush is part of the protocol.
struct Outgoing: Hashable, Sendable, Codable {
    /// A transition and its step.
    struct DatedTransition: Hashable, Sendable, Codable {
        var component: Int
        var transition: Transition
        var step: Step
    }

    /// Former counts and the step of their change.
    struct Standing: Hashable, Sendable, Codable {
        var badges: BadgeLedger
        var step: Step
    }

    var events: [SessionEvent] = []
    var transitions: [DatedTransition] = []
    var rejections: [RejectionReport] = []
    var states: [Publication]
    var pictures: Pictures
    var badge = Publication()
    /// Counts that changed again before they were published: each change is published, unless
    /// nobody wants it or there is no room.
    private(set) var formerBadges: [Standing] = []
    /// When the counts changed last, if that was after the last flush.
    private var badgesChanged: Step?
    var session = Publication()
    /// The last event that was published, for later subscribers.
    var lastEvent = SessionEvent.opened
    var transitionSeqs: [Int]
    var closed = ClosedTopics()
    var rejectedSeq = 0
    /// Closed or expired: no state is published any more.
    var isOver = false

    /// Bounds the published rejections; in steps.
    var rejectionLimit = SlidingLimit(
        countMax: Limits.rejectionsPerSessionMax, span: Step.perSecond)

    init(componentCount: Int) {
        states = Array(repeating: Publication(), count: componentCount)
        transitionSeqs = Array(repeating: 0, count: componentCount)
        badge = Publication()
        pictures = Pictures(componentCount: componentCount)
    }

    mutating func changeState(_ index: Int, urgently: Bool) {
        states[index].change(urgently: urgently)
        pictures.change(index, urgently: urgently)
    }

    /// Keeps counts that are not published yet and are about to change.
    mutating func keepWaitingBadges(_ badges: BadgeLedger) {
        guard let step = badgesChanged, formerBadges.last?.badges.version != badges.version else {
            return
        }
        formerBadges.append(Standing(badges: badges, step: step))
    }

    mutating func changeBadges(at clock: Step) {
        badge.change(urgently: true)
        pictures.isBadgeChanged = true
        badgesChanged = clock
    }

    /// Merges counts that were not published into the newest.
    mutating func mergeBadges() {
        // An empty array that is emptied would be made anew.
        if !formerBadges.isEmpty { formerBadges.removeAll(keepingCapacity: true) }
        badgesChanged = nil
    }

    /// Whether a wanted topic waits for a frame or for room.
    @inline(__always)
    borrowing func hasChanges(for interest: Channels) -> Bool {
        if interest.contains(.badge) && badge.isChanged && badge.seq > 0 { return true }
        if interest.contains(.scene) && pictures.scene.isChanged { return true }
        if interest.contains(.frame) && pictures.changed != 0 { return true }
        return interest.contains(.state) && states.contains { $0.isChanged }
    }

    /// Forgets subscriptions of subscribers who left before they were answered.
    mutating func forgetAsking(except interest: Channels) {
        if !interest.contains(.badge) { badge.forgetAsking() }
        if !interest.contains(.session) { session.forgetAsking() }
        if !interest.contains(.scene) { pictures.scene.forgetAsking() }
        if !interest.contains(.frame) { pictures.frame.forgetAsking() }
        guard !interest.contains(.state) else { return }
        for index in states.indices { states[index].forgetAsking() }
    }

    /// The first step at which a waiting subscription may be answered.
    @inline(__always)
    borrowing func nextAnswer() -> Step? {
        var next: Step?
        func note(_ step: Step?) {
            if let step { next = min(next ?? step, step) }
        }
        note(badge.answerStep)
        note(session.answerStep)
        note(pictures.scene.answerStep)
        note(pictures.frame.answerStep)
        for index in states.indices { note(states[index].answerStep) }
        return next
    }
}

extension Outgoing {
    /// A component closes: its numbers are kept, and the least `cut` that its views come back with.
    mutating func close(_ id: String, _ index: Int, cut: Int) {
        closed.close(
            id,
            ClosedTopics.Numbers(
                state: states[index].seq, transition: transitionSeqs[index], cut: cut))
    }

    /// Goes on with the topics of another scene's components, after those that are gone were
    /// closed. Returns the least `cut` of the views of each one that is new.
    mutating func become(_ scene: Scene, _ match: SceneMatch) -> [Int] {
        let (formerStates, formerSeqs) = (states, transitionSeqs)
        (states, transitionSeqs) = ([], [])
        var floors: [Int] = []
        for (index, origin) in match.origins.enumerated() {
            guard let origin else {
                let numbers = closed.open(scene.components[index].id)
                states.append(Publication(after: numbers.state))
                transitionSeqs.append(numbers.transition)
                floors.append(numbers.cut)
                continue
            }
            states.append(formerStates[origin])
            transitionSeqs.append(formerSeqs[origin])
            floors.append(0)
        }
        transitions = transitions.compactMap { dated in
            match.places[dated.component].map {
                DatedTransition(component: $0, transition: dated.transition, step: dated.step)
            }
        }
        pictures.become(componentCount: match.origins.count)
        return floors
    }
}

extension Session {
    /// Updates that were published in this epoch, over all topics: the sum of their last numbers.
    package var publishedCount: Int {
        let states = outgoing.states.reduce(0) { $0 + $1.seq }
        let others = outgoing.badge.seq + outgoing.session.seq + outgoing.rejectedSeq
        let pictures = outgoing.pictures.scene.seq + outgoing.pictures.frame.seq
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
        if interest.contains(.scene), !outgoing.isOver, !sink.isFull { flushScene(into: &sink) }
        var transitions: [Outgoing.DatedTransition]?
        if !outgoing.transitions.isEmpty {
            if interest.contains(.frame) { transitions = outgoing.transitions }
            flushTransitions(interest, into: &sink)
        }
        if !outgoing.rejections.isEmpty { flushRejections(interest, into: &sink) }
        guard !outgoing.isOver else { return }
        if mayBeAsked { outgoing.forgetAsking(except: interest) }
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
            let notes = notes(of: index)
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
        let isDue = due != 0 || badges != nil
        if !transitions.isEmpty || (isDue && !isAsked) {
            send(picture(of: due, transitions: transitions, badges: badges), &sink)
        }
        if isAsked { send(wholePicture, &sink) }
    }

    private mutating func send(_ picture: SessionPicture, _ sink: inout some UpdateSink) {
        outgoing.pictures.sent(picture.included)
        if picture.badges != nil { outgoing.pictures.isBadgeChanged = false }
        outgoing.pictures.frame.change(urgently: true)
        let stamp = outgoing.pictures.frame.send(at: clock, opened: opened)
        sink.frame(identity, picture, stamp)
    }

    /// The scene as `scene/` tells it.
    package var sceneDescription: SceneDescription {
        SceneDescription(scene: scene, revision: revision, frameRate: Step.perSecond / frameSteps)
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
        case badge
        case session
        case scene
        case frame
    }

    /// Answers a subscription with the current update of a topic, as soon as that is allowed.
    package mutating func answer(_ topic: CurrentTopic) {
        mayBeAsked = true
        switch topic {
        case .state(let component): outgoing.states[component].ask()
        case .badge: outgoing.badge.ask()
        case .session: outgoing.session.ask()
        case .scene: outgoing.pictures.scene.ask()
        case .frame: outgoing.pictures.frame.ask()
        }
    }

    /// The number sent last on a topic; 0: none was.
    package func seq(of topic: CurrentTopic) -> Int {
        switch topic {
        case .state(let component): outgoing.states[component].seq
        case .badge: outgoing.badge.seq
        case .session: outgoing.session.seq
        case .scene: outgoing.pictures.scene.seq
        case .frame: outgoing.pictures.frame.seq
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
