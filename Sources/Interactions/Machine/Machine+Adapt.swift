package import Geometry
import Gestures

extension Machine {
    /// A machine of the new parameters at rest where this one would settle.
    package mutating func adapt(
        to parameters: Parameters, viewport: Size, at now: Step, into effects: inout Effects
    ) {
        let saved = saved
        self = Self(parameters, viewport: viewport, tracker: .uikit)
        restore(saved, counts: BadgeCounts(), into: &effects)
    }
}
