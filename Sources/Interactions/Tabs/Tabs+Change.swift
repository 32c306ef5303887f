package import Geometry
import Motion

/// How tabs become what another scene says of them.
extension Tabs {
    /// Selection, glows, bubble and highlight stay with their items, by the items' ids. Where the
    /// selected item is gone the first one is selected. The counts of kinds that no item named
    /// before are told by the next `recounted`.
    package mutating func adapt(
        to parameters: TabsParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters else { return }
        let former = ShownViews(self)
        let left = arrowLeft(at: shownStep)
        shownStep = now
        let places = self.parameters.items.map { item in
            parameters.items.firstIndex { $0.id == item.id }
        }
        self.parameters = parameters
        counts = relevant(counts)
        landing = landing.flatMap { landing in
            places[landing.item].map { Landing(item: $0, isNear: landing.isNear) }
        }
        let shone = glows
        glows = Array(repeating: false, count: parameters.items.count)
        for (glow, place) in zip(shone, places) {
            if let place { glows[place] = glow }
        }
        moveBubble(by: places, into: &effects)
        adaptSelection(by: places, arrowAt: left, at: now, into: &effects)
        growCuts(former.placedAnew(in: ShownViews(self)))
        effects.needsPublish = true
    }

    /// A bubble whose item is gone is gone at once.
    private mutating func moveBubble(by places: [Int?], into effects: inout Effects) {
        guard let item = shownItem else { return }
        guard let place = places[item] else {
            switch bubble {
            case .none, .hiding: break
            case .showing(_, let fade, _):
                effects.transitions.append(fading("bubble-show", .cancelled, fade))
                effects.transitions.append(Transition("bubble-hide", .began))
            case .shown: effects.transitions.append(Transition("bubble-hide", .began))
            }
            effects.transitions.append(Transition("bubble-hide", .ended))
            bubble = .none
            return
        }
        switch bubble {
        case .none: break
        case .showing(_, let fade, let timeout):
            bubble = .showing(item: place, fade, timeout: timeout)
        case .shown(_, let timeout): bubble = .shown(item: place, timeout: timeout)
        case .hiding(_, let fade, let numbers):
            bubble = .hiding(item: place, fade, numbers: numbers)
        }
    }

    /// The arrow runs on to the selected item's new place, or from `left` to the first item.
    private mutating func adaptSelection(
        by places: [Int?], arrowAt left: Double, at now: Step, into effects: inout Effects
    ) {
        let last = parameters.items.count - 1
        if let place = places[selected] {
            selected = place
            if case .moving(let from, let way) = arrow {
                arrow = .moving(
                    from: places[from] ?? min(from, last),
                    way.redirected(to: restingLeft(place), at: now))
            }
            return
        }
        let former = min(selected, last)
        var velocity = 0.0
        if case .moving(let from, let way) = arrow {
            effects.transitions.append(
                selection(.cancelled, from: places[from] ?? min(from, last), to: former, way))
            velocity = way.velocity(at: now)
        }
        selected = 0
        let way = arrowWay(from: left, velocity: velocity, to: 0, at: now)
        arrow = .moving(from: former, way)
        effects.transitions.append(selection(.began, from: former, way))
        arrive(at: 0, at: now, into: &effects)
    }

    private mutating func growCuts(_ names: [ShownViews.Name]) {
        for name in names {
            switch name {
            case .plain(let view): cuts.grow(view)
            case .numbered(_, let item): glowCuts.grow(item)
            case .identified("page-", let item): pageCuts.grow(item)
            case .identified(_, let item): itemCuts.grow(item)
            }
        }
    }
}
