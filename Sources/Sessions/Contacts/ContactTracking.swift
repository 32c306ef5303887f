import Geometry
import Gestures
import Interactions
import Notation

/// Raw contacts that are down on one component and make gestures together, and how the component's
/// state names them.
struct ContactTracking: Hashable, Sendable, Codable {
    var component: Int
    /// Nil: the shared hand.
    private var ownHand: Hand?
    var arena: PointerArena
    /// The person who took hold of the thing; nil: nobody has a name.
    private(set) var user: String?
    /// As the component's state publishes it.
    var recognizer: GestureKind?
    /// The component that follows its vertical drag now, where several share it; nil: its own.
    var sharedDrag: SharedDrag?
    /// The gestures of the last event; empty between two events, kept to reuse its memory.
    var recognized: [Recognized] = []

    private enum CodingKeys: String, CodingKey {
        case component, arena, user, recognizer
        case ownHand = "hand"
        case sharedDrag = "stroke"
    }

    init(component: Int, hand: Hand, arena: PointerArena) {
        self.component = component
        ownHand = hand == .shared ? nil : hand
        self.arena = arena
    }

    var hand: Hand { ownHand ?? .shared }
    var isShared: Bool { ownHand == nil }

    /// Whether a contact that lands holds the thing with those that are down. An exclusive thing is
    /// for those of the person who took hold of it.
    mutating func mayJoin(_ pointer: Pointer, isExclusive: Bool) -> Bool {
        if arena.counting == nil || arena.counting == pointer.pointer && arena.count == 1 {
            user = pointer.user
            return true
        }
        return !isExclusive || pointer.user == user
    }

    /// Takes one sample, and leaves in `recognized` what it means.
    mutating func feed(
        _ pointer: Pointer, time: SampleTime, at now: Step, _ setting: ContactSetting,
        joins: Bool
    ) throws(PointerArena.Refusal) {
        let (number, location) = (pointer.pointer, pointer.location)
        switch pointer.phase {
        case .began:
            try arena.landed(
                number, at: location, time: time, now: now, setting, joins: joins,
                into: &recognized)
        case .changed:
            try arena.moved(
                number, to: location, time: time, now: now, setting, into: &recognized)
        case .ended:
            try arena.lifted(
                number, at: location, time: time, now: now, setting, into: &recognized)
        case .cancelled: try arena.cancelled(number, into: &recognized)
        }
    }

    mutating func fire(at now: Step) { arena.fire(at: now, into: &recognized) }
    /// The contact in which a gesture has just begun; nil: none has.
    var winner: PointerNumber? {
        recognized.contains { $0.isOfGesture } ? arena.counting : nil
    }

    /// A contact is lost.
    mutating func lose(_ pointer: PointerNumber) throws(PointerArena.Refusal) {
        try arena.cancelled(pointer, into: &recognized)
    }

    mutating func mute() { arena.mute(into: &recognized) }
}

extension [ContactTracking] {
    /// The gesture that raw contacts on a component were recognised as; of several the one whose
    /// contacts landed first.
    func recognizer(on component: Int) -> GestureKind? {
        // A closure would get a copy of each.
        for index in indices where self[index].component == component {
            if let recognizer = self[index].recognizer { return recognizer }
        }
        return nil
    }

    /// The first step at which contacts on a component have something to do.
    func nextTimer(on component: Int) -> Step {
        var next = Step.never
        for index in indices where self[index].component == component {
            next = Swift.min(next, self[index].arena.nextTimer)
        }
        return next
    }
}

extension Limits {
    /// Raw contacts on one component: ten people with four fingers each, and as many palms again.
    package static let componentContactsMax = 64
}
