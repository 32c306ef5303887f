import Geometry
import Gestures
import Interactions
import Notation

/// Tokens on `gesture/<session>`.
///
/// A token lies on a component whatever covers it there: on the frontmost whose kind knows tokens
/// and in whose frame the token's point is. It stays that component's until it is lifted. One that
/// lies on none is put on the first that it is moved to.
extension Session {
    /// Applies a token's sample on the session's own topic. Returns where it lies.
    mutating func route(
        _ token: Token, claimed: Double?, time: SampleTime
    ) throws(Rejection) -> Hit? {
        let gesture = Gesture.token(token)
        guard token.phase == .began else {
            guard let place = routes.place(of: gesture, at: motion) else {
                throw Rejection(
                    .outOfOrder,
                    "\(token.phase.rawValue), but token \(token.symbol) does not lie there")
            }
            routes[place].lastSample = motion
            let route = routes[place]
            if !token.phase.goesOn { routes.remove(at: place) }
            if let target = route.listeners.first {
                try hand(gesture, to: target, claimed: claimed, time: time)
            } else if token.phase == .changed {
                return try land(token, of: place, claimed: claimed, time: time)
            }
            return route.hit
        }
        try cancelFormer(gesture, time: time)
        let hit = componentUnderToken(at: token.location).map { Hit(component: $0) }
        if let hit { try hand(gesture, to: hit.component, claimed: claimed, time: time) }
        try open(gesture, hit, hit.map { [$0.component] } ?? [])
        return hit
    }

    /// Puts a token, which lies on no component, on the one to which it was moved.
    private mutating func land(
        _ token: Token, of place: Int, claimed: Double?, time: SampleTime
    ) throws(Rejection) -> Hit? {
        guard let index = componentUnderToken(at: token.location) else {
            effects.isOfRest = true
            return nil
        }
        var landing = token
        landing.phase = .began
        let hit = Hit(component: index)
        routes[place].hit = hit
        do throws(Rejection) {
            try hand(.token(landing), to: index, claimed: claimed, time: time)
        } catch {
            // The rest of it is suppressed, as behind a `began`.
            routes.remove(at: place)
            refused.insert(
                Contact(
                    component: Contact.ofSession, gesture: .token, phase: .changed,
                    pointer: PointerNumber(token.symbol)),
                error)
            throw error
        }
        routes[place].listeners = [index]
        return hit
    }

    /// The component on which a token lies; nil: no kind there knows tokens.
    private func componentUnderToken(at point: Vector) -> Int? {
        var front: [Int] = []
        for index in machines.indices
        where type(of: machines[index]).gestures.contains(.token) {
            // From the outermost: of two in one slot the later is in front, and what is held is in
            // front of what holds it.
            let chain = Array(holders(of: index).reversed())
            if front.lexicographicallyPrecedes(chain), lies(point, in: chain) { front = chain }
        }
        return front.last
    }

    /// Whether a point of the viewport lies in a component's frame, and nothing that holds it cuts
    /// that off. The outermost stands first.
    private func lies(_ point: Vector, in chain: [Int]) -> Bool {
        chain.allSatisfy { index in
            let placement = scene.components[index].placement
            let isInnermost = index == chain[chain.count - 1]
            guard isInnermost || machines[index].reach != .closed else { return false }
            guard isInnermost || placement.clips else { return true }
            guard let change = coordinates(of: index) else { return false }
            let size = placement.frame.size
            return Rect(0, 0, size.width, size.height).contains(change.apply(point))
        }
    }
}
