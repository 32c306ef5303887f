import Geometry

/// How contacts are followed, and how they go.
extension PointerArena {
    func location(of pointer: Int) -> Vector? {
        if let lead, lead.pointer == pointer { return lead.location }
        return others.first { $0.pointer == pointer }?.location
    }

    /// The places of the pair's two fingers.
    private func places(of pair: FingerPair) -> (Vector, Vector)? {
        guard let lead, let second = location(of: pair.pointer) else { return nil }
        return (lead.location, second)
    }

    /// Makes a pair of the contact that counts and one that landed now, where that may matter.
    mutating func pairUp(_ pointer: Int, at location: Vector) {
        guard let lead, case .open(let rivals, nil) = lead.course else { return }
        let pair = FingerPair(
            recognizers, lead.location, location, pointer: pointer, tracker: tracker)
        self.lead?.course = .open(rivals, pair)
    }

    // MARK: Moves

    /// Takes over a contact's new sample; returns whether the one that counts has moved.
    mutating func follow(
        _ pointer: Int, to location: Vector, time: SampleTime, now: Step,
        into outputs: inout [Recognized]
    ) -> Bool {
        guard let former = lead, former.pointer == pointer else {
            if let place = others.firstIndex(where: { $0.pointer == pointer }) {
                others[place].location = location
                others[place].lastSample = now
            }
            followPair(pointer, time: time, into: &outputs)
            return false
        }
        lead?.location = location
        lead?.lastSample = now
        switch former.course {
        case .open(var rivals, _):
            // Two fingers are more than one: a pair that begins with the same sample wins.
            if followPair(pointer, time: time, into: &outputs) { break }
            let winner = rivals.moved(to: location, at: now)
            settle(winner, rivals, into: &outputs)
        case .panning(var pan):
            _ = pan.moved(to: location)
            lead?.course = .panning(pan)
            outputs.append(.pan(Pan(phase: .changed, location: location)))
        case .scrolling(var pan):
            if case .changed(let translation) = pan.moved(to: location) {
                let drag = ContentDrag(phase: .changed, translation: translation.y)
                outputs.append(.contentDrag(drag))
            }
            lead?.course = .scrolling(pan)
        case .pressing(var press):
            _ = press.moved(to: location)
            lead?.course = .pressing(press)
            outputs.append(.longpress(LongPress(phase: .changed, location: location)))
        case .pairing: followPair(pointer, time: time, into: &outputs)
        case .spent: break
        }
        return location != former.location
    }

    /// The first of the rivals that begins wins; a pair that was forming is none any more.
    private mutating func settle(
        _ winner: Rivals.Winner?, _ rivals: Rivals, into outputs: inout [Recognized]
    ) {
        guard let lead else { return }
        switch winner {
        case nil:
            guard case .open(_, let pair) = lead.course else { return }
            self.lead?.course = .open(rivals, pair)
        case .pan(let pan):
            self.lead?.course = .panning(pan)
            outputs.append(.pan(Pan(phase: .began, location: lead.location)))
        case .scroll(let pan, let translation):
            self.lead?.course = .scrolling(pan)
            outputs.append(.contentDrag(ContentDrag(phase: .began, translation: translation)))
        case .swipe(let direction):
            self.lead?.course = .spent(.swipe)
            outputs.append(.swipe(Swipe(direction: direction, target: .point(lead.landed))))
        case .longpress(let press):
            self.lead?.course = .pressing(press)
            outputs.append(.longpress(LongPress(phase: .began, location: lead.location)))
        }
    }

    /// One of the pair's fingers moved; returns whether the pair has won.
    @discardableResult
    private mutating func followPair(
        _ pointer: Int, time: SampleTime, into outputs: inout [Recognized]
    ) -> Bool {
        guard let lead else { return false }
        switch lead.course {
        case .open(let rivals, var pair?):
            guard isOf(pair, pointer), let (a, b) = places(of: pair) else { return false }
            pair.moved(a, b, time: time, into: &outputs)
            let hasWon = pair.winner != nil
            self.lead?.course = hasWon ? .pairing(pair) : .open(rivals, pair)
            return hasWon
        case .pairing(var pair):
            guard isOf(pair, pointer), let (a, b) = places(of: pair) else { return true }
            pair.moved(a, b, time: time, into: &outputs)
            self.lead?.course = .pairing(pair)
            return true
        case .open(_, nil), .panning, .scrolling, .pressing, .spent: return false
        }
    }

    private func isOf(_ pair: FingerPair, _ pointer: Int) -> Bool {
        pair.pointer == pointer || lead?.pointer == pointer
    }

    // MARK: Ends

    /// A contact lifts where it is: what it did ends.
    mutating func lift(_ pointer: Int, time: SampleTime, into outputs: inout [Recognized]) {
        guard let lead else {
            others.removeAll { $0.pointer == pointer }
            return
        }
        guard lead.pointer == pointer else {
            unpair(pointer, time: time, into: &outputs)
            others.removeAll { $0.pointer == pointer }
            return
        }
        let location = lead.location
        switch lead.course {
        case .open(var rivals, _):
            if rivals.lifted() { outputs.append(.tap(.point(lead.landed))) }
        case .panning(var pan):
            guard case .ended = pan.lifted(at: location) else { break }
            let velocity = lead.tracker.velocity(endingAt: location, time: time)
            outputs.append(.pan(Pan(phase: .ended, location: location, velocity: velocity)))
        case .scrolling(var pan):
            if case .ended(let translation) = pan.lifted(at: location) {
                let drag = ContentDrag(phase: .ended, translation: translation.y)
                outputs.append(.contentDrag(drag))
            }
        case .pressing(var press):
            guard case .ended = press.lifted(at: location) else { break }
            outputs.append(.longpress(LongPress(phase: .ended, location: location)))
        case .pairing(var pair):
            if let (a, b) = places(of: pair) { pair.lifted(a, b, time: time, into: &outputs) }
        case .spent: break
        }
        self.lead = nil
    }

    /// A contact is lost: what it did is cancelled.
    mutating func drop(_ pointer: Int, into outputs: inout [Recognized]) {
        if let lead, lead.pointer == pointer {
            cancel(lead, into: &outputs)
            self.lead = nil
            return
        }
        unpair(pointer, time: nil, into: &outputs)
        others.removeAll { $0.pointer == pointer }
    }

    private func cancel(_ lead: Lead, into outputs: inout [Recognized]) {
        let location = lead.location
        switch lead.course {
        case .open, .spent: break
        case .panning(var pan):
            guard pan.cancel(at: location) != nil else { break }
            outputs.append(.pan(Pan(phase: .cancelled, location: location)))
        case .scrolling(var pan):
            if let translation = pan.cancel(at: location) {
                let drag = ContentDrag(phase: .cancelled, translation: translation.y)
                outputs.append(.contentDrag(drag))
            }
        case .pressing(var press):
            guard press.cancel() else { break }
            outputs.append(.longpress(LongPress(phase: .cancelled, location: location)))
        case .pairing(var pair):
            if let (a, b) = places(of: pair) { pair.cancel(a, b, into: &outputs) }
        }
    }

    /// The second finger goes: lifted at `time`, or lost. The first one does nothing more, unless
    /// nothing was recognised.
    private mutating func unpair(
        _ pointer: Int, time: SampleTime?, into outputs: inout [Recognized]
    ) {
        guard let lead else { return }
        switch lead.course {
        case .open(let rivals, let pair?) where pair.pointer == pointer:
            self.lead?.course = .open(rivals, nil)
        case .pairing(var pair) where pair.pointer == pointer:
            guard let (a, b) = places(of: pair) else { return }
            if let time {
                pair.lifted(a, b, time: time, into: &outputs)
            } else {
                pair.cancel(a, b, into: &outputs)
            }
            self.lead?.course = .spent(nil)
        case .open, .panning, .scrolling, .pressing, .pairing, .spent: break
        }
    }

    /// The contact that counts does no more, without a word of what it did.
    mutating func silenceLead() {
        guard let lead else { return }
        others.append(
            Other(pointer: lead.pointer, location: lead.location, lastSample: lead.lastSample))
        self.lead = nil
    }

    /// That the contact which counted is gone, where that was not told.
    mutating func tellLoss(into outputs: inout [Recognized]) {
        guard lead == nil, isTouching else { return }
        isTouching = false
        outputs.append(.touch(.up))
    }
}
