import Geometry
package import Gestures
import Interactions
import Notation

/// The raw contacts that are down on one component, and how the component's state names them.
struct ContactTracking: Hashable, Sendable, Codable {
    var component: Int
    var arena: PointerArena
    /// As the component's state publishes it.
    var recognizer: GestureKind?
    /// The component that follows its vertical drag now, where several share it; nil: its own.
    var sharedDrag: SharedDrag?
    /// The gestures of the last event; empty between two events, kept to reuse its memory.
    var recognized: [Recognized] = []

    private enum CodingKeys: String, CodingKey {
        case component, arena, recognizer
        case sharedDrag = "stroke"
    }

    init(component: Int, arena: PointerArena) {
        self.component = component
        self.arena = arena
    }

    /// Takes one sample, and leaves in `recognized` what it means.
    fileprivate mutating func feed(
        _ pointer: Pointer, time: SampleTime, at now: Step, _ setting: ContactSetting
    ) throws(PointerArena.Refusal) {
        let (number, location) = (pointer.pointer, pointer.location)
        switch pointer.phase {
        case .began:
            try arena.landed(
                number, at: location, time: time, now: now, setting, into: &recognized)
        case .changed:
            try arena.moved(
                number, to: location, time: time, now: now, setting, into: &recognized)
        case .ended:
            try arena.lifted(
                number, at: location, time: time, now: now, setting, into: &recognized)
        case .cancelled: try arena.cancelled(number, into: &recognized)
        }
    }

    fileprivate mutating func fire(at now: Step) { arena.fire(at: now, into: &recognized) }
    /// The contact in which a gesture has just begun; nil: none has.
    fileprivate var winner: PointerNumber? {
        recognized.contains { $0.isOfGesture } ? arena.counting : nil
    }

    fileprivate mutating func mute() { arena.mute(into: &recognized) }
}

/// How raw contacts reach a component.
///
/// A sample goes to the arena of its component, which exists while any contact is down; the arena
/// recognises gestures; the component takes them as it takes a publisher's own. A gesture that it
/// refuses is remembered in ``RefusedContacts``, so that the rest of the contact is suppressed.
extension Session {
    /// The gesture that raw contacts on a component were recognised as, while it lasts.
    package func recognizer(on component: Int) -> GestureKind? {
        tracking(on: component).flatMap { trackings[$0].recognizer }
    }

    /// The place in `trackings` of a component's contacts; nil: none is down on it. Inlined,
    /// because a call copies the session.
    @inline(__always)
    func tracking(on component: Int) -> Int? {
        if trackings.isEmpty { return nil }
        return trackings.firstIndex { $0.component == component }
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
        let tracking = startTracking(on: index)
        let isTouching = trackings[tracking].arena.isTouching
        do throws(PointerArena.Refusal) {
            try trackings[tracking].feed(pointer, time: time, at: motion, setting)
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
        case .pointer, .wheel, .tap, .swipe, .longpress, .pinch, .rotation: return gesture
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
    mutating func muteContacts(after gesture: Gesture, on index: Int) {
        guard let tracking = tracking(on: index), gesture.kind != .wheel,
            gesture.phase == .began || mayScrollAnyTime(gesture, on: index)
        else { return }
        trackings[tracking].mute()
        _ = perform(tracking, time: undated)
        updateRecognizer(of: tracking)
    }

    /// A component listens to other gestures now: it loses the contacts that are down.
    mutating func cancelContacts(on index: Int) {
        guard let tracking = tracking(on: index) else { return }
        trackings[tracking].mute()
        _ = perform(tracking, time: undated)
        trackings.remove(at: tracking)
        for pointer in routes.pointers(heardBy: index) { routes.leave(index, pointer) }
    }

    private func mayScrollAnyTime(_ gesture: Gesture, on index: Int) -> Bool {
        gesture.kind == .scroll && machines[index].scrollsInAnyOrder
    }

    // MARK: Time

    /// Whether raw contacts on a component had something to do by `step`; then it is done.
    mutating func fireContacts(on index: Int, at step: Step) -> Bool {
        guard let tracking = tracking(on: index), trackings[tracking].arena.nextTimer <= step else {
            return false
        }
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

    private mutating func startTracking(on index: Int) -> Int {
        if let tracking = tracking(on: index) { return tracking }
        let arena = PointerArena(machines[index].recognizers, tracker: scene.velocity)
        trackings.append(ContactTracking(component: index, arena: arena))
        return trackings.count - 1
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
        defer { trackings[tracking].recognized.removeAll(keepingCapacity: true) }
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
                .badValue, "pointer: at most \(PointerArena.contactsMax) are down on a component")
        }
    }
}
