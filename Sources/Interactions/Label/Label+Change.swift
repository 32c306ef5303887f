package import Geometry
import Notation

extension Label {
    /// Another text or picture fades in. It stays shown or hidden, unless the other scene says
    /// otherwise than the former one.
    package mutating func adapt(
        to parameters: LabelParameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        guard parameters != self.parameters || viewport != size else { return }
        let former = self.parameters
        let isPlacedAnew = viewport != size
        self.parameters = parameters
        size = viewport
        if isPlacedAnew {
            cuts.grow("label")
            cuts.grow("former")
        }
        // A template's values are the session's to give.
        if !parameters.text.node.isTextToFill {
            showTexts(nil, fades: true, at: now, into: &effects)
        }
        if parameters.isShown != former.isShown {
            show(parameters.isShown, at: now, into: &effects)
        }
        effects.needsPublish = true
    }
}
