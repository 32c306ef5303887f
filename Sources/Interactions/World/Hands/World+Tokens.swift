package import Geometry
package import Gestures

/// Marked objects that lie on a world.
///
/// An item with a `token` stands where the token of that symbol lies, with its angle, and pushes
/// others; fingers let it go. Once the token is lifted the item stays. A token without an item is
/// told all the same.
extension World {
    package mutating func token(_ token: Token, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        let isLying = tokens[token.symbol] != nil
        var hold = self.hold
        switch token.phase {
        case .began:
            guard isLying || tokens.count < Self.tokensMax else {
                throw Rejection(
                    .badValue, "symbol: at most \(Self.tokensMax) tokens lie on a component")
            }
            lift(token.symbol, &hold, into: &effects)
            tokens.put(token, item: item(following: token.symbol), at: now)
            follow(token.symbol, &hold, at: now)
            tell(token.symbol, into: &effects)
            effects.needsPublish = true
        case .changed:
            guard isLying else { throw .notOpen(.changed) }
            effects.isOfRest = !move(token, &hold, at: now, into: &effects)
            // Where it moves no item it does not drive the world.
            if hold.placement(of: .object(token.symbol)) == nil { return }
        case .ended:
            guard isLying else { throw .notOpen(.ended) }
            _ = move(token, &hold, at: now, into: &effects)
            lift(token.symbol, &hold, into: &effects)
        case .cancelled:
            guard isLying else { throw .notOpen(.cancelled) }
            lift(token.symbol, &hold, into: &effects)
        }
        go(on: hold, at: now, into: &effects)
    }

    /// Lifts the tokens that have been silent for too long.
    mutating func fireTokens(at now: Step, into effects: inout Effects) {
        guard tokens.deadline <= now else { return }
        var hold = self.hold
        for token in tokens.lying where token.deadline <= now {
            lift(token.symbol, &hold, into: &effects)
        }
        go(on: hold, at: now, into: &effects)
    }

    /// Has the items that may follow a token do so, after items have come, gone or been anchored.
    mutating func matchTokens(_ hold: inout WorldHold, at now: Step) {
        for token in tokens.lying {
            let item = item(following: token.symbol)
            if item != token.item { tokens.follow(token.symbol, with: item) }
            let placed = hold.placement(of: .object(token.symbol)).map { hold.placements[$0].item }
            if item == placed { continue }
            hold.placements.removeAll { $0.hand.isSame(as: .object(token.symbol)) }
            follow(token.symbol, &hold, at: now)
        }
    }

    // MARK: Decisions

    /// The item that follows a token of a symbol; nil: none has it, or it is anchored.
    private func item(following symbol: Int) -> String? {
        bodies.placedItems.first { $0.item.token == symbol }.flatMap { placed in
            bodies.isAnchored(placed.item.id) ? nil : placed.item.id
        }
    }

    /// Moves a token that lies there. Returns whether it does more than lie there and tremble.
    private mutating func move(
        _ token: Token, _ hold: inout WorldHold, at now: Step, into effects: inout Effects
    ) -> Bool {
        let change = tokens.move(token, at: now)
        follow(token.symbol, &hold, at: now)
        if change.isTurn, let lying = tokens[token.symbol] {
            effects.tellAtOnce(lying.transition("turn", .began))
        }
        if change.isAny { effects.needsPublish = true }
        return change.isMove || change.isTurn
    }

    private mutating func lift(
        _ symbol: Int, _ hold: inout WorldHold, into effects: inout Effects
    ) {
        guard let lying = tokens.lift(symbol) else { return }
        hold.placements.removeAll { $0.hand.isSame(as: .object(symbol)) }
        effects.transitions.append(lying.transition("token", .ended))
        effects.needsPublish = true
    }

    /// Tells that a token was put.
    private func tell(_ symbol: Int, into effects: inout Effects) {
        guard let lying = tokens[symbol] else { return }
        effects.transitions.append(lying.transition("token", .began))
    }

    // MARK: Items

    /// Places the item that follows a token, where one does. Fingers let it go.
    private mutating func follow(_ symbol: Int, _ hold: inout WorldHold, at now: Step) {
        guard let lying = tokens[symbol], let item = lying.item, bodies.itemIndex(item) != nil
        else { return }
        let hand = Hand.object(symbol)
        if hold.placement(of: hand) == nil {
            letGo(of: item, before: hand, &hold)
            hold.placements.append(placement(of: item, hand, at: now))
        }
        guard let index = hold.placement(of: hand) else { return }
        // Frees the state's reference to the list: a change would copy it.
        if case .dragging = state { state = .moving(until: .never) }
        hold.placements[index].lastSample = now
        var pose = hold.placements[index].pose
        pose.center = lying.place
        pose.rotation = Angle.near(pose.rotation, lying.angle)
        // A token that only lies there wakes nothing.
        guard pose != hold.placements[index].pose else { return }
        hold.placements[index].pose = pose
        place(item, at: pose)
    }
}

extension WorldTokens.Lying {
    fileprivate func transition(_ name: String, _ event: Transition.Event) -> Transition {
        var transition = Transition(name, event, item: item)
        transition.token = symbol
        transition.angle = Angle.wrapped(angle)
        return transition
    }
}

extension Angle {
    /// The same direction as an angle, by so many whole turns that it is nearest to another angle.
    fileprivate static func near(_ other: Double, _ angle: Double) -> Double {
        let turn = 2 * Double.pi
        let count = ((other - angle) / turn).rounded()
        return count == 0 ? angle : angle + count * turn
    }
}
