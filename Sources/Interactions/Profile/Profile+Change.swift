package import Geometry

/// Another scene says something else of the profile.
extension Profile {
    /// The offset stays, and all that hangs on it is placed by it. An offset beyond the new bounds
    /// springs back as after a scroll.
    package mutating func adapt(
        to parameters: ProfileParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        let (former, before) = (self, ShownViews(self))
        guard parameters != self.parameters || viewport.height != scroller.extent else { return }
        self.parameters = parameters
        scroller.adapt(to: parameters.bounds(viewport), extent: viewport.height)
        reportCrossings(since: former.standing, into: &effects)
        cutWhatStands(otherwiseThan: before)
        effects.needsPublish = true
    }

    /// Cuts the views that are elsewhere, or gone.
    mutating func cutWhatStands(otherwiseThan former: ShownViews) {
        for case .plain(let view) in former.placedAnew(in: ShownViews(self)) { cuts.grow(view) }
    }
}
