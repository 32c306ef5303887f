import Geometry
import Gestures
import Interactions

/// The component that follows a vertical drag, which a panel and a scroller in it share.
struct SharedDrag: Hashable, Sendable, Codable {
    var component: Int
    /// The drag's way at which the component took it, in points of the component that won the
    /// contact.
    var base: Double

    /// The same where the components stand at other places; nil: the component has closed.
    func moved(to places: [Int?]) -> SharedDrag? {
        places[component].map { SharedDrag(component: $0, base: base) }
    }

    func isSound(componentCount: Int) -> Bool {
        (0..<componentCount).contains(component) && base.magnitude <= 1e12
    }
}

/// How a panel and a scroller that lies in it share one drag.
///
/// One of them wins the contact and hears of all of it. Where it comes to its end it stays there,
/// and the other one takes the rest of the way if it can follow it: a panel at its last anchor
/// leaves the way to the list in it, and the list leaves the way back to the panel at its top. Both
/// stand exactly at their ends there, so that nothing jumps.
extension Session {
    /// Hands a sample of a contact's vertical drag to who follows it now.
    mutating func follow(
        _ drag: ContentDrag, on index: Int, time: SampleTime
    ) throws(Rejection) {
        if drag.phase == .began {
            leaveToNewContact(on: index)
            if let tracking = tracking(on: index), mayShareDrag(index) {
                trackings[tracking].sharedDrag = SharedDrag(component: index, base: 0)
                return try beginSharedDrag(drag, on: index, time: time)
            }
        }
        guard let tracking = tracking(on: index), var shared = trackings[tracking].sharedDrag else {
            return try hand(drag, to: index, of: index, time: time)
        }
        if drag.phase == .changed || drag.phase == .ended {
            for _ in 0..<Self.turnsOfDragMax {
                guard try pass(&shared, drag, of: index, time: time) else { break }
            }
        }
        trackings[tracking].sharedDrag = drag.phase.goesOn ? shared : nil
        var own = drag
        own.translation = (drag.translation - shared.base) * scale(of: shared, in: index)
        do throws(Rejection) {
            try hand(own, to: shared.component, of: index, time: time)
        } catch {
            guard shared.component != index, drag.phase.goesOn else { throw error }
            // Something else moves it now: the rest is for the component that won the contact.
            shared = SharedDrag(component: index, base: drag.translation)
            trackings[tracking].sharedDrag = shared
            own.phase = .began
            own.translation = 0
            try hand(own, to: index, of: index, time: time)
        }
    }

    /// A contact may have come so far with the sample that begins that it passes an end.
    private mutating func beginSharedDrag(
        _ drag: ContentDrag, on index: Int, time: SampleTime
    ) throws(Rejection) {
        var (beginning, rest) = (drag, drag)
        beginning.translation = 0
        rest.phase = .changed
        try hand(beginning, to: index, of: index, time: time)
        try follow(rest, on: index, time: time)
    }

    /// There and back within one sample, and once more.
    private static let turnsOfDragMax = 4

    /// Passes the drag on where the way leads beyond what its component can follow. Returns
    /// whether it did.
    private mutating func pass(
        _ shared: inout SharedDrag, _ drag: ContentDrag, of index: Int, time: SampleTime
    ) throws(Rejection) -> Bool {
        let scale = scale(of: shared, in: index)
        let way = (drag.translation - shared.base) * scale
        guard let end = machines[shared.component].endOfDrag(before: way),
            let next = successor(of: shared.component, from: index, isDown: way > end)
        else { return false }
        var part = drag
        part.translation = end
        for phase in [Phase.changed, .cancelled] {
            part.phase = phase
            try hand(part, to: shared.component, of: index, time: time)
        }
        shared = SharedDrag(component: next, base: shared.base + end / scale)
        part.phase = .began
        part.translation = 0
        try hand(part, to: next, of: index, time: time)
        return true
    }

    private mutating func hand(
        _ drag: ContentDrag, to index: Int, of winner: Int, time: SampleTime
    ) throws(Rejection) {
        if index != winner { collectEffects(of: winner) }
        try machines[index].dragContent(drag, time: time, at: motion, into: &effects)
        if !drag.phase.goesOn { markDirty(index) }
        if index != winner { collectEffects(of: index) }
    }

    // MARK: Decisions

    /// A contact drags what another one has come to by a shared drag: that one lets go.
    private mutating func leaveToNewContact(on index: Int) {
        for place in trackings.indices
        where trackings[place].component != index
            && trackings[place].sharedDrag?.component == index
        {
            mute(place)
        }
    }

    /// Whether a scroller and a panel around it both lie under the contact that dragged.
    private func mayShareDrag(_ index: Int) -> Bool {
        let chain = chainOfContact(on: index)
        guard let panel = chain.firstIndex(where: { machines[$0].sharesDrags }) else {
            return false
        }
        return chain[..<panel].contains { machines[$0].recognizers.contains(.scroll) }
    }

    /// The component that the contact has hit, and those that hold it, from the innermost.
    private func chainOfContact(on index: Int) -> [Int] {
        let pointer = tracking(on: index).flatMap { trackings[$0].arena.counting }
        let hit = routes.open.first { $0.pointer != nil && $0.pointer == pointer }?.hit?.component
        let chain = holders(of: hit ?? index)
        return chain.contains(index) ? chain : holders(of: index)
    }

    /// The component that goes on with a drag; nil: none can follow.
    private func successor(of component: Int, from index: Int, isDown: Bool) -> Int? {
        let chain = chainOfContact(on: index)
        guard let place = chain.firstIndex(of: component) else { return nil }
        // The content moves with the finger, so its offset shrinks.
        let way = isDown ? -1.0 : 1.0
        if machines[component].sharesDrags {
            return chain[..<place].first {
                !machines[$0].sharesDrags && machines[$0].recognizers.contains(.scroll)
                    && isUpright($0, like: index) && machines[$0].canScroll(by: way)
            }
        }
        return chain[(place + 1)...].first {
            machines[$0].sharesDrags && isUpright($0, like: index)
                && machines[$0].canScroll(by: way)
        }
    }

    /// The points of the component that follows a drag for one of the component that won it.
    private func scale(of shared: SharedDrag, in index: Int) -> Double {
        guard shared.component != index, let own = along(index), own > 0,
            let other = along(shared.component), other > 0
        else { return 1 }
        return other / own
    }

    private func isUpright(_ component: Int, like index: Int) -> Bool {
        guard let own = along(index), let other = along(component) else { return false }
        return own > 0 && other > 0
    }

    /// How far a point of the viewport's vertical axis reaches along a component's own; nil: its
    /// slot is absent.
    private func along(_ component: Int) -> Double? {
        coordinates(of: component)?.turn(Vector(0, 1)).y
    }
}
