package import Geometry

/// Contacts that hold one thing together, and how they follow one another.
extension PointerArena {
    /// A contact lands beside others.
    mutating func join(
        _ pointer: PointerNumber, at location: Vector, into outputs: inout [Recognized]
    ) {
        guard recognizers.contains(.grasp) else { return pairUp(pointer, at: location) }
        switch primary?.progress {
        case nil, .scrolling, .pressing, .pairing, .spent: ignore(pointer)
        case .open: pairUp(pointer, at: location)
        case .panning, .catching: beginGrasp(into: &outputs)
        case .grasping: tellGrasp(.changed, isRebased: true, into: &outputs)
        }
    }

    /// The place of an undecided contact that is alone here; nil: it is another one, has begun a
    /// gesture, or is not alone.
    package func lonePlace(besides pointer: PointerNumber) -> Vector? {
        guard let primary, primary.pointer != pointer, others.isEmpty,
            case .open = primary.progress
        else { return nil }
        return primary.location
    }

    /// All contacts that may hold the thing now. Returns false where there is one alone.
    @discardableResult
    mutating func beginGrasp(
        _ winner: GestureKind = .pinch, into outputs: inout [Recognized]
    ) -> Bool {
        guard let primary, hasPartners else { return false }
        self.primary?.progress = .grasping(FingerGroup(winner, at: primary.location))
        tellGrasp(.began, isRebased: true, into: &outputs)
        return true
    }

    /// Whether a contact is down that may hold the thing with the primary one.
    private var hasPartners: Bool {
        others.indices.contains { others[$0].reserve != nil }
    }

    /// Tells how the contacts hold the thing now.
    ///
    /// - Parameter isRebased: the fingers have become these just now.
    private mutating func tellGrasp(
        _ phase: Phase, isRebased: Bool = false, into outputs: inout [Recognized]
    ) {
        guard let place = primary?.location, case .grasping(var group)? = primary?.progress
        else { return }
        if isRebased {
            group = FingerGroup(group.winner, at: place)
            for other in others.indices {
                let place = others[other].location
                others[other].reserve?.base = place
            }
        }
        var grasp = group.sample(phase, isRebased: isRebased, primary: place, others)
        if phase == .began { grasp.landing = landing }
        outputs.append(.grasp(grasp))
        primary?.progress = .grasping(group)
    }

    /// The middle of where the contacts landed that may hold the thing.
    private var landing: Vector? {
        guard let primary else { return nil }
        let landed = [primary.landed] + others.compactMap { $0.reserve?.landed }
        return landed.reduce(.zero, +) / Double(landed.count)
    }

    /// Whether a contact beside the primary one has moved so far that the hold begins.
    mutating func grasps(
        _ pointer: PointerNumber, _ setting: ContactSetting, into outputs: inout [Recognized]
    ) -> Bool {
        guard recognizers.contains(.grasp), case .open? = primary?.progress,
            let other = others.first(where: { $0.pointer == pointer }),
            let reserve = other.reserve
        else { return false }
        let place = reserve.carried?.measured ?? other.location
        guard setting.scale.reach(place - reserve.landed) >= PanRecognizer.slopPoints else {
            return false
        }
        return beginGrasp(into: &outputs)
    }

    /// Takes the place of one of the contacts that hold the thing. Returns false where none does,
    /// or it is another.
    mutating func moveInGroup(
        _ pointer: PointerNumber, to location: Vector, now: Step, _ setting: ContactSetting,
        into outputs: inout [Recognized]
    ) -> Bool {
        // Mostly one finger is down alone.
        guard !others.isEmpty, case .grasping? = primary?.progress else { return false }
        if let former = primary, former.pointer == pointer {
            primary?.location = location
            primary?.lastSample = now
            primary?.carried?.follow(to: location, from: former.location, setting)
        } else {
            guard others.contains(where: { $0.pointer == pointer && $0.reserve != nil }) else {
                return false
            }
            moveOther(pointer, to: location, now: now, setting)
        }
        tellGrasp(.changed, into: &outputs)
        return true
    }

    mutating func moveOther(
        _ pointer: PointerNumber, to location: Vector, now: Step, _ setting: ContactSetting
    ) {
        guard let place = others.firstIndex(where: { $0.pointer == pointer }) else { return }
        let former = others[place].location
        others[place].location = location
        others[place].lastSample = now
        others[place].reserve?.carried?.follow(to: location, from: former, setting)
    }

    /// Measures the velocity of a contact that may become the primary one.
    mutating func track(
        _ pointer: PointerNumber, at time: SampleTime, _ setting: ContactSetting
    ) {
        guard let place = others.firstIndex(where: { $0.pointer == pointer }),
            let reserve = others[place].reserve
        else { return }
        let measured = reserve.carried?.measured ?? others[place].location
        others[place].reserve?.tracker.add(measured, at: time, tremble: setting.tremble)
    }

    /// A contact beside the primary one has left.
    mutating func leaveGroup(into outputs: inout [Recognized]) {
        switch primary?.progress {
        case .grasping: goOn(into: &outputs)
        case .open(let candidates, nil): openPrimary(candidates)
        case nil, .open, .catching, .panning, .scrolling, .pressing, .pairing, .spent: break
        }
    }

    /// The primary contact has left: the next one that holds the thing with it takes its place.
    mutating func succeedPrimary(into outputs: inout [Recognized]) {
        guard let former = primary else { return }
        primary = nil
        guard let place = others.firstIndex(where: { $0.reserve != nil }) else { return }
        let next = others.remove(at: place)
        guard let reserve = next.reserve else { return }
        var contact = PrimaryContact(
            pointer: next.pointer, landed: reserve.landed, location: next.location,
            lastSample: next.lastSample, tracker: reserve.tracker, progress: .spent(nil),
            carried: reserve.carried)
        switch former.progress {
        case .grasping(let group):
            contact.progress = .grasping(group)
            primary = contact
            goOn(into: &outputs)
        case .open:
            // The first contact has tapped for all.
            var setting = ContactSetting()
            setting.stopsMotion = true
            let candidates = Candidates(
                recognizers, landed: contact.measured, at: next.lastSample, setting)
            contact.progress = .open(candidates, nil)
            primary = contact
            openPrimary(candidates)
        case .catching, .panning, .scrolling, .pressing, .pairing, .spent:
            // It held the thing alone, and the others were ignored.
            others.append(next)
            ignoreOthers()
        }
    }

    /// Pairs the undecided primary contact with the next one.
    private mutating func openPrimary(_ candidates: Candidates) {
        guard let primary, let next = others.first(where: { $0.reserve != nil }) else { return }
        let pair = FingerPair(
            recognizers, primary.location, next.location, pointer: next.pointer, tracker: tracker)
        self.primary?.progress = .open(candidates, pair)
    }

    /// The contacts that hold the thing are others now: two and more go on together, one pans on.
    private mutating func goOn(into outputs: inout [Recognized]) {
        if hasPartners {
            tellGrasp(.changed, isRebased: true, into: &outputs)
        } else if let primary {
            self.primary?.progress = .panning(PanRecognizer.begun(landed: primary.measured))
            outputs.append(.pan(Pan(phase: .began, location: primary.location)))
        }
    }

    private mutating func ignore(_ pointer: PointerNumber) {
        for place in others.indices where others[place].pointer == pointer {
            others[place].reserve = nil
        }
    }

    /// No contact that is down becomes the primary one later.
    mutating func ignoreOthers() {
        for place in others.indices { others[place].reserve = nil }
    }
}
