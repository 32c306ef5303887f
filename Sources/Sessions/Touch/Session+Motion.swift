import Geometry
import Gestures
import Interactions

/// The motion that a landing contact stops.
struct Stop {
    /// Whether anything is in motion there.
    var isAny = false
    /// The component that takes hold of what moves; nil: none does.
    var catcher: Int?
    /// The one component in motion there, if the contact does not stop it.
    fileprivate var unstopped: Int?

    /// Whether the contact may be a swipe on a component.
    func maySwipe(_ component: Int) -> Bool { !isAny || unstopped == component }
}

/// How contacts stop what moves by itself.
///
/// A component in motion takes along all that it holds, so a contact that lands on either is no
/// tap. The outermost that can catches it, as it carries the others.
extension Session {
    /// The motion that a contact stops which lands on a component, at a point of the viewport.
    func stop(at point: Vector, on component: Int) -> Stop {
        var stop = Stop()
        for index in holders(of: component) {
            guard let place = coordinates(of: index) else { continue }
            let landing = place.apply(point)
            if machines[index].isInMotion(at: landing) {
                let isAlone = !stop.isAny && !machines[index].stopsMotion(at: landing)
                stop.unstopped = isAlone ? index : nil
                stop.isAny = true
            }
            if machines[index].catches(at: landing) { stop.catcher = index }
        }
        return stop
    }
}
