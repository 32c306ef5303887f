import Geometry
import Gestures
import Interactions
import Notation

/// How scrollers that hold one another share drags and wheels.
///
/// A scroller that has no room in a direction, because its content fits or is at its end, leaves a
/// drag that way to the nearest one around it that has, and so with a wheel. If none has room it
/// takes the drag itself, and stretches its rubber band. It is decided once: at the beginning of a
/// pan, and of a wheel's series. So no momentum goes on in another scroller.
extension Session {
    /// Whether a component may begin to scroll with a sample of a contact. `outer` are the others
    /// that hear of the contact, and hold it.
    func mayScroll(
        _ index: Int, with pointer: Pointer, before outer: ArraySlice<Int>
    ) -> Bool {
        guard pointer.phase != .began, machines[index].recognizers.contains(.scroll) else {
            return true
        }
        if !machines[index].sharesDrags, outer.contains(where: { machines[$0].claimsDrags }) {
            return false
        }
        guard !canScroll(index, with: pointer) else { return true }
        return !outer.contains { canScroll($0, with: pointer) }
    }

    /// Whether a component's content can follow the way of a contact since it landed.
    private func canScroll(_ index: Int, with pointer: Pointer) -> Bool {
        guard let tracking = tracking(on: index, of: pointer.pointer),
            let place = coordinates(of: index)
        else {
            return false
        }
        var setting = ContactSetting(place)
        setting.place = pointer.location
        let way = trackings[tracking].arena.way(
            of: pointer.pointer, to: place.apply(pointer.location), setting)
        guard let way, way.y != 0 else { return false }
        // The content moves with the finger, so its offset shrinks.
        return machines[index].canScroll(by: -way.y)
    }

    /// The component that a gesture on another one is for: the innermost whose kind knows it, and
    /// of scrollers the innermost that can follow a wheel. Nil: no kind knows it.
    func target(of gesture: Gesture, on component: Int) -> Int? {
        let knowing = holders(of: component).filter {
            type(of: machines[$0]).gestures.contains(gesture.kind)
        }
        guard case .wheel(let wheel) = gesture, knowing.count > 1 else { return knowing.first }
        return knowing.first { index in
            guard let way = coordinates(of: index)?.turn(wheel.delta).y, way != 0 else {
                return false
            }
            return machines[index].canScroll(by: way)
        } ?? knowing.first
    }

    /// Decides for whom a series is that began without a way, as when fingers lie down on a pad.
    /// Returns whether this sample has begun it elsewhere.
    mutating func decide(
        _ wheel: Wheel, of place: Int, claimed: Double?, time: SampleTime
    ) throws(Rejection) -> Bool {
        guard let former = routes[place].listeners.first, let hit = routes[place].hit,
            coordinates(of: former)?.turn(wheel.delta).y != 0
        else { return false }
        routes[place].isUndecided = nil
        guard wheel.phase == .changed || wheel.phase == nil,
            let target = target(of: .wheel(wheel), on: hit.component), target != former
        else { return false }
        routes[place].listeners = [target]
        // Without phases there is nothing to end: each event is one by itself.
        guard wheel.phase == .changed, !wheel.isMomentum else { return false }
        var (end, beginning) = (wheel, wheel)
        end.phase = .cancelled
        end.delta = .zero
        beginning.phase = .began
        try hand(.wheel(end), to: former, claimed: claimed, time: time)
        try hand(.wheel(beginning), to: target, claimed: claimed, time: time)
        return true
    }
}
