import Geometry
import Interactions
import Notation

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
    /// Nil: the scene has no variables, nor did a former one.
    private(set) var variables: Publication?
    var texts = ChangedTexts()
    var session = Publication()
    /// The last event that was published, for later subscribers.
    var lastEvent = SessionEvent.opened
    var transitionSeqs: [Int]
    var rows = RowsTopics()
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

    /// A change that was urgent goes with the next frame all the same.
    mutating func deferState(_ index: Int) {
        states[index].deferChange()
        pictures.deferChange(index)
    }

    /// Has topics that a scene without variables does not.
    mutating func begin(_ scene: Scene) {
        if variables == nil, !scene.variables.isEmpty { variables = Publication() }
    }

    mutating func changeVariables() {
        variables?.change(urgently: true)
        pictures.areVariablesChanged = true
    }

    mutating func askVariables() { variables?.ask() }

    /// The stamp of the variables that are sent now, where the scene has any.
    mutating func sendVariables(at clock: Step, opened: Instant) -> Stamp? {
        variables?.send(at: clock, opened: opened)
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
        if texts.areAny { return true }
        if interest.contains(.variables), let variables, variables.isChanged { return true }
        if interest.contains(.frame) && pictures.changed != 0 { return true }
        if interest.contains(.rows) && !rows.list.isEmpty && rows.areChanged { return true }
        return interest.contains(.state) && states.contains { $0.isChanged }
    }

    /// Forgets subscriptions of subscribers who left before they were answered.
    mutating func forgetAsking(except interest: Channels) {
        if !interest.contains(.badge) { badge.forgetAsking() }
        if !interest.contains(.session) { session.forgetAsking() }
        if !interest.contains(.variables) { variables?.forgetAsking() }
        if !interest.contains(.scene) { pictures.scene.forgetAsking() }
        if !interest.contains(.frame) { pictures.frame.forgetAsking() }
        if !interest.contains(.rows) {
            for place in rows.list.indices { rows.list[place].publication.forgetAsking() }
        }
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
        note(variables?.answerStep)
        note(pictures.scene.answerStep)
        note(pictures.frame.answerStep)
        for place in rows.list.indices { note(rows.list[place].publication.answerStep) }
        for index in states.indices { note(states[index].answerStep) }
        return next
    }
}

extension Outgoing {
    /// A component closes: its numbers are kept, and the least `cut` that its views come back with.
    mutating func close(_ id: String, _ index: Int, cut: Int) {
        let rowsSeq = rows.place(of: index).map { rows.list[$0].publication.seq }
        closed.close(
            id,
            ClosedTopics.Numbers(
                state: states[index].seq, transition: transitionSeqs[index], cut: cut,
                rows: rowsSeq))
    }

    /// Goes on with the topics of another scene's components, after those that are gone were
    /// closed. Returns the least `cut` of the views of each one that is new.
    mutating func become(_ scene: Scene, _ match: SceneMatch) -> [Int] {
        let (formerStates, formerSeqs) = (states, transitionSeqs)
        let formerRows = rows
        (states, transitionSeqs, rows.list) = ([], [], [])
        var floors: [Int] = []
        for (index, origin) in match.origins.enumerated() {
            guard let origin else {
                let numbers = closed.open(scene.components[index].id)
                states.append(Publication(after: numbers.state))
                transitionSeqs.append(numbers.transition)
                floors.append(numbers.cut)
                if let seq = numbers.rows {
                    rows.list.append(
                        RowsTopic(
                            component: index, publication: Publication(after: seq),
                            textChanges: rows.floor))
                }
                continue
            }
            if let place = formerRows.place(of: origin) {
                var topic = formerRows.list[place]
                topic.component = index
                topic.isFrameDue = true
                rows.list.append(topic)
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
