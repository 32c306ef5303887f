import Geometry

/// How the place of a contact changes by its own movement alone, in a component that something
/// carries.
///
/// The component's coordinates move with what holds it, so a finger that is still moves in them.
/// Recognizers measure the way of the finger.
struct CarriedPlace: Hashable, Sendable, Codable {
    /// The contact's place in the viewport.
    private var place: Vector
    /// Its place in the component, as if the component had stayed where it was at the landing.
    private(set) var measured: Vector
    /// How far the component has carried the contact's place since then.
    private var drift = Vector.zero

    init(landing place: Vector, at location: Vector) {
        self.place = place
        measured = location
    }

    /// The contact was sampled again; `former` is its last place in the component.
    mutating func follow(
        to location: Vector, from former: Vector, _ setting: ContactSetting
    ) {
        guard let next = setting.place, let change = setting.change else {
            measured = location - drift
            return
        }
        let carried = change.apply(place)
        // To the last bit, unless the component has moved.
        if carried != former { drift += carried - former }
        if next != place { measured = drift == .zero ? location : location - drift }
        place = next
    }

    var isSound: Bool { place.isPlace && measured.isPlace && drift.isPlace }
}
