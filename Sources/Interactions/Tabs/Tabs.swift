package import Geometry
package import Gestures
import Motion
package import Notation

/// `tabs`: a tab bar with an arrow, glows and a notification bubble (Twitter, Instagram).
///
/// A tap or a command selects an item, the arrow runs there, and the item's glow and counts are
/// cleared. A notification lights the glows of its kind and shows the bubble. `Tabs+Views` places
/// all of it. Safe to change: sizes and times in `TabsParameters`.
package struct Tabs: Machine {
    package static let kind = "tabs"
    package static let commands = Action.allCases.map(\.rawValue)
    /// Items of a tab bar.
    package static let itemsMax = 16

    private enum Action: String, CaseIterable { case select, glow, unglow, show, hide }

    package struct Saved: SavedValue {
        package var selected: Int
        package var glows: [Bool]
        /// The item that a bubble stands over.
        package var bubble: Int?

        package init(selected: Int, glows: [Bool], bubble: Int?) {
            self.selected = selected
            self.glows = glows
            self.bubble = bubble
        }

        private enum CodingKeys: String, CodingKey { case selected, glows, bubble }

        package init(_ table: inout TableReader) throws(TableError) {
            for key in ["selected", "glows"] { try table.require(key) }
            selected = try table.whole("selected", default: 0, in: .exact)
            glows = try table.bools("glows", default: [])
            if table.has("bubble") { bubble = try table.whole("bubble", in: .exact) }
        }

        package func encode(to encoder: any Encoder) throws {
            var table = encoder.container(keyedBy: CodingKeys.self)
            try table.encode(selected, forKey: .selected)
            try table.encode(glows, forKey: .glows)
            try table.encode(bubble, forKey: .bubble)
        }
    }

    /// The arrow under the bar's items.
    enum Arrow: Hashable, Sendable, Codable {
        /// Under the selected item. Can become: `moving`.
        case resting
        /// Its left edge moves there. Can become: `moving`, `resting`.
        case moving(from: Int, Animation)
    }

    /// The bubble over one item.
    enum Bubble: Hashable, Sendable, Codable {
        /// No view. Can become: `showing`.
        case none
        /// Fades in. Can become: `shown`, `hiding`.
        case showing(item: Int, Animation, timeout: Step?)
        /// Fully there. Can become: `hiding`.
        case shown(item: Int, timeout: Step?)
        /// Fades out, with the numbers that it had. Can become: `showing`, `none`.
        case hiding(item: Int, Animation, numbers: BadgeCounts)
    }

    /// A raw contact that landed on an item.
    struct Landing: Hashable, Sendable, Codable {
        var item: Int
        /// Whether it is within `reach` of the item.
        var isNear: Bool

        /// The points around an item within which a contact stays on it, as UIKit's controls have.
        static let reach = 70.0
    }

    var parameters: TabsParameters
    var selected = 0
    /// The raw contact that is down; nil: it landed on no item.
    var landing: Landing?
    var glows: [Bool]
    var arrow = Arrow.resting
    var bubble = Bubble.none
    /// The session's counts of the kinds that bubbles show.
    var counts = BadgeCounts()
    /// The pages', by their items' ids.
    var pageCuts = ViewCuts()
    /// The items', by their ids.
    var itemCuts = ViewCuts()
    /// The glows', by their items' numbers.
    var glowCuts = RowCuts()
    /// The bar's, the arrow's and the bubble's.
    var cuts = ViewCuts()

    package init(
        _ parameters: TabsParameters, viewport: Size, tracker: VelocityTracker.Kind
    ) {
        self.parameters = parameters
        glows = Array(repeating: false, count: parameters.items.count)
    }

    // MARK: Events

    package mutating func tap(_ target: Target, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        switch target {
        case .index(let index):
            try checkIndex(index)
            select(index, at: now, into: &effects)
        case .point(let point):
            select(try item(at: point), at: now, into: &effects)
        case .row:
            throw Rejection(.missingField, "keys x and y, or key index: are required")
        }
    }

    package var recognizers: Recognizers { .tapOnTouchDown }

    package mutating func touch(_ touch: Touch, at now: Step, into effects: inout Effects) {
        let before = touched
        switch touch {
        case .down(let point):
            landing = itemIfAny(at: point).map { Landing(item: $0, isNear: true) }
        case .moved(let point):
            if let landing, isOf(landing, effects.hand) {
                self.landing = moved(landing, to: point)
            }
        case .up: if let landing, isOf(landing, effects.hand) { self.landing = nil }
        }
        if touched != before { effects.needsPublish = true }
    }

    package mutating func command(
        _ command: ComponentCommand, at now: Step, into effects: inout Effects
    ) throws(Rejection) {
        switch try Self.action(Action.self, of: command) {
        case .select: select(try index(of: command), at: now, into: &effects)
        case .glow: setGlow(try index(of: command), true, into: &effects)
        case .unglow: setGlow(try index(of: command), false, into: &effects)
        case .show: showBubble(over: try index(of: command), at: now, into: &effects)
        case .hide: hideBubble(at: now, into: &effects)
        }
    }

    package static var heedsCounts: Bool { true }

    /// A bubble follows counts, and one that is shown for none goes with the next notification.
    package func heeds(notification kind: String) -> Bool {
        shownItem != nil
            || parameters.items.indices.contains {
                !parameters.items[$0].bubble.isEmpty || parameters.items[$0].glow.contains(kind)
            }
    }

    package mutating func notified(
        kind: String, counts now: BadgeCounts, at step: Step, into effects: inout Effects
    ) {
        let before = counts
        counts = relevant(now)
        var told: Int?
        for (index, item) in parameters.items.enumerated() where index != selected {
            if item.glow.contains(kind) { setGlow(index, true, into: &effects) }
            if item.bubble.contains(kind), now[kind] > 0 { told = index }
        }
        if let told { showBubble(over: told, at: step, into: &effects) }
        if let item = shownItem, parameters.items[item].bubble.contains(kind) {
            effects.needsPublish = true
        }
        hideEmptyBubble(showing: before, at: step, into: &effects)
    }

    package mutating func recounted(
        _ now: BadgeCounts, at step: Step, into effects: inout Effects
    ) {
        let before = counts
        counts = relevant(now)
        if shownItem != nil && counts != before { effects.needsPublish = true }
        hideEmptyBubble(showing: before, at: step, into: &effects)
    }

    // MARK: Saving

    package var saved: Saved {
        let bubble: Int? =
            switch bubble {
            case .none, .hiding: nil
            // A bubble with a timeout would have hidden by itself.
            case .showing(let item, _, let timeout), .shown(let item, let timeout):
                timeout == nil ? item : nil
            }
        return Saved(selected: selected, glows: glows, bubble: bubble)
    }

    package mutating func restore(
        _ saved: Saved, counts now: BadgeCounts, into effects: inout Effects
    ) {
        let items = parameters.items
        selected = min(max(0, saved.selected), items.count - 1)
        for (index, glow) in saved.glows.enumerated() where index < items.count {
            glows[index] = glow
        }
        counts = relevant(now)
        guard let bubble = saved.bubble, items.indices.contains(bubble) else { return }
        self.bubble = .shown(item: bubble, timeout: nil)
    }

    // MARK: Time

    package var nextTimer: Step? {
        var next: Step?
        func consider(_ step: Step?) {
            if let step { next = min(next ?? step, step) }
        }
        if case .moving(_, let animation) = arrow { consider(animation.end) }
        switch bubble {
        case .none: break
        case .showing(_, let animation, let timeout):
            consider(animation.end)
            consider(timeout)
        case .shown(_, let timeout): consider(timeout)
        case .hiding(_, let animation, _): consider(animation.end)
        }
        return next
    }

    package mutating func fire(at now: Step, into effects: inout Effects) {
        if case .moving(let from, let way) = arrow, way.end <= now {
            arrow = .resting
            effects.transitions.append(selection(.ended, from: from, way))
        }
        switch bubble {
        case .none: break
        case .showing(let item, let animation, let timeout):
            if animation.end <= now {
                // If the timeout is due as well, the next pass hides the bubble.
                bubble = .shown(item: item, timeout: timeout)
                effects.transitions.append(fading("bubble-show", .ended, animation))
            } else if let timeout, timeout <= now {
                hideBubble(at: now, into: &effects)
            }
        case .shown(_, let timeout):
            if let timeout, timeout <= now { hideBubble(at: now, into: &effects) }
        case .hiding(_, let animation, _):
            if animation.end <= now {
                bubble = .none
                cuts.grow("bubble")
                effects.transitions.append(fading("bubble-hide", .ended, animation))
            }
        }
    }

    package var isMoving: Bool {
        if case .moving = arrow { return true }
        switch bubble {
        case .none, .shown: return false
        case .showing, .hiding: return true
        }
    }

    package mutating func advance(to now: Step, into effects: inout Effects) -> Bool {
        shownStep = now
        // Timers alone end what moves.
        effects.keepsSchedule = true
        return true
    }

    /// The step whose state is shown.
    var shownStep = Step.zero

    // MARK: Decisions

    private mutating func select(_ index: Int, at now: Step, into effects: inout Effects) {
        shownStep = now
        if index != selected { moveArrow(to: index, at: now, into: &effects) }
        arrive(at: index, at: now, into: &effects)
    }

    /// Takes away the glow, the bubble and the counts that told of news of a selected item.
    mutating func arrive(at index: Int, at now: Step, into effects: inout Effects) {
        setGlow(index, false, into: &effects)
        if shownItem == index { hideBubble(at: now, into: &effects) }
        effects.clearedKinds += parameters.items[index].bubble
    }

    private mutating func moveArrow(to index: Int, at now: Step, into effects: inout Effects) {
        var velocity = 0.0
        if case .moving(let from, let way) = arrow {
            effects.transitions.append(selection(.cancelled, from: from, way))
            velocity = way.velocity(at: now)
        }
        let way = arrowWay(from: arrowLeft(at: now), velocity: velocity, to: index, at: now)
        if way.end <= now { cuts.grow("arrow") }
        pageCuts.grow(parameters.items[selected].id)
        arrow = .moving(from: selected, way)
        effects.transitions.append(selection(.began, from: selected, to: index, way))
        selected = index
        effects.needsPublish = true
    }

    mutating func setGlow(_ index: Int, _ glow: Bool, into effects: inout Effects) {
        guard glows[index] != glow else { return }
        glows[index] = glow
        if !glow { glowCuts.grow(index) }
        effects.needsPublish = true
    }

    private mutating func showBubble(
        over item: Int, at now: Step, into effects: inout Effects
    ) {
        let timeout =
            parameters.bubbleTimeout > 0 ? now.after(seconds: parameters.bubbleTimeout) : nil
        effects.needsPublish = true
        shownStep = now
        if let shownItem, shownItem != item { dropBubble(into: &effects) }
        switch bubble {
        case .showing(_, let animation, _):
            bubble = .showing(item: item, animation, timeout: timeout)
            return
        case .shown:
            bubble = .shown(item: item, timeout: timeout)
            return
        case .hiding(_, let animation, _):
            effects.transitions.append(fading("bubble-hide", .cancelled, animation))
        case .none: break
        }
        let fade = fade(to: 1, at: now)
        bubble = .showing(item: item, fade, timeout: timeout)
        effects.transitions.append(fading("bubble-show", .began, fade))
    }

    /// Another item's bubble fades in anew: this one is gone at once.
    private mutating func dropBubble(into effects: inout Effects) {
        switch bubble {
        case .none, .shown: break
        case .showing(_, let animation, _):
            effects.transitions.append(fading("bubble-show", .cancelled, animation))
        case .hiding(_, let animation, _):
            effects.transitions.append(fading("bubble-hide", .cancelled, animation))
        }
        bubble = .none
        cuts.grow("bubble")
    }

    /// `numbers` are those that it shows until it has faded; nil: the present ones.
    mutating func hideBubble(
        showing numbers: BadgeCounts? = nil, at now: Step, into effects: inout Effects
    ) {
        switch bubble {
        case .none, .hiding: return
        case .showing(_, let animation, _):
            effects.transitions.append(fading("bubble-show", .cancelled, animation))
        case .shown: break
        }
        guard let item = shownItem else { return }
        shownStep = now
        let fade = fade(to: 0, at: now)
        bubble = .hiding(item: item, fade, numbers: numbers ?? counts)
        effects.transitions.append(fading("bubble-hide", .began, fade))
        effects.needsPublish = true
    }

    /// `before` are the counts that it showed last.
    private mutating func hideEmptyBubble(
        showing before: BadgeCounts, at now: Step, into effects: inout Effects
    ) {
        guard let item = shownItem else { return }
        let kinds = parameters.items[item].bubble
        // A bubble that a command shows may have had none before.
        if kinds.allSatisfy({ counts[$0] == 0 }), kinds.contains(where: { before[$0] > 0 }) {
            hideBubble(showing: before, at: now, into: &effects)
        }
    }

    /// The counts that a bubble can show: the session may count hundreds of other kinds.
    func relevant(_ all: BadgeCounts) -> BadgeCounts {
        var counts = BadgeCounts()
        for item in parameters.items {
            for kind in item.bubble { counts.set(kind, to: all[kind]) }
        }
        return counts
    }
}
