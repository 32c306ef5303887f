package import Gestures
import Notation

extension Hand {
    /// Whether a decoded hand could be one: its names are of things.
    package var isSound: Bool {
        guard case .on(let thing) = self else { return true }
        return Name.isValid(thing.name) && Name.isValid(thing.part)
    }
}
