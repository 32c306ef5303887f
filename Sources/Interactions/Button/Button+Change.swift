package import Geometry

extension Button {
    /// It stays pressed, and on or off, unless the other scene says otherwise than the former one.
    package mutating func adapt(
        to parameters: ButtonParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters || viewport != size else { return }
        let (former, shown) = (self.parameters, ShownViews(self))
        self.parameters = parameters
        size = viewport
        if parameters.isOn != former.isOn { turn(parameters.isOn, into: &effects) }
        if parameters.isEnabled != former.isEnabled {
            enable(parameters.isEnabled, into: &effects)
        }
        if case .pressed(var press) = state {
            if (press.nextTap == nil) != (parameters.repeatSeconds == 0) {
                press.nextTap = nextTap(after: now)
            }
            state = .pressed(press)
        }
        if !shown.placedAnew(in: ShownViews(self)).isEmpty { cuts.grow("button") }
        effects.needsPublish = true
    }
}
