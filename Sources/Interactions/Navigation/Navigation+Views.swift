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
        // Screens show no titles in the bar.
        sink.null("title")
        sink.field("back_title", stack.count > 1 ? "Back" : nil)
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
            sink.view(named: upper, screenChange.style.moved(screen(upper, z: 1), by: progress))
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
        guard viewport == self.viewport, Self.isSound(stack) else { return false }
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
                case .back(let duration): ScreenChange.isSound(duration)
                case .present(let screen, _, let duration):
                    Name.isValid(screen) && ScreenChange.isSound(duration)
                }
            }
    }
}
