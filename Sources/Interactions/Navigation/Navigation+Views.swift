package import Geometry
package import Gestures
import Motion
import Notation

// MARK: - What is shown

extension Navigation {
    package var phase: String {
        switch state {
        case .resting: "resting"
        case .transitioning, .popping: "transitioning"
        }
    }

    package func model(into sink: inout some StateSink) {
        sink.field("stack", stack)
        if parameters.screens.isEmpty {
            sink.null("title")
            sink.field("back_title", stack.count > 1 ? "Back" : nil)
            return
        }
        tellTitles(of: shown, into: &sink)
        sink.openList("screens")
        switch state {
        case .resting: tellScreen(shown, into: &sink)
        case .transitioning(let screenChange, _):
            tellScreen(screenChange.from, into: &sink)
            tellScreen(screenChange.to, into: &sink)
        case .popping(let pop, _):
            tellScreen(pop.from, into: &sink)
            tellScreen(pop.to, into: &sink)
        }
        sink.closeList()
    }

    private func tellScreen(_ name: String, into sink: inout some StateSink) {
        sink.openElement()
        sink.field("name", name)
        tellTitles(of: name, into: &sink)
        sink.close()
    }

    /// Tells its title and that of the screen below it, as UINavigationBar shows them. Where the
    /// scene gives a screen no title, it tells none: a word of ours would be in one language.
    private func tellTitles(of name: String, into sink: inout some StateSink) {
        // In place: the screens are shared by all sessions of a scene.
        let (own, below) = (parameters.index(ofScreen: name), screen(below: name))
        sink.field("title", text: own.flatMap { parameters.screens[$0].title })
        let index = below.flatMap { parameters.index(ofScreen: $0) }
        sink.field("back_title", text: index.flatMap { parameters.screens[$0].title })
    }

    /// The screen below one that shows; nil: it is at the bottom.
    private func screen(below name: String) -> String? {
        if let place = stack.firstIndex(of: name) { return place > 0 ? stack[place - 1] : nil }
        // It leaves, or comes onto the shown one.
        if case .transitioning(let screenChange, _) = state, screenChange.from == name {
            return screenChange.below ?? shown
        }
        return shown
    }

    package func views(into sink: inout some StateSink) {
        switch state {
        case .resting: sink.view(named: shown, screen(shown, z: 0))
        case .transitioning(let screenChange, _):
            let isArrival = screenChange.style.isArrival
            let (upper, lower) =
                isArrival
                ? (screenChange.to, screenChange.from) : (screenChange.from, screenChange.to)
            sink.view(named: lower, screen(lower, z: 0))
            let progress = screenChange.motion.value(at: shownStep)
            var moved = screenChange.style.moved(screen(upper, z: 1), by: progress)
            if let origin = parameters.origin(of: upper),
                let share = screenChange.shareOfShrinking(at: shownStep)
            {
                moved.center += share * (origin - moved.center)
            }
            sink.view(named: upper, moved)
        case .popping(let pop, _):
            sink.view(named: pop.to, screen(pop.to, z: 0))
            let way = distance(of: pop)
            sink.view(named: pop.from, Style.outToRight.moved(screen(pop.from, z: 1), by: way))
        }
    }

    /// A screen that fills the viewport.
    private func screen(_ name: String, z: Int) -> ViewState {
        ViewState(
            center: Vector(viewport.width / 2, viewport.height / 2), size: viewport, z: z,
            cut: cuts[name])
    }
}

extension Navigation {
    package func isSound(viewport: Size, tracker: VelocityTracker.Kind) -> Bool {
        guard viewport == self.viewport, Self.isSound(stack),
            stack.allSatisfy(parameters.hasScreen)
        else { return false }
        guard landing?.isWithin(1e9) != false else { return false }
        switch state {
        case .resting: return true
        case .transitioning(let screenChange, let waiting):
            return screenChange.isSound && isSound(waiting)
        case .popping(let pop, let waiting):
            return pop.from == shown && pop.to == below && pop.isSound(tracker)
                && isSound(waiting)
        }
    }

    private func isSound(_ waiting: [Request]) -> Bool {
        waiting.count <= parameters.queue
            && waiting.allSatisfy { request in
                switch request {
                case .back(_, let duration): ScreenChange.isSound(duration)
                case .present(let screen, _, let duration):
                    Name.isValid(screen) && ScreenChange.isSound(duration)
                }
            }
    }
}
