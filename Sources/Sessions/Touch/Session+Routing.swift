import Geometry
import Gestures
import Interactions
import Notation

/// Gestures on `gesture/<session>`: the session finds out who is meant.
///
/// A contact belongs to the component under its beginning and to those that hold it, as far as
/// they could take it. All of them see it, each in its own coordinates; the first whose recognizer
/// begins keeps it, at a tie the innermost, and the others lose it. A recognised gesture goes to
/// the innermost of them whose kind knows it. A scroller that cannot follow a drag or a wheel
/// leaves it to one that holds it and can (`Session+Scrolling`).
extension Session {
    /// Applies a gesture on the session's own topic. Returns what it hit.
    mutating func route(
        _ gesture: Gesture, claimed: Double?, time: SampleTime
    ) throws(Rejection) -> Hit? {
        if case .pointer(let pointer) = gesture {
            return try route(pointer, claimed: claimed, time: time)
        }
        if case .token(let token) = gesture {
            return try route(token, claimed: claimed, time: time)
        }
        if case .wheel(let wheel) = gesture, let place = placeOfSeries(wheel) {
            routes[place].lastSample = motion
            if routes[place].isUndecided == true,
                try decide(wheel, of: place, claimed: claimed, time: time)
            {
                return routes[place].hit
            }
            let route = routes[place]
            if let target = route.listeners.first {
                try hand(gesture, to: target, claimed: claimed, time: time)
            }
            return route.hit
        }
        if let phase = gesture.phase, phase != .began, gesture.kind != .wheel {
            guard let place = routes.place(of: gesture, at: motion) else {
                throw Rejection(.outOfOrder, "\(phase.rawValue), but no \(gesture.kind) is open")
            }
            routes[place].lastSample = motion
            let route = routes[place]
            if !phase.goesOn { routes.remove(at: place) }
            if let target = route.listeners.first {
                try hand(gesture, to: target, claimed: claimed, time: time)
            }
            return route.hit
        }
        guard let point = gesture.point else {
            throw Rejection(
                .missingField, "keys x and y: are required, to tell which component is meant")
        }
        try cancelFormer(gesture, time: time)
        guard let hit = hit(at: point) else {
            try open(gesture, nil, [])
            return nil
        }
        guard let target = target(of: gesture, on: hit.component) else {
            throw .unknown(gesture.kind, on: scene.components[hit.component])
        }
        try hand(gesture, to: target, claimed: claimed, time: time)
        try open(gesture, hit, [target])
        return hit
    }

    /// Remembers a gesture that goes on.
    mutating func open(
        _ gesture: Gesture, _ hit: Hit?, _ listeners: [Int]
    ) throws(Rejection) {
        guard gesture.phase != nil || gesture.kind == .wheel else { return }
        var route = Route(
            gesture: gesture.kind, pointer: gesture.pointer, hit: hit, listeners: listeners,
            lastSample: motion)
        if case .token(let token) = gesture { route.symbol = token.symbol }
        if case .wheel(let wheel) = gesture, let target = listeners.first,
            coordinates(of: target)?.turn(wheel.delta).y == 0
        {
            route.isUndecided = true
        }
        guard routes.add(route) else { throw Self.tooManyRoutes }
    }

    private static let tooManyRoutes = Rejection(
        .badValue, "gesture: at most \(Limits.routesMax) of a session are open, with its contacts")

    /// A beginning ends a former gesture of its kind, which may be another component's.
    mutating func cancelFormer(
        _ gesture: Gesture, time: SampleTime
    ) throws(Rejection) {
        guard let place = routes.place(of: gesture, at: motion), let end = gesture.cancelled else {
            return
        }
        let listeners = routes[place].listeners
        routes.remove(at: place)
        for index in listeners {
            // A component that has left the gesture by itself needs no cancelling.
            try? hand(end, to: index, claimed: nil, time: time)
        }
    }

    /// Hands a gesture to a component, in its own coordinates.
    mutating func hand(
        _ gesture: Gesture, to index: Int, claimed: Double?, time: SampleTime
    ) throws(Rejection) {
        guard let place = coordinates(of: index) else {
            // Its slot has gone, and the finger with it, as a view's touches do.
            leave(gesture, index)
            if let end = gesture.cancelled { try? apply(end, on: index, time: time) }
            return
        }
        try apply(gesture.placed(by: place), on: index, time: time)
        notes[index].note(input: claimed)
    }

    /// The series of a wheel that goes on: all of it goes where it began, also what the source
    /// still turns by itself. Nil: a new series begins.
    private func placeOfSeries(_ wheel: Wheel) -> Int? {
        guard let place = routes.place(of: .wheel(wheel), at: motion) else { return nil }
        let isFree = wheel.isMomentum || wheel.phase == nil
        if isFree { return motion <= routes[place].lastSample + Wheel.pauseSteps ? place : nil }
        return wheel.phase == .began ? nil : place
    }

    private mutating func leave(_ gesture: Gesture, _ index: Int) {
        guard let place = routes.place(of: gesture, at: motion) else { return }
        routes[place].listeners.removeAll { $0 == index }
    }

    // MARK: Raw contacts

    private mutating func route(
        _ pointer: Pointer, claimed: Double?, time: SampleTime
    ) throws(Rejection) -> Hit? {
        let gesture = Gesture.pointer(pointer)
        guard pointer.phase == .began else {
            guard let place = routes.place(of: gesture, at: motion) else {
                // It never was a contact, so there is none to cancel.
                if pointer.isPalm { return nil }
                throw Rejection(
                    .outOfOrder,
                    "\(pointer.phase.rawValue), but pointer \(pointer.pointer) is not down")
            }
            routes[place].lastSample = motion
            let hit = routes[place].hit
            defer { if !pointer.phase.goesOn { forget(gesture) } }
            try feed(pointer, claimed: claimed, time: time)
            return hit
        }
        try cancelFormer(gesture, time: time)
        guard let hit = hit(at: pointer.location) else {
            try open(gesture, nil, [])
            return nil
        }
        var listeners: [Int] = []
        for index in holders(of: hit.component) where !machines[index].recognizers.isEmpty {
            guard let place = coordinates(of: index),
                machines[index].takesLanding(at: place.apply(pointer.location))
            else { continue }
            listeners.append(index)
        }
        try open(gesture, hit, listeners)
        let stop = self.stop(at: pointer.location, on: hit.component)
        do throws(Rejection) {
            try feed(pointer, claimed: claimed, time: time, stop)
        } catch {
            forget(gesture)
            throw error
        }
        return hit
    }

    private mutating func forget(_ gesture: Gesture) {
        if let place = routes.place(of: gesture, at: motion) { routes.remove(at: place) }
    }

    /// Feeds a sample to all that hear of the contact, from the innermost, until one has begun a
    /// gesture: then the others lose it.
    private mutating func feed(
        _ pointer: Pointer, claimed: Double?, time: SampleTime, _ stop: Stop = Stop()
    ) throws(Rejection) {
        let gesture = Gesture.pointer(pointer)
        guard let place = routes.place(of: gesture, at: motion) else { return }
        var setting = ContactSetting()
        setting.stopsMotion = stop.isAny
        // The usual case, in which nothing is allocated: one component has it already.
        if routes[place].listeners.count == 1 {
            let index = routes[place].listeners[0]
            setting.catches = stop.catcher == index
            setting.maySwipe = stop.maySwipe(index)
            _ = try feed(pointer, to: index, setting, claimed: claimed, time: time)
            return
        }
        let listeners = routes[place].listeners
        for (rank, index) in listeners.enumerated() {
            let outer = listeners[(rank + 1)...]
            setting.mayScroll = mayScroll(index, with: pointer, before: outer)
            setting.catches = stop.catcher == index
            setting.maySwipe = stop.maySwipe(index)
            guard try feed(pointer, to: index, setting, claimed: claimed, time: time) else {
                continue
            }
            keep(index, pointer.pointer, time: time)
            return
        }
    }

    /// Returns whether the component has begun a gesture with this sample.
    private mutating func feed(
        _ pointer: Pointer, to index: Int, _ former: ContactSetting, claimed: Double?,
        time: SampleTime
    ) throws(Rejection) -> Bool {
        guard let place = coordinates(of: index) else {
            // Its slot has gone, and the finger with it, as a view's touches do.
            drop(pointer.pointer, from: index, time: time)
            return false
        }
        var own = pointer
        own.location = place.apply(pointer.location)
        var setting = ContactSetting(place)
        setting.mayScroll = former.mayScroll
        setting.stopsMotion = former.stopsMotion
        setting.maySwipe = former.maySwipe
        setting.catches = former.catches
        if scene.components[index].placement.holder != nil { setting.place = pointer.location }
        let hasBegun: Bool
        do throws(Rejection) {
            hasBegun = try receive(own, on: index, time: time, setting)
        } catch {
            // This component would have begun: it has the contact, and refuses it.
            keep(index, pointer.pointer, time: time)
            suppressRest(of: pointer, error)
            collectEffects(of: index)
            throw error
        }
        notes[index].note(input: claimed)
        collectEffects(of: index)
        fireTimers()
        return hasBegun
    }

    /// The rest of a refused contact is suppressed on the session's topic, too.
    private mutating func suppressRest(of pointer: Pointer, _ rejection: Rejection) {
        guard pointer.phase == .changed else { return }
        refused.insert(
            Contact(
                component: Contact.ofSession, gesture: .pointer, phase: .changed,
                pointer: pointer.pointer),
            rejection)
        forget(.pointer(pointer))
    }

    /// A component has won a contact, and with it the other one of a pair: all others lose them.
    mutating func keep(_ index: Int, _ pointer: PointerNumber, time: SampleTime) {
        let engaged =
            tracking(on: index, of: pointer).map { trackings[$0].arena.engaged } ?? []
        for place in routes.open.indices {
            guard let number = routes[place].pointer, routes[place].listeners.contains(index),
                number == pointer || engaged.contains(number)
            else { continue }
            let losers = routes[place].listeners.filter { $0 != index }
            routes[place].listeners = [index]
            for loser in losers { drop(number, from: loser, time: time) }
        }
    }

    /// A component loses a contact: whatever it had begun with it is cancelled.
    private mutating func drop(_ pointer: PointerNumber, from index: Int, time: SampleTime) {
        for place in routes.open.indices where routes[place].pointer == pointer {
            routes[place].listeners.removeAll { $0 == index }
        }
        let lost = Pointer(phase: .cancelled, pointer: pointer, location: .zero)
        // It may have lost the contact already.
        _ = try? receive(lost, on: index, time: time, ContactSetting())
        collectEffects(of: index)
    }
}

extension Rejection {
    fileprivate static func unknown(
        _ gesture: GestureKind, on component: Scene.Component
    ) -> Rejection {
        Rejection(
            .unknownGesture,
            "neither \(component.id) nor what holds it knows \(gesture.rawValue)")
    }
}
