import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

/// Whether a component is sound in its scene, and the same after an export and an import.
func comesBackAlike<Kind: Machine>(
    _ machine: Kind, of parameters: Kind.Parameters, viewport: Size
) throws -> Bool {
    guard machine.isSound(viewport: viewport, tracker: .uikit) else { return false }
    let read = try ComponentParameters(parameters).machine(
        from: Node(encoding: machine), viewport: viewport, tracker: .uikit)
    return read as? Kind == machine
}
