package import Geometry
import Gestures

/// Another scene says something else of the reader.
extension Reader {
    /// The page stays, by its index, or the last one that there is. A pull goes on, and so does a
    /// neighbour that comes in, unless it is gone: then the page is back in its place.
    package mutating func adapt(
        to parameters: ReaderParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters else { return }
        let before = ShownViews(self)
        let coming: Transition? =
            if case .paging(let paging) = state { transition(paging, .cancelled) } else { nil }
        self.parameters = parameters
        let former = index
        index = min(index, parameters.pages.count - 1)
        switch state {
        case .resting, .dragging(.client): break
        case .dragging(.contact(var scroller)):
            scroller.adapt(to: 0...0, extent: height)
            state = .dragging(.contact(scroller))
        case .dragging(.wheel(var scroller)):
            scroller.adapt(to: 0...0, extent: height)
            state = .dragging(.wheel(scroller))
        case .returning(var scroller):
            scroller.adapt(to: 0...0, extent: height)
            state = .returning(scroller)
        case .paging(let paging):
            guard index != former || !hasNeighbour(paging.way) else { break }
            if let coming { effects.transitions.append(coming) }
            state = .resting
            header.hide(parameters.pace, into: &effects)
            footer.hide(parameters.pace, into: &effects)
        }
        reload(at: now, into: &effects)
        cutWhatStands(otherwiseThan: before)
        // The page became another one.
        if index != former { cuts.grow("page") }
        effects.needsPublish = true
    }

    /// Cuts the views that are elsewhere, or gone.
    mutating func cutWhatStands(otherwiseThan former: ShownViews) {
        for case .plain(let view) in former.placedAnew(in: ShownViews(self)) { cuts.grow(view) }
    }

    /// Bars that are gone are unloaded; a pull loads those that it now has pulled far enough.
    private mutating func reload(at now: Step, into effects: inout Effects) {
        if !hasNeighbour(.previous) { header.hide(parameters.pace, into: &effects) }
        if !hasNeighbour(.next) { footer.hide(parameters.pace, into: &effects) }
        if case .dragging(let pull) = state { load(at: pull.offset, at: now, into: &effects) }
    }
}
