package import Geometry
import Motion

/// Another scene says something else of the navigation.
extension Navigation {
    /// The stack stays, above the scene's root, without screens that the scene has lost. All
    /// stands in the new frame, and what moves goes on there, in the time that it has. Commands
    /// for which the queue has become too short are dropped.
    package mutating func adapt(
        to parameters: NavigationParameters, viewport: Size, at now: Step,
        into effects: inout Effects
    ) {
        guard parameters != self.parameters || viewport != self.viewport else { return }
        let before = ShownViews(self)
        let (formerRoot, formerFrame) = (self.parameters.root, self.viewport)
        self.parameters = parameters
        self.viewport = viewport
        shortenQueue()
        if viewport != formerFrame { place(before: formerFrame) }
        if parameters.root != formerRoot { rebase(from: formerRoot, at: now, into: &effects) }
        dropStrangers(at: now, into: &effects)
        for case .plain(let view) in before.placedAnew(in: ShownViews(self)) { cuts.grow(view) }
        effects.needsPublish = true
    }

    private mutating func shortenQueue() {
        switch state {
        case .resting: break
        case .transitioning(let screenChange, let waiting):
            state = .transitioning(screenChange, waiting: Array(waiting.prefix(parameters.queue)))
        case .popping(let pop, let waiting):
            state = .popping(pop, waiting: Array(waiting.prefix(parameters.queue)))
        }
    }

    /// Brings what moves into the new frame.
    private mutating func place(before: Size) {
        switch state {
        case .resting: break
        case .transitioning(let screenChange, let waiting):
            state = .transitioning(
                screenChange.placed(in: viewport, before: before), waiting: waiting)
        case .popping(var pop, let waiting):
            switch pop.hold {
            // It stays at the finger.
            case .caught(let distance): pop.hold = .caught(at: min(distance, viewport.width))
            case .dragged: break
            case .released(var flight, let goes):
                flight.from *= viewport.width / before.width
                flight.to = goes ? viewport.width : 0
                pop.hold = .released(flight, goes: goes)
            }
            state = .popping(pop, waiting: waiting)
        }
    }

    // MARK: Another root

    /// The new root comes to the bottom of the stack. The former one, and what lay below a screen
    /// that has become the root, leave the stack; the root takes their place in what runs.
    private mutating func rebase(
        from former: String, at now: Step, into effects: inout Effects
    ) {
        let root = parameters.root
        var gone: [String] = []
        if let place = stack.firstIndex(of: root) {
            gone = Array(stack[..<place])
            stack.removeFirst(place)
        } else {
            if stack[0] == former { gone = [stack.removeFirst()] }
            stack.insert(root, at: 0)
            if stack.count > Self.stackMax { stack.remove(at: 1) }
        }
        switch state {
        case .resting: break
        case .transitioning(var screenChange, let waiting):
            if gone.contains(screenChange.from) { screenChange.from = root }
            if gone.contains(screenChange.to) { screenChange.to = root }
            state = .transitioning(screenChange, waiting: waiting)
            guard screenChange.from == screenChange.to else { break }
            effects.transitions.append(transition(screenChange, .cancelled))
            rest(waiting, at: now, into: &effects)
        case .popping(var pop, let waiting):
            guard let below else {
                effects.transitions.append(transition(pop, .cancelled))
                rest(waiting, at: now, into: &effects)
                break
            }
            pop.from = shown
            pop.to = below
            state = .popping(pop, waiting: waiting)
        }
    }

    // MARK: Other screens

    /// Screens that the scene does not have any more leave the stack, and what runs with one of
    /// them is over at once. The root is one that the scene has.
    private mutating func dropStrangers(at now: Step, into effects: inout Effects) {
        func isStranger(_ name: String) -> Bool { !parameters.hasScreen(name) }
        stack.removeAll(where: isStranger)
        switch state {
        case .resting: break
        case .transitioning(let screenChange, let waiting):
            guard isStranger(screenChange.from) || isStranger(screenChange.to) else { break }
            let arrives = screenChange.style.isArrival && !isStranger(screenChange.to)
            if arrives { raise(screenChange.to) }
            let event: Transition.Event = isStranger(screenChange.to) ? .cancelled : .ended
            effects.transitions.append(transition(screenChange, event))
            rest(waiting, at: now, into: &effects)
        case .popping(var pop, let waiting):
            guard isStranger(pop.from) || isStranger(pop.to) else { break }
            if !isStranger(pop.from), let below {
                pop.to = below
                state = .popping(pop, waiting: waiting)
                break
            }
            effects.transitions.append(transition(pop, .cancelled))
            rest(waiting, at: now, into: &effects)
        }
    }

    private mutating func rest(
        _ waiting: [Request], at now: Step, into effects: inout Effects
    ) {
        state = .resting
        proceed(waiting, at: now, into: &effects)
    }
}
