import Notation
import Web

/// Which updates clients want.
extension Bridge {
    func subscribe(_ prefix: [UInt8], _ number: ConnectionNumber) {
        guard !index.contains(prefix, of: number),
            !subscriptionTurns.contains(prefix, of: number)
        else { return }
        let max = Limits.webSubscriptionsMax
        guard index.count(of: number) + subscriptionTurns.count(of: number) < max else {
            return refuse(prefix, number, "a client has at most limit_subscriptions \(max)")
        }
        let isAlone = subscriptionTurns.isEmpty
        subscriptionTurns.add(prefix, of: number)
        // Behind others it has its turn when the loop has.
        if isAlone { _ = beginSubscriptions() }
    }

    private func refuse(_ prefix: [UInt8], _ number: ConnectionNumber, _ reason: String) {
        refuse(ClientFault("busy", reason), number, weight: 1, prefix: prefix)
    }

    /// Begins what waits, as far as the rates let it. Every turn of the loop calls it. Returns
    /// whether the rest has to wait; false: it is for the next turn.
    func beginSubscriptions() -> Bool {
        guard !subscriptionTurns.isEmpty else { return true }
        let now = Clock.monotonic()
        var refused: [(number: ConnectionNumber, prefix: [UInt8], bound: String)] = []
        let max = Limits.webSubscriptionsOfTurnMax
        let isOver = subscriptionTurns.advance(atMost: max) { number, prefix in
            guard var share = clients[number]?.share else { return .done }
            defer { clients[number]?.share = share }
            if index.contains(prefix) {
                budget.join(prefix, of: &share)
                _ = index.insert(prefix, for: number)
                return .done
            }
            switch budget.take(prefix, of: &share, at: now) {
            case .taken:
                _ = index.insert(prefix, for: number)
                try? daemons.subscribe(prefix)
            case .refused(let bound): refused.append((number, prefix, bound))
            case .isClientHasty: return .waits
            case .areAllHasty: return .allWait
            }
            return .done
        }
        for (number, prefix, bound) in refused {
            refuse(prefix, number, "all clients together have too much for \(bound)")
        }
        return isOver
    }

    func unsubscribe(_ prefix: [UInt8], _ number: ConnectionNumber) {
        guard !subscriptionTurns.remove(prefix, of: number),
            index.contains(prefix, of: number), var share = clients[number]?.share
        else { return }
        let isLast = index.remove(prefix, for: number)
        if isLast { try? daemons.unsubscribe(prefix) }
        budget.give(prefix, isLast: isLast, of: &share)
        clients[number]?.share = share
    }

    /// Ends all subscriptions of a client that leaves.
    func endSubscriptions(of number: ConnectionNumber) {
        subscriptionTurns.removeAll(of: number)
        guard var share = clients[number]?.share else { return }
        for (prefix, isLast) in index.removeAll(of: number) {
            if isLast { try? daemons.unsubscribe(prefix) }
            budget.give(prefix, isLast: isLast, of: &share)
        }
        clients[number]?.share = share
    }
}
