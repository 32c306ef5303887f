import Geometry
package import Gestures
import Interactions
import Notation

/// How raw contacts reach a component.
///
/// A sample goes to the arena of its component, or of the thing of the component that the contact
/// landed on (`Hand`). An arena exists while any contact is down in it; it recognises gestures; the
/// component takes them as it takes a publisher's own. A gesture that it refuses is remembered in
/// ``RefusedContacts``, so that the rest of the contact is suppressed.
extension Session {
    /// The gesture that raw contacts on a component were recognised as, while it lasts; of several
    /// the one whose contacts landed first.
    package func recognizer(on component: Int) -> GestureKind? {
        trackings.recognizer(on: component)
    }

    /// The place in `trackings` of a component's shared contacts; nil: none is down. Inlined,
    /// because a call copies the session.
    @inline(__always)
    func tracking(on component: Int) -> Int? {
        // A closure would get a copy of each.
        for place in trackings.indices
        where trackings[place].component == component && trackings[place].isShared {
            return place
        }
        return nil
    }

    /// The place in `trackings` where a contact is down on a component, or is not down and would be
    /// refused; nil: it is down nowhere. Inlined as `tracking(on:)` is.
    @inline(__always)
    func tracking(on component: Int, of pointer: PointerNumber) -> Int? {
        var shared: Int?
        for place in trackings.indices where trackings[place].component == component {
            // To ask an arena copies it, and mostly there is one.
            if trackings[place].isShared {
                shared = place
            } else if trackings[place].arena.isDown(pointer) {
                return place
            }
        }
        return shared
    }

    /// The place in `trackings` of a hand's contacts on a component; nil: none is down.
    private func tracking(on component: Int, of hand: Hand) -> Int? {
        trackings.firstIndex { $0.component == component && $0.hand.isSame(as: hand) }
    }

    // MARK: Events

    /// Takes one sample of a raw contact. If what it is recognised as is refused, so is the sample,
    /// and the rest of its contact is suppressed. Returns whether it makes a gesture.
    mutating func receive(
        _ pointer: Pointer, on index: Int, time: SampleTime, _ setting: ContactSetting
    ) throws(Rejection) -> Bool {
        guard !machines[index].recognizers.isEmpty else {
            // A component that listens to no contacts refuses this itself.
            try machines[index].gesture(
                .pointer(pointer), time: time, at: motion, into: &effects)
            return false
        }
        let tracking = try startTracking(on: index, with: pointer, time: time)
        let isTouching = trackings[tracking].arena.isTouching
        do throws(PointerArena.Refusal) {
            try trackings[tracking].feed(
                pointer, time: time, at: motion, setting,
                joins: pointer.phase != .began || joins(pointer, tracking))
        } catch {
            stopTrackingIfEmpty(tracking)
            // It never was a contact, so there is none to cancel.
            if pointer.isPalm { return false }
            throw Rejection(error, pointer)
        }
        let isOfGesture = trackings[tracking].recognized.contains { $0.isOfGesture }
        if let refusal = perform(tracking, time: time) {
            let isLasting = pointer.phase == .changed
            if refusal.isWhole {
                giveUp(
                    pointer.pointer, of: tracking, isTouching: isTouching,
                    isLasting ? refusal.reason : nil)
                stopTrackingIfEmpty(tracking)
                reschedule(index, machines[index].schedule)
                throw refusal.reason
            }
            giveUp(
                pointer.pointer, of: tracking, isTouching: trackings[tracking].arena.isTouching,
                isLasting ? refusal.reason : nil)
        }
        updateRecognizer(of: tracking)
        return isOfGesture
    }

    /// Facts for the recognizers about a sample that comes on the component's own topic.
    func setting(of pointer: Pointer, on index: Int) -> ContactSetting {
        var setting = ContactSetting()
        if scene.components[index].placement.holder != nil, let change = coordinates(of: index) {
            setting = ContactSetting(change)
        }
        if pointer.phase == .began, let place = coordinates(of: index) {
            let stop = self.stop(at: place.origin(of: pointer.location), on: index)
            setting.stopsMotion = stop.isAny
            setting.maySwipe = stop.maySwipe(index)
            setting.catches = machines[index].catches(at: pointer.location)
        }
        return setting
    }

    /// A gesture with how far a resting finger trembles in the own points of a component that
    /// another one holds.
    func measured(_ gesture: Gesture, on index: Int) -> Gesture {
        guard gesture.kind == .pan || gesture.kind == .scroll,
            let change = coordinates(of: index)
        else { return gesture }
        let tremble = ContactSetting(change).tremble
        switch gesture {
        case .pan(var pan):
            pan.tremble = tremble
            return .pan(pan)
        case .scroll(var scroll):
            scroll.tremble = tremble
            return .scroll(scroll)
        case .pointer, .wheel, .tap, .swipe, .longpress, .pinch, .rotation, .token:
            return gesture
        }
    }

    /// Refuses what continues a recognised gesture of a publisher's own, while raw contacts have
    /// begun one of its kind: the component took that as a new one.
    func judge(_ gesture: Gesture, on index: Int) throws(Rejection) {
        guard let tracking = tracking(on: index), let phase = gesture.phase, phase != .began,
            trackings[tracking].arena.openGesture == gesture.kind,
            !mayScrollAnyTime(gesture, on: index)
        else { return }
        throw Rejection(
            .outOfOrder, "\(phase.rawValue), but a raw contact has begun a new \(gesture.kind)")
    }

    /// Has the contacts of another tracking let go of what they share.
    mutating func mute(_ tracking: Int) {
        trackings[tracking].mute()
        _ = perform(tracking, time: undated)
    }

    /// Ends the part of raw contacts in a component that a publisher's own gesture took over. A
    /// wheel takes nothing over: a contact that drags refuses it, and another one may still drag.
    /// Nor does a token, beside which fingers touch.
    mutating func muteContacts(after gesture: Gesture, on index: Int) {
        guard gesture.kind != .wheel, gesture.kind != .token,
            gesture.phase == .began || mayScrollAnyTime(gesture, on: index)
        else { return }
        var hands = [Hand.shared]
        if let point = gesture.point {
            let hand = machines[index].hand(landing: 0, at: point)
            if hand != .shared { hands.append(hand) }
        }
        for hand in hands {
            guard let place = tracking(on: index, of: hand) else { continue }
            trackings[place].mute()
            _ = perform(place, time: undated)
            updateRecognizer(of: place)
        }
    }

    /// A component listens to other gestures now: it loses the contacts that are down.
    mutating func cancelContacts(on index: Int) {
        while let tracking = trackings.firstIndex(where: { $0.component == index }) {
            trackings[tracking].mute()
            _ = perform(tracking, time: undated)
            trackings.remove(at: tracking)
        }
        for pointer in routes.pointers(heardBy: index) { routes.leave(index, pointer) }
    }

    private func mayScrollAnyTime(_ gesture: Gesture, on index: Int) -> Bool {
        gesture.kind == .scroll && machines[index].scrollsInAnyOrder
    }

    // MARK: Time

    /// Whether raw contacts on a component had something to do by `step`; then it is done.
    mutating func fireContacts(on index: Int, at step: Step) -> Bool {
        let due = trackings.firstIndex {
            $0.component == index && $0.arena.nextTimer <= step
        }
        guard let tracking = due else { return false }
        trackings[tracking].fire(at: step)
        let winner = trackings[tracking].winner
        if let refusal = perform(tracking, time: undated),
            let counting = trackings[tracking].arena.counting
        {
            giveUp(
                counting, of: tracking, isTouching: trackings[tracking].arena.isTouching,
                refusal.reason)
        }
        updateRecognizer(of: tracking)
        // A timer's change is shown with the next frame; what is recognised is told at once.
        if effects.needsPublish { outgoing.changeState(index, urgently: false) }
        effects.needsPublish = false
        collectEffects(of: index)
        if let winner { keep(index, winner, time: undated) }
        return true
    }

    /// The time of what no source dates: now.
    private var undated: SampleTime {
        SampleTime(claimed: nil, received: Double(instant.nanoseconds) / 1e6)
    }

    // MARK: Decisions

    /// The place in `trackings` for a sample of a contact.
    private mutating func startTracking(
        on index: Int, with pointer: Pointer, time: SampleTime
    ) throws(Rejection) -> Int {
        let former = tracking(on: index, of: pointer.pointer)
        guard pointer.phase == .began else { return former ?? appendTracking(on: index, .shared) }
        let hand = hand(landing: pointer, on: index)
        if let former {
            // The shared hand may refuse it, and then nothing that is shown has changed.
            if hand == .shared || trackings[former].hand.isSame(as: hand) { return former }
            // It was lost, and lands on something else.
            try? trackings[former].lose(pointer.pointer)
            _ = perform(former, time: time)
            updateRecognizer(of: former)
        }
        let count = trackings.reduce(0) { $1.component == index ? $0 + $1.arena.count : $0 }
        guard count < Limits.componentContactsMax else {
            let most = Limits.componentContactsMax
            throw Rejection(.badValue, "pointer: at most \(most) are down on a component")
        }
        return tracking(on: index, of: hand) ?? appendTracking(on: index, hand)
    }

    private mutating func appendTracking(on index: Int, _ hand: Hand) -> Int {
        let arena = PointerArena(machines[index].recognizers, tracker: scene.velocity)
        trackings.append(ContactTracking(component: index, hand: hand, arena: arena))
        return trackings.count - 1
    }

    private mutating func joins(_ pointer: Pointer, _ tracking: Int) -> Bool {
        let (component, hand) = (trackings[tracking].component, trackings[tracking].hand)
        let isExclusive = machines[component].isExclusive(hand)
        return trackings[tracking].mayJoin(pointer, isExclusive: isExclusive)
    }

    /// The hand of a contact that lands: the things of a component have one each, and a contact
    /// beside all of them may make a pair with another such one.
    private func hand(landing pointer: Pointer, on index: Int) -> Hand {
        let hand = machines[index].hand(landing: pointer.pointer, at: pointer.location)
        guard case .beside = hand else { return hand }
        for tracking in trackings where tracking.component == index {
            guard case .beside = tracking.hand,
                let other = tracking.arena.lonePlace(besides: pointer.pointer),
                machines[index].pairs(
                    landingAt: pointer.location, beside: other,
                    isOnePerson: pointer.user == tracking.user)
            else { continue }
            return tracking.hand
        }
        return hand
    }

    /// Publishes anew what contacts are recognised as, if that changed.
    private mutating func updateRecognizer(of tracking: Int) {
        let recognizer = trackings[tracking].arena.recognizer
        if recognizer != trackings[tracking].recognizer {
            trackings[tracking].recognizer = recognizer
            outgoing.changeState(trackings[tracking].component, urgently: true)
        }
        stopTrackingIfEmpty(tracking)
    }

    private mutating func stopTrackingIfEmpty(_ tracking: Int) {
        if trackings[tracking].arena.isEmpty { trackings.remove(at: tracking) }
    }

    /// Follows a contact no more; what still comes of it is suppressed with `reason`, if it may.
    private mutating func giveUp(
        _ pointer: PointerNumber, of tracking: Int, isTouching: Bool, _ reason: Rejection?
    ) {
        trackings[tracking].arena.fail(pointer, isTouching: isTouching)
        guard let reason else { return }
        let component = scene.components[trackings[tracking].component].id
        refused.insert(
            Contact(component: component, gesture: .pointer, phase: .changed, pointer: pointer),
            reason)
    }

    /// Why something that was recognised was refused.
    private struct Refusal {
        var reason: Rejection
        /// Whether nothing of the event was taken before, so that all of it is refused.
        var isWhole: Bool
    }

    /// Hands the component what was recognised, up to what it refuses.
    private mutating func perform(_ tracking: Int, time: SampleTime) -> Refusal? {
        effects.hand = trackings[tracking].hand
        defer {
            effects.hand = .shared
            trackings[tracking].recognized.removeAll(keepingCapacity: true)
        }
        var refusal: Refusal?
        var isTaken = false
        for recognized in trackings[tracking].recognized {
            do throws(Rejection) {
                try perform(recognized, on: trackings[tracking].component, time: time)
                isTaken = true
            } catch {
                // A gesture that the component has left by itself needs no cancelling.
                if recognized.isCancellation { continue }
                guard isTaken else { return Refusal(reason: error, isWhole: true) }
                refusal = refusal ?? Refusal(reason: error, isWhole: false)
            }
        }
        return refusal
    }

    private mutating func perform(
        _ recognized: Recognized, on index: Int, time: SampleTime
    ) throws(Rejection) {
        let gesture: Gesture
        switch recognized {
        case .touch(let touch):
            machines[index].touch(touch, at: motion, into: &effects)
            return
        case .contentDrag(let drag): return try follow(drag, on: index, time: time)
        case .grasp(let grasp):
            return try machines[index].grasp(grasp, at: motion, into: &effects)
        case .pan(let pan): gesture = .pan(pan)
        case .swipe(let swipe): gesture = .swipe(swipe)
        case .tap(let target): gesture = .tap(target)
        case .longpress(let press): gesture = .longpress(press)
        case .pinch(let pinch): gesture = .pinch(pinch)
        case .rotation(let rotation): gesture = .rotation(rotation)
        }
        try machines[index].gesture(gesture, time: time, at: motion, into: &effects)
        // A gesture that is recognised as soon as its contact lands is over then, too.
        if gesture.phase?.goesOn != true { markDirty(index) }
    }
}

extension Rejection {
    fileprivate init(_ refusal: PointerArena.Refusal, _ pointer: Pointer) {
        switch refusal {
        case .notDown:
            self.init(
                .outOfOrder,
                "\(pointer.phase.rawValue), but pointer \(pointer.pointer) is not down")
        case .tooMany:
            self.init(
                .badValue, "pointer: at most \(PointerArena.contactsMax) are down on one thing")
        }
    }
}
