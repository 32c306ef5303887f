import Geometry

/// Movements, ends and losses of contacts.
extension PointerArena {
    func location(of pointer: PointerNumber) -> Vector? {
        if let primary, primary.pointer == pointer { return primary.location }
        return others.first { $0.pointer == pointer }?.location
    }

    /// The locations of the pair's two fingers.
    private func places(of pair: FingerPair) -> (Vector, Vector)? {
        guard let primary, let second = location(of: pair.pointer) else { return nil }
        return (primary.location, second)
    }

    /// Pairs a landing contact with the primary one, if that is undecided or has only caught
    /// something, and the component listens for pairs.
    mutating func pairUp(_ pointer: PointerNumber, at location: Vector) {
        guard let primary else { return }
        var pair: FingerPair? {
            FingerPair(
                recognizers, primary.location, location, pointer: pointer, tracker: tracker)
        }
        switch primary.progress {
        case .open(let candidates, nil): self.primary?.progress = .open(candidates, pair)
        case .catching(let pan, nil): self.primary?.progress = .catching(pan, pair)
        case .open, .catching, .panning, .scrolling, .pressing, .pairing, .grasping, .spent: break
        }
    }

    // MARK: Moves

    /// Takes a contact's new sample. Returns whether the primary contact moved.
    mutating func follow(
        _ pointer: PointerNumber, to location: Vector, time: SampleTime, now: Step,
        _ setting: ContactSetting, into outputs: inout [Recognized]
    ) -> Bool {
        if moveInGroup(pointer, to: location, now: now, setting, into: &outputs) { return false }
        guard let former = primary, former.pointer == pointer else {
            moveOther(pointer, to: location, now: now, setting)
            if grasps(pointer, setting, into: &outputs) { return false }
            followPair(pointer, time: time, setting, into: &outputs)
            return false
        }
        primary?.location = location
        primary?.lastSample = now
        primary?.carried?.follow(to: location, from: former.location, setting)
        let measured = primary?.carried?.measured ?? location
        switch former.progress {
        case .open(var candidates, _):
            // If both begin with one sample, two fingers win over one.
            if followPair(pointer, time: time, setting, into: &outputs) { break }
            let winner = candidates.moved(to: measured, at: now, setting)
            decide(winner, candidates, setting, into: &outputs)
        case .catching(var pan, _):
            if followPair(pointer, time: time, setting, into: &outputs) { break }
            _ = pan.moved(to: measured)
            if case .catching(_, let pair) = primary?.progress {
                let way = setting.scale.reach(measured - former.landed)
                primary?.progress =
                    way >= PanRecognizer.slopPoints ? .panning(pan) : .catching(pan, pair)
            }
            outputs.append(.pan(Pan(phase: .changed, location: location)))
        case .panning(var pan):
            _ = pan.moved(to: measured)
            primary?.progress = .panning(pan)
            outputs.append(.pan(Pan(phase: .changed, location: location)))
        case .scrolling(var pan):
            if case .changed(let translation) = pan.moved(to: measured) {
                outputs.append(drag(.changed, by: translation, setting))
            }
            primary?.progress = .scrolling(pan)
        case .pressing(var press):
            _ = press.moved(to: location)
            primary?.progress = .pressing(press)
            outputs.append(.pressed(.changed, at: location))
        case .pairing: followPair(pointer, time: time, setting, into: &outputs)
        case .grasping, .spent: break
        }
        return location != former.location
    }

    private func drag(
        _ phase: Phase, by translation: Vector, _ setting: ContactSetting
    ) -> Recognized {
        .contentDrag(
            ContentDrag(phase: phase, translation: translation.y, tremble: setting.tremble))
    }

    /// Lets the first candidate that began win. A pair in preparation is dropped.
    private mutating func decide(
        _ winner: Candidates.Winner?, _ candidates: Candidates, _ setting: ContactSetting,
        into outputs: inout [Recognized]
    ) {
        guard let primary else { return }
        switch winner {
        case nil:
            guard case .open(_, let pair) = primary.progress else { return }
            self.primary?.progress = .open(candidates, pair)
        case .pan(let pan):
            if beginGrasp(into: &outputs) { return }
            self.primary?.progress = .panning(pan)
            outputs.append(.pan(Pan(phase: .began, location: primary.location)))
        case .scroll(let pan, let translation):
            self.primary?.progress = .scrolling(pan)
            outputs.append(drag(.began, by: Vector(0, translation), setting))
        case .swipe(let direction):
            self.primary?.progress = .spent(.swipe)
            outputs.append(.swipe(Swipe(direction: direction, target: .point(primary.landed))))
        case .longpress(let press):
            self.primary?.progress = .pressing(press)
            outputs.append(.pressed(.began, at: primary.location))
        }
    }

    /// Takes a movement of one of the pair's fingers. Returns whether the pair has won.
    @discardableResult
    private mutating func followPair(
        _ pointer: PointerNumber, time: SampleTime, _ setting: ContactSetting,
        into outputs: inout [Recognized]
    ) -> Bool {
        guard let primary else { return false }
        switch primary.progress {
        case .open(let candidates, var pair?):
            guard isOf(pair, pointer), let (a, b) = places(of: pair) else { return false }
            if recognizers.contains(.grasp) {
                var unheard: [Recognized] = []
                pair.moved(a, b, time: time, scale: setting.scale, into: &unheard)
                if let winner = pair.winner, beginGrasp(winner, into: &outputs) { return true }
                self.primary?.progress = .open(candidates, pair)
                return false
            }
            pair.moved(a, b, time: time, scale: setting.scale, into: &outputs)
            let hasWon = pair.winner != nil
            self.primary?.progress = hasWon ? .pairing(pair) : .open(candidates, pair)
            return hasWon
        case .catching(let pan, var pair?):
            guard isOf(pair, pointer), let (a, b) = places(of: pair) else { return false }
            var recognized: [Recognized] = []
            pair.moved(a, b, time: time, scale: setting.scale, into: &recognized)
            let hasWon = pair.winner != nil
            if hasWon {
                outputs.append(.pan(Pan(phase: .cancelled, location: primary.location)))
            }
            outputs += recognized
            self.primary?.progress = hasWon ? .pairing(pair) : .catching(pan, pair)
            return hasWon
        case .pairing(var pair):
            guard isOf(pair, pointer), let (a, b) = places(of: pair) else { return true }
            pair.moved(a, b, time: time, scale: setting.scale, into: &outputs)
            self.primary?.progress = .pairing(pair)
            return true
        case .open(_, nil), .catching(_, nil), .panning, .scrolling, .pressing, .grasping, .spent:
            return false
        }
    }

    private func isOf(_ pair: FingerPair, _ pointer: PointerNumber) -> Bool {
        pair.pointer == pointer || primary?.pointer == pointer
    }

    // MARK: Ends

    /// A contact lifts at its place: its gesture ends.
    mutating func lift(
        _ pointer: PointerNumber, time: SampleTime, _ setting: ContactSetting,
        into outputs: inout [Recognized]
    ) {
        guard let primary else {
            others.removeAll { $0.pointer == pointer }
            return
        }
        guard primary.pointer == pointer else {
            unpair(pointer, time: time, into: &outputs)
            others.removeAll { $0.pointer == pointer }
            leaveGroup(into: &outputs)
            return
        }
        let location = primary.location
        switch primary.progress {
        case .open(var candidates, _):
            if let place = candidates.lifted(at: location, landed: primary.landed) {
                outputs.append(.tap(.point(place)))
            }
        case .panning(var pan), .catching(var pan, _):
            guard case .ended = pan.lifted(at: primary.measured) else { break }
            let velocity = primary.tracker.velocity(
                endingAt: primary.measured, time: time, tremble: setting.tremble)
            outputs.append(.pan(Pan(phase: .ended, location: location, velocity: velocity)))
        case .scrolling(var pan):
            if case .ended(let translation) = pan.lifted(at: primary.measured) {
                outputs.append(drag(.ended, by: translation, setting))
            }
        case .pressing(var press):
            guard case .ended = press.lifted(at: location) else { break }
            outputs.append(.pressed(.ended, at: location))
        case .pairing(var pair):
            if let (a, b) = places(of: pair) { pair.lifted(a, b, time: time, into: &outputs) }
        case .grasping, .spent: break
        }
        succeedPrimary(into: &outputs)
    }

    /// A contact is lost: its gesture is cancelled.
    mutating func drop(_ pointer: PointerNumber, into outputs: inout [Recognized]) {
        if let primary, primary.pointer == pointer {
            cancel(primary, into: &outputs)
            succeedPrimary(into: &outputs)
            return
        }
        unpair(pointer, time: nil, into: &outputs)
        others.removeAll { $0.pointer == pointer }
        leaveGroup(into: &outputs)
    }

    private func cancel(_ primary: PrimaryContact, into outputs: inout [Recognized]) {
        let location = primary.location
        switch primary.progress {
        case .open, .grasping, .spent: break
        case .panning(var pan), .catching(var pan, _):
            guard pan.cancel(at: location) != nil else { break }
            outputs.append(.pan(Pan(phase: .cancelled, location: location)))
        case .scrolling(var pan):
            if let translation = pan.cancel(at: primary.measured) {
                let drag = ContentDrag(phase: .cancelled, translation: translation.y)
                outputs.append(.contentDrag(drag))
            }
        case .pressing(var press):
            guard press.cancel() else { break }
            outputs.append(.pressed(.cancelled, at: location))
        case .pairing(var pair):
            if let (a, b) = places(of: pair) { pair.cancel(a, b, into: &outputs) }
        }
    }

    /// The second finger lifts at `time`, or is lost (nil). If a gesture was recognized, the first
    /// finger makes no other one.
    private mutating func unpair(
        _ pointer: PointerNumber, time: SampleTime?, into outputs: inout [Recognized]
    ) {
        guard let primary else { return }
        switch primary.progress {
        case .open(let candidates, let pair?) where pair.pointer == pointer:
            self.primary?.progress = .open(candidates, nil)
        case .catching(let pan, let pair?) where pair.pointer == pointer:
            self.primary?.progress = .catching(pan, nil)
        case .pairing(var pair) where pair.pointer == pointer:
            guard let (a, b) = places(of: pair) else { return }
            if let time {
                pair.lifted(a, b, time: time, into: &outputs)
            } else {
                pair.cancel(a, b, into: &outputs)
            }
            self.primary?.progress = .spent(nil)
        case .open, .catching, .panning, .scrolling, .pressing, .pairing, .grasping, .spent: break
        }
    }

    /// Ignores the primary contact from now on. Its gesture ends without an output.
    mutating func silencePrimary() {
        guard let primary else { return }
        others.append(
            SecondaryContact(
                pointer: primary.pointer, location: primary.location, lastSample: primary.lastSample
            ))
        self.primary = nil
    }

    /// Tells the component that the primary contact is gone, if that is still due.
    mutating func tellLoss(into outputs: inout [Recognized]) {
        guard primary == nil, isTouching else { return }
        isTouching = false
        outputs.append(.touch(.up))
    }
}
