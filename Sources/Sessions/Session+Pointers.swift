import Geometry
package import Gestures
import Interactions
import Notation

/// The raw contacts that are down on one component, and what of them was told.
struct Hand: Hashable, Sendable, Codable {
    let component: Int
    var arena: PointerArena
    /// As the component's state tells it.
    var recognizer: GestureKind?
    /// What the last event meant; kept for its memory.
    var recognized: [Recognized] = []

    /// Between two events nothing is recognised that was not told.
    private enum CodingKeys: String, CodingKey { case component, arena, recognizer }

    init(component: Int, arena: PointerArena) {
        self.component = component
        self.arena = arena
    }

    /// Takes one sample; what it means stands in `recognized` then.
    fileprivate mutating func feed(
        _ pointer: Pointer, time: SampleTime, at now: Step
    ) throws(PointerArena.Refusal) {
        let (number, location) = (pointer.pointer, pointer.location)
        switch pointer.phase {
        case .began:
            try arena.landed(number, at: location, time: time, now: now, into: &recognized)
        case .changed:
            try arena.moved(number, to: location, time: time, now: now, into: &recognized)
        case .ended:
            try arena.lifted(number, at: location, time: time, now: now, into: &recognized)
        case .cancelled: try arena.cancelled(number, into: &recognized)
        }
    }

    fileprivate mutating func fire(at now: Step) { arena.fire(at: now, into: &recognized) }
    fileprivate mutating func mute() { arena.mute(into: &recognized) }
}

/// How raw contacts reach a component: through an arena that is kept while any of them is down.
extension Session {
    /// What raw contacts on a component were recognised as, while that lasts.
    package func recognizer(on component: Int) -> GestureKind? {
        hand(on: component).flatMap { hands[$0].recognizer }
    }

    func hand(on component: Int) -> Int? {
        if hands.isEmpty { return nil }
        return hands.firstIndex { $0.component == component }
    }

    // MARK: Events

    /// Takes one sample of a raw contact. If what it is recognised as is refused, so is the sample,
    /// and the rest of its contact is suppressed.
    mutating func touch(
        _ pointer: Pointer, on index: Int, time: SampleTime
    ) throws(Rejection) {
        guard !machines[index].recognizers.isEmpty else {
            // A kind that listens to no contacts says so itself.
            try machines[index].gesture(
                .pointer(pointer), time: time, at: motion, into: &effects)
            return
        }
        let hand = openHand(on: index)
        let isTouching = hands[hand].arena.isTouching
        do throws(PointerArena.Refusal) {
            try hands[hand].feed(pointer, time: time, at: motion)
        } catch {
            closeHand(hand)
            throw Rejection(error, pointer)
        }
        if let refusal = perform(hand, time: time) {
            let isLasting = pointer.phase == .changed
            if refusal.isWhole {
                giveUp(
                    pointer.pointer, of: hand, isTouching: isTouching,
                    isLasting ? refusal.reason : nil)
                closeHand(hand)
                reschedule(index)
                throw refusal.reason
            }
            giveUp(
                pointer.pointer, of: hand, isTouching: hands[hand].arena.isTouching,
                isLasting ? refusal.reason : nil)
        }
        settleHand(hand)
    }

    /// Refuses what continues a recognised gesture of a publisher's own, while raw contacts have
    /// begun one of its kind: the component took that as a new one.
    func judge(_ gesture: Gesture, on index: Int) throws(Rejection) {
        guard let hand = hand(on: index), let phase = gesture.phase, phase != .began,
            hands[hand].arena.openGesture == gesture.kind, !mayScrollAnyTime(gesture, on: index)
        else { return }
        throw Rejection(
            .outOfOrder, "\(phase.rawValue), but a raw contact has begun a new \(gesture.kind)")
    }

    /// Ends the part of raw contacts in a component that a publisher's own gesture took over.
    mutating func muteHand(after gesture: Gesture, on index: Int) {
        guard let hand = hand(on: index),
            gesture.phase == .began || mayScrollAnyTime(gesture, on: index)
        else { return }
        hands[hand].mute()
        _ = perform(hand, time: undated)
        settleHand(hand)
    }

    private func mayScrollAnyTime(_ gesture: Gesture, on index: Int) -> Bool {
        gesture.kind == .scroll && machines[index].scrollsInAnyOrder
    }

    // MARK: Time

    /// Whether raw contacts on a component had something to do by `step`; then it is done.
    mutating func fireHand(on index: Int, at step: Step) -> Bool {
        guard let hand = hand(on: index), hands[hand].arena.nextTimer <= step else {
            return false
        }
        hands[hand].fire(at: step)
        if let refusal = perform(hand, time: undated), let counting = hands[hand].arena.counting {
            giveUp(
                counting, of: hand, isTouching: hands[hand].arena.isTouching, refusal.reason)
        }
        settleHand(hand)
        // A timer's change is shown with the next frame; what is recognised is told at once.
        if effects.needsPublish { outgoing.states[index].change(urgently: false) }
        effects.needsPublish = false
        settle(index)
        return true
    }

    /// Of what no source dates.
    private var undated: SampleTime {
        SampleTime(claimed: nil, received: Double(instant.nanoseconds) / 1e6)
    }

    // MARK: Decisions

    private mutating func openHand(on index: Int) -> Int {
        if let hand = hand(on: index) { return hand }
        let arena = PointerArena(machines[index].recognizers, tracker: scene.velocity)
        hands.append(Hand(component: index, arena: arena))
        return hands.count - 1
    }

    /// Takes note of what a hand's contacts are recognised as now.
    private mutating func settleHand(_ hand: Int) {
        let recognizer = hands[hand].arena.recognizer
        if recognizer != hands[hand].recognizer {
            hands[hand].recognizer = recognizer
            outgoing.states[hands[hand].component].change(urgently: true)
        }
        closeHand(hand)
    }

    private mutating func closeHand(_ hand: Int) {
        if hands[hand].arena.isEmpty { hands.remove(at: hand) }
    }

    /// Follows a contact no more; what still comes of it is suppressed with `reason`, if it may.
    private mutating func giveUp(
        _ pointer: Int, of hand: Int, isTouching: Bool, _ reason: Rejection?
    ) {
        hands[hand].arena.fail(pointer, isTouching: isTouching)
        guard let reason else { return }
        let component = scene.components[hands[hand].component].id
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
    private mutating func perform(_ hand: Int, time: SampleTime) -> Refusal? {
        defer { hands[hand].recognized.removeAll(keepingCapacity: true) }
        var refusal: Refusal?
        var isTaken = false
        for recognized in hands[hand].recognized {
            do throws(Rejection) {
                try perform(recognized, on: hands[hand].component, time: time)
                isTaken = true
            } catch {
                // What the component has left by itself needs no cancelling.
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
        case .contentDrag(let drag):
            try machines[index].dragContent(drag, time: time, at: motion, into: &effects)
            if !drag.phase.goesOn { markDirty(index) }
            return
        case .pan(let pan): gesture = .pan(pan)
        case .swipe(let swipe): gesture = .swipe(swipe)
        case .tap(let target): gesture = .tap(target)
        case .longpress(let press): gesture = .longpress(press)
        case .pinch(let pinch): gesture = .pinch(pinch)
        case .rotation(let rotation): gesture = .rotation(rotation)
        }
        try machines[index].gesture(gesture, time: time, at: motion, into: &effects)
        // What a contact is recognised as as soon as it lands is over then, too.
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
