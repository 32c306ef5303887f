import Geometry

extension PointerArena {
    /// Whether a decoded one listens with these recognizers to contacts that could be.
    package func isSound(
        _ recognizers: Recognizers, tracker: VelocityTracker.Kind
    ) -> Bool {
        let pointers = [lead?.pointer].compactMap { $0 } + others.map(\.pointer)
        return self.recognizers == recognizers && self.tracker == tracker
            && pointers.count <= Self.contactsMax && Set(pointers).count == pointers.count
            && others.allSatisfy { $0.location.isPlace } && lead?.isSound(tracker) != false
    }
}

extension PointerArena.Lead {
    fileprivate func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        landed.isPlace && location.isPlace && tracker.isSound(kind) && course.isSound(kind)
    }
}

extension PointerArena.Course {
    fileprivate func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        switch self {
        case .open(let rivals, let pair): rivals.isSound && pair?.isSound(kind) != false
        case .panning(let pan), .scrolling(let pan): pan.isSound
        case .pressing(let press): press.isSound
        case .pairing(let pair): pair.isSound(kind)
        case .spent: true
        }
    }
}
