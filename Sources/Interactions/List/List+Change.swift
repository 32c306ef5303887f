package import Geometry
import Gestures
import Motion

/// How a list becomes what another scene says of it.
extension List {
    /// An open row stays so, unless it is gone: then it closes at once. An offset beyond the
    /// bounds goes the scroll's own way back.
    package mutating func adapt(
        to parameters: ListParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters || viewport != self.viewport else { return }
        let former = ShownViews(self)
        self.parameters = parameters
        self.viewport = viewport
        if let row = selected, row >= parameters.rows { selected = nil }
        adaptRows(at: now, into: &effects)
        scroller.adapt(
            to: parameters.offsets(in: viewport), extent: viewport.height,
            isPlaced: scrollDeadline != nil)
        cutWhatStands(otherwiseThan: former)
        effects.needsPublish = true
    }

    /// Cuts the views that are elsewhere, or gone.
    mutating func cutWhatStands(otherwiseThan former: ShownViews) {
        for name in former.placedAnew(in: ShownViews(self)) {
            switch name {
            case .plain(let view), .identified(let view, _): cuts.grow(view)
            case .numbered(Self.leavingMenu.description, let row): menuCuts.grow(row)
            case .numbered(_, let row): rowCuts.grow(row)
            }
        }
    }

    /// The rows that are out of their places stay so. One that slides out goes on, as far as the
    /// frame is wide now.
    private mutating func adaptRows(at now: Step, into effects: inout Effects) {
        let rows = parameters.rows
        arrive(where: { $0.opened.row >= rows }, into: &effects)
        switch state {
        case .closed: break
        case .open(let opened):
            guard opened.row >= rows else { break }
            state = .closed
            effects.transitions.append(closing(opened, .began, 0))
            effects.transitions.append(closing(opened, .ended, 0))
        case .opening(let opened, let way):
            guard opened.row >= rows else {
                let target = opened.side.sign * viewport.width
                state = .opening(opened, way.redirected(to: target, at: now))
                break
            }
            state = .closed
            effects.transitions.append(opening(opened, .cancelled, way))
            effects.transitions.append(closing(opened, .began, 0))
            effects.transitions.append(closing(opened, .ended, 0))
        case .closing(let opened, let bounce):
            guard opened.row >= rows else { break }
            state = .closed
            effects.transitions.append(closing(opened, .ended, bounce.duration))
        }
    }
}
