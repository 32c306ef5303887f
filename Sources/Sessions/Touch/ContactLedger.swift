package import Geometry
package import Gestures
import Notation

/// The contacts that are down in a session, in the order in which they landed.
///
/// It follows what publishers send, and not what becomes of it: a contact on nothing is in it, too.
package struct ContactLedger: Hashable, Sendable {
    /// A contact that is down.
    package struct Entry: Hashable, Sendable {
        package let pointer: PointerNumber
        /// The component on whose topic it comes; nil: it comes on the session's own.
        fileprivate(set) var component: Int?
        /// In the viewport's coordinates.
        package fileprivate(set) var point: Vector
        /// As its first sample says, and so are its user and its color.
        package let kind: PointerKind
        /// The one of its last sample; nil: that does not say.
        package fileprivate(set) var pressure: Double?
        /// Nil: nobody knows whose it is.
        package let user: String?
        package let color: ContactColor
        fileprivate(set) var lastSample: Step
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// The first step at which one is lost; `never`: none is down.
    var earliestLoss: Step {
        var earliest = Step.never
        for entry in entries { earliest = min(earliest, entry.lastSample + Silence.stepsMax) }
        return earliest
    }

    /// The user of a contact; nil: it is not down, or nobody knows.
    func user(of pointer: PointerNumber, on component: Int?) -> String? {
        place(of: pointer, on: component).flatMap { entries[$0].user }
    }

    /// Without those that are lost by a step.
    func heard(at now: Step) -> ContactLedger {
        guard earliestLoss <= now else { return self }
        var heard = self
        heard.dropSilent(at: now)
        return heard
    }

    // MARK: Changes

    /// Takes a sample of a contact, whose point is in the viewport's coordinates. Returns whether
    /// what is told of the contacts has changed.
    mutating func take(
        _ pointer: Pointer, at point: Vector, on component: Int?, by publisher: UInt32,
        now: Step
    ) -> Bool {
        let place = place(of: pointer.pointer, on: component)
        if let place, pointer.phase == .changed {
            entries[place].lastSample = now
            guard entries[place].point != point || entries[place].pressure != pointer.pressure
            else { return false }
            entries[place].point = point
            entries[place].pressure = pointer.pressure
            return true
        }
        // A number that is down already begins another contact.
        if let place { entries.remove(at: place) }
        guard pointer.phase.goesOn, entries.count < Limits.contactsToldMax else {
            return place != nil
        }
        entries.append(
            Entry(
                pointer: pointer.pointer, component: component, point: point, kind: pointer.kind,
                pressure: pointer.pressure, user: pointer.user,
                color: ContactColor(
                    publisher: publisher, user: pointer.user, pointer: pointer.pointer),
                lastSample: now))
        return true
    }

    /// Forgets a contact. Returns whether it was down.
    mutating func remove(_ pointer: PointerNumber, on component: Int?) -> Bool {
        guard let place = place(of: pointer, on: component) else { return false }
        entries.remove(at: place)
        return true
    }

    /// Forgets those that are lost by a step.
    mutating func dropSilent(at now: Step) {
        entries.removeAll { $0.lastSample + Silence.stepsMax <= now }
    }

    /// The components stand at other places; contacts on one that has closed are gone. Returns
    /// whether any is.
    mutating func move(to places: [Int?]) -> Bool {
        let count = entries.count
        entries.removeAll { entry in entry.component.map { places[$0] == nil } ?? false }
        for place in entries.indices {
            entries[place].component = entries[place].component.flatMap { places[$0] }
        }
        return entries.count != count
    }

    private func place(of pointer: PointerNumber, on component: Int?) -> Int? {
        for place in entries.indices
        where entries[place].pointer == pointer && entries[place].component == component {
            return place
        }
        return nil
    }
}

extension Limits {
    /// Contacts of a session that are told: those of ten people with four fingers each, and half as
    /// many more. One that lands beyond them touches as any other, and is not told.
    package static let contactsToldMax = 64
}
