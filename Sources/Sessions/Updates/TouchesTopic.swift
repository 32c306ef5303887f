import Geometry
import Gestures

/// The contacts that are down in a session, and their pending and published updates.
///
/// Nothing of it goes into an export: contacts that are down are told again with their next sample,
/// and the session has another epoch.
struct TouchesTopic: Sendable {
    private(set) var ledger = ContactLedger()
    /// Whether contacts are told.
    private(set) var isOn = false
    /// Nil: nobody has touched the session since its opening, or asked who does.
    private(set) var publication: Publication?
    /// Whether the next frame has them.
    private(set) var isFrameDue = false

    /// The contacts as they are told.
    var told: ContactLedger { isOn ? ledger : ContactLedger() }

    /// Tells contacts from now on, or no more. Returns whether that is to be told.
    mutating func set(isOn: Bool) -> Bool {
        guard isOn != self.isOn else { return false }
        self.isOn = isOn
        guard !ledger.isEmpty, isOn || publication != nil else { return false }
        change()
        return true
    }

    /// Takes a sample of a contact, whose point is in the viewport's coordinates.
    mutating func take(
        _ pointer: Pointer, at point: Vector, on component: Int?, by publisher: UInt32, now: Step
    ) {
        let isChanged = ledger.take(pointer, at: point, on: component, by: publisher, now: now)
        if isChanged, isOn { change() }
    }

    mutating func remove(_ pointer: PointerNumber, on component: Int?) {
        if ledger.remove(pointer, on: component), isOn { change() }
    }

    /// The components stand at other places.
    mutating func move(to places: [Int?]) {
        if ledger.move(to: places), isOn { change() }
    }

    /// Drops contacts that are lost by a step.
    mutating func dropSilent(at now: Step) {
        guard ledger.earliestLoss <= now else { return }
        ledger.dropSilent(at: now)
        if isOn { change() }
    }

    private mutating func change() {
        if publication == nil { publication = Self.first }
        publication?.change(urgently: false)
        isFrameDue = true
    }

    /// Its first update waits for a frame.
    private static var first: Publication {
        var publication = Publication()
        publication.deferChange()
        return publication
    }

    // MARK: Updates

    /// Answers a subscription. Where contacts are not told and never were, there is no answer.
    mutating func ask() {
        guard isOn || publication != nil else { return }
        if publication == nil { publication = Self.first }
        publication?.ask()
    }

    mutating func forgetAsking() { publication?.forgetAsking() }

    /// The stamp of an update that is sent now.
    mutating func send(at clock: Step, opened: Instant) -> Stamp? {
        publication?.send(at: clock, opened: opened)
    }

    mutating func sentInFrame() { isFrameDue = false }

    /// Whether a wanted topic waits for a frame.
    func hasChanges(for interest: Channels) -> Bool {
        if interest.contains(.frame), isFrameDue { return true }
        return interest.contains(.touches) && publication?.isChanged == true
    }
}
