import Dynamics
package import Geometry
package import Gestures
import Motion
package import Notation

/// `tips`: cards that swing in on a pin, are dragged on a rod, and swing out (Tweetbot).
///
/// The machine decides which card is shown and where a release leads; `TipsBody` holds the card in
/// a world of Dynamics, `Tips+Views` shows it with the backdrop. A step moves the body first, then
/// the fades. Safe to change: thresholds and times in `TipsParameters`; goldens hold the physics.
package struct Tips: Machine {
    package static let kind = "tips"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Tips in one component.
    package static let tipsMax = 1_024

    private enum Action: String, CaseIterable { case present, dismiss }

    package struct Saved: SavedValue {
        package var index: Int
        package var isPresented: Bool
        /// The cards that `present` brought; nil: the scene's.
        package var tips: [TipsParameters.Tip]?

        private enum CodingKeys: String, CodingKey {
            case index
            case isPresented = "presented"
            case tips
        }

        package init(index: Int, isPresented: Bool, tips: [TipsParameters.Tip]? = nil) {
            self.index = index
            self.isPresented = isPresented
            self.tips = tips
        }

        package init(_ table: inout TableReader) throws(TableError) {
            for key in ["index", "presented"] { try table.require(key) }
            index = try table.whole("index", default: 0, in: .exact)
            isPresented = try table.bool("presented", default: true)
            tips = try table.decoded("tips", [TipsParameters.Tip].self)
        }
    }

    /// Which way a tip is turned out of the viewport.
    enum Side: Hashable, Sendable, Codable {
        case left, right
    }

    /// Fades everything that is shown, from the alphas that it has.
    struct Fade: Hashable, Sendable, Codable {
        var backdrop: Animation
        var tip: Animation
        /// Whether a tip is in the hierarchy: it moves if it has a body, else it stands in its
        /// place.
        var hasTip: Bool

        /// Springs end where each has come near enough to its target.
        var end: Step { hasTip ? max(backdrop.end, tip.end) : backdrop.end }
    }

    /// The large states lie elsewhere, or each step would copy their size.
    enum State: Hashable, Sendable, Codable {
        /// No views. Can become: `presenting`.
        case dismissed
        /// The backdrop fades in, and a tip that is still there. A finger may be down already, to
        /// hold the tip then. Can become: `entering`, `resting`, `dragging`, `dismissing`.
        indirect case presenting(Fade, finger: Drag?)
        /// A tip swings in. Can become: `resting`, `dragging`, `dismissing`.
        case entering
        /// Exactly in its place. Can become: `dragging`, `dismissing`.
        case resting
        /// A finger holds the rod. Can become: `returning`, `leaving`, `dismissing`.
        case dragging(TipsGrip)
        /// Let go too near: swings back. Can become: `resting`, `dragging`, `dismissing`.
        case returning
        /// Swings out. Can become: `entering`, `dragging`, `dismissing`.
        indirect case leaving(TipsExit, until: Step)
        /// Everything fades out, and what moves goes on. Can become: `dismissed`, `presenting`.
        indirect case dismissing(Fade, TipsExit?)
    }

    var parameters: TipsParameters
    var viewport: Size
    let tracker: VelocityTracker.Kind
    var state = State.dismissed
    var index = 0
    /// Instead of the scene's.
    var broughtCards: [TipsParameters.Tip]?
    /// Set exactly while a tip swings or is held. It stands beside the state for steps in
    /// place.
    var body: TipsBody?
    /// The step whose state is shown.
    var shownStep = Step.zero
    var cuts = ViewCuts()

    /// A stored property's key is a file format.
    private enum CodingKeys: String, CodingKey {
        case parameters, viewport, tracker, state, index
        case broughtCards = "cards"
        case body = "world"
        case shownStep, cuts
    }

    package init(_ parameters: TipsParameters, viewport: Size, tracker: VelocityTracker.Kind) {
        self.parameters = parameters
        self.viewport = viewport
        self.tracker = tracker
    }

    // MARK: Events

    package mutating func opened(at now: Step, into effects: inout Effects) {
        if parameters.presented && !cards.isEmpty { present(at: now, into: &effects) }
    }

    package var recognizers: Recognizers { [.pan, .tap] }

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let point = try target.tappedPoint
        // Contacts on the backdrop are the tips', too.
        guard pose?.contains(point, size: parameters.size) == true else { return }
        effects.tellAtOnce(Transition("tap", .began, item: "tip", index: index))
    }

    package mutating func pan(
        _ pan: Pan, time: SampleTime, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        if pan.phase == .changed, follow(pan, time: time, at: now) { return }
        switch (pan.phase, state) {
        case (.began, _):
            try began(pan, time: time, at: now, into: &effects)
        case (.changed, .presenting(let fade, .some(var drag))):
            state = .resting
            _ = drag.follow(pan, time: time, at: now)
            state = .presenting(fade, finger: drag)
        case (.ended, .presenting(let fade, .some)), (.cancelled, .presenting(let fade, .some)):
            state = .presenting(fade, finger: nil)
        case (.ended, .dragging(let grip)), (.cancelled, .dragging(let grip)):
            // The tip keeps the resistance on its way back.
            let resistance = resistance(to: speed(of: grip.drag, pan, time: time))
            body?.resist(resistance)
            release(grip, from: pan.location, at: now, into: &effects)
        case (_, .dismissed), (_, .presenting), (_, .entering), (_, .resting), (_, .returning),
            (_, .leaving), (_, .dismissing), (.changed, .dragging):
            throw .notOpen(pan.phase)
        }
    }

    /// A finger that drags moves on. Returns whether one drags.
    private mutating func follow(_ pan: Pan, time: SampleTime, at now: Step) -> Bool {
        guard case .dragging(var grip) = state else { return false }
        // Frees the state's reference to the samples: appending would copy them all.
        state = .resting
        let hasMoved = grip.drag.follow(pan, time: time, at: now)
        grip.speed = speed(of: grip.drag, pan, time: time)
        grip.noteWay()
        state = .dragging(grip)
        let resistance = resistance(to: grip.speed)
        body?.resist(resistance)
        guard hasMoved else { return true }
        body?.mark(at: now)
        body?.pull(grip.rod, to: pan.location)
        return true
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try Self.action(Action.self, of: command) {
        case .present:
            let brought = try Self.cards(in: command, room: effects.room)
                .map { $0.isEmpty ? [Card()] : $0 }
            switch state {
            case .dismissed:
                broughtCards = brought ?? (parameters.tips.isEmpty ? [Card()] : nil)
                index = 0
                present(at: now, into: &effects)
            case .dismissing:
                let none = cards.isEmpty ? [Card()] : nil
                if let brought = brought ?? none { bring(brought, into: &effects) }
                present(at: now, into: &effects)
            case .presenting, .entering, .resting, .dragging, .returning, .leaving:
                if let brought { bring(brought, into: &effects) }
            }
        case .dismiss:
            switch state {
            case .dismissed, .dismissing: break
            case .presenting, .entering, .resting, .dragging, .returning, .leaving:
                dismiss(at: now, into: &effects)
            }
        }
    }

    // MARK: Saving

    package var saved: Saved {
        switch state {
        case .dismissed: Saved(index: index, isPresented: false)
        case .dismissing:
            Saved(index: min(index, max(0, parameters.tips.count - 1)), isPresented: false)
        case .presenting, .entering, .resting, .dragging, .returning: presented(index)
        case .leaving(let exit, _):
            switch exit.side {
            case .right: presented(max(0, index - 1))
            case .left where index < lastIndex: presented(index + 1)
            case .left:
                Saved(index: min(index, max(0, parameters.tips.count - 1)), isPresented: false)
            }
        }
    }

    private func presented(_ index: Int) -> Saved {
        Saved(index: index, isPresented: true, tips: broughtCards)
    }

    package mutating func restore(
        _ saved: Saved, counts: BadgeCounts, into effects: inout Effects
    ) {
        if saved.isPresented, let tips = saved.tips, tips.areSound { broughtCards = tips }
        index = min(max(0, saved.index), lastIndex)
        state = saved.isPresented && !cards.isEmpty ? .resting : .dismissed
    }

    // MARK: Time

    package var nextTimer: Step? {
        switch state {
        case .dismissed, .entering, .resting, .returning: nil
        case .presenting(let fade, let finger):
            min(fade.end, finger?.deadline ?? .never)
        case .dismissing(let fade, _): fade.end
        case .dragging(let grip): grip.drag.deadline
        case .leaving(_, let until): until
        }
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        guard let timer = nextTimer, timer <= now else { return }
        switch state {
        case .dismissed, .entering, .resting, .returning: break
        case .presenting(let fade, _) where now < fade.end:
            state = .presenting(fade, finger: nil)
        case .presenting(let fade, let finger):
            effects.transitions.append(presentation(.ended, fade))
            shownStep = now
            if fade.hasTip {
                state = body == nil ? .resting : .entering
                effects.needsPublish = true
            } else {
                place(.right, at: now, into: &effects)
            }
            if let finger { hold(finger, speed: 0) }
        case .dragging(let grip): release(grip, from: grip.drag.finger, at: now, into: &effects)
        case .leaving(let exit, _): exchange(exit.side, at: now, into: &effects)
        case .dismissing(let fade, _):
            if pose != nil { cuts.grow("tip") }
            cuts.grow("backdrop")
            body = nil
            broughtCards = nil
            index = min(index, lastIndex)
            state = .dismissed
            effects.transitions.append(dismissal(.ended, fade))
            effects.needsPublish = true
        }
    }

    package var schedule: Schedule {
        switch state {
        case .dismissed, .resting: Schedule(isMoving: false, timer: .never)
        case .entering, .returning: Schedule(isMoving: true, timer: .never)
        case .presenting, .dragging, .leaving, .dismissing:
            Schedule(isMoving: isMoving, timer: nextTimer ?? .never)
        }
    }

    package var isMoving: Bool {
        switch state {
        case .dismissed, .resting: false
        case .presenting, .dismissing, .entering, .returning: true
        case .dragging(let grip): body?.isResting == false || grip.speed > 0
        case .leaving(let exit, _):
            body?.isResting == false || exit.turn.map { shownStep < $0.end } == true
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        switch state {
        case .dragging: return follow(to: now)
        case .leaving, .dismissing: pullOut(at: now)
        case .dismissed, .presenting, .entering, .resting, .returning: break
        }
        let isResting = body?.step(to: now)
        guard isResting == true else {
            // While its body moves, it moves and has the same timer.
            effects.keepsSchedule = isResting != nil
            return true
        }
        // The body sleeps within a fraction of a point of its place; the view stands there.
        switch state {
        case .entering, .returning:
            body = nil
            state = .resting
        case .presenting, .dismissing(_, nil): body = nil
        case .dismissed, .resting, .dragging, .leaving, .dismissing: break
        }
        return true
    }

    /// The tip follows its finger. Returns whether it shows anything new.
    private mutating func follow(to now: Step) -> Bool {
        guard case .dragging(let grip) = state else { return false }
        let before = body?.pose
        calm(grip, at: now)
        _ = body?.step(to: now)
        // A tip that a still finger holds shows nothing new.
        return body?.pose != before
    }
}
