import Geometry

extension PointerArena {
    /// Whether a decoded arena has these recognizers, and contacts that events could have led to.
    package func isSound(
        _ recognizers: Recognizers, tracker: VelocityTracker.Kind
    ) -> Bool {
        let pointers = [primary?.pointer].compactMap { $0 } + others.map(\.pointer)
        // Kinds of a former version listened to less.
        return recognizers.isSuperset(of: self.recognizers) && self.tracker == tracker
            && pointers.count <= Self.contactsMax && Set(pointers).count == pointers.count
            && others.allSatisfy { $0.isSound(tracker, recognizers) }
            && primary?.isSound(tracker) != false && isGroupSound
    }
}

extension PointerArena {
    private var isGroupSound: Bool {
        guard let primary, case .grasping = primary.progress else { return true }
        return recognizers.isSuperset(of: [.pan, .grasp]) && others.contains { $0.reserve != nil }
    }
}

extension PointerArena.SecondaryContact {
    fileprivate func isSound(_ kind: VelocityTracker.Kind, _ recognizers: Recognizers) -> Bool {
        guard location.isPlace else { return false }
        guard let reserve else { return true }
        return recognizers.contains(.grasp) && reserve.landed.isPlace && reserve.base.isPlace
            && reserve.tracker.isSound(kind) && reserve.carried?.isSound != false
    }
}

extension PointerArena.PrimaryContact {
    fileprivate func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        landed.isPlace && location.isPlace && tracker.isSound(kind) && progress.isSound(kind)
            && carried?.isSound != false
    }
}

extension PointerArena.Progress {
    fileprivate func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        switch self {
        case .open(let candidates, let pair): candidates.isSound && pair?.isSound(kind) != false
        case .catching(let pan, let pair): pan.isSound && pair?.isSound(kind) != false
        case .panning(let pan), .scrolling(let pan): pan.isSound
        case .pressing(let press): press.isSound
        case .pairing(let pair): pair.isSound(kind)
        case .grasping(let group): group.isSound
        case .spent: true
        }
    }
}
