extension MemberLife {
    // MARK: Lost

    /// Another member has fenced this one: what it held is another's.
    mutating func lose(at now: Int, into actions: inout [Action]) {
        let former = stage
        switch former {
        case .joined: stage = .lost
        case .leaving: stage = .finishing(until: now + tuning.finish, isMember: false)
        case .finishing(let until, _): stage = .finishing(until: until, isMember: false)
        case .parting: return end(inOrder: true, into: &actions)
        case .lost, .ended: return
        }
        figures.lost += shardsHeld
        holdings = Array(repeating: .away, count: holdings.count)
        handOverStage = .none
        step = .rest
        view = ClusterView()
        if asked != .nothing { asked = .stale }
        redraw(into: &actions)
        actions.append(.dropAll)
        if case .leaving = former { actions.append(.finish) }
    }

    /// Joins once the lanes are alive, at most once a tick: a member that is fenced again and again
    /// must not write rows as fast as it can.
    mutating func joinAnew(at now: Int, into actions: inout [Action]) {
        let due = max(schedule.retry, leasedUntil - tuning.lease + tuning.tick)
        guard now >= due else { return actions.append(.wait(until: due)) }
        guard areLanesAlive(at: now) else {
            probe(into: &actions)
            return actions.append(.wait(until: now + tuning.tick))
        }
        ask(.join, at: now, into: &actions)
    }

    mutating func joined(_ id: Int, _ sent: Int, at now: Int, into actions: inout [Action]) {
        map.member = id
        leasedUntil = sent + tuning.lease
        switch stage {
        case .lost:
            stage = .joined
            quiet = .until(now + tuning.quiet)
            schedule.poll = now
            actions.append(.leased(until: leasedUntil))
            actions.append(.mapChanged)
        case .finishing(let until, _): stage = .finishing(until: until, isMember: true)
        case .joined, .leaving, .parting, .ended: break
        }
    }

    // MARK: Leaving

    mutating func stop(at now: Int, into actions: inout [Action]) {
        switch stage {
        case .joined:
            stage = .leaving(until: now + tuning.leave, isTold: false)
            // There is no time to wait after a hand-over that failed before.
            schedule.handOver = now
        case .lost: beginFinish(isMember: false, at: now, into: &actions)
        case .leaving, .finishing, .parting, .ended: break
        }
    }

    /// The others know that this member leaves.
    mutating func told(into actions: inout [Action]) {
        guard case .leaving(let until, _) = stage else { return }
        stage = .leaving(until: until, isTold: true)
        view.setLeaving(member)
        redraw(into: &actions)
        if step == .rest { step = .give }
    }

    /// Gives its shards away, in polls like any member, until none is left, no member takes them or
    /// the time is over.
    mutating func leave(
        until: Int, isTold: Bool, at now: Int, into actions: inout [Action]
    ) {
        let isOver = now >= until || !view.hasHeir(beside: member)
        if isOver || (isTold && shardsHeld == 0) {
            settleForGood(into: &actions)
            return beginFinish(isMember: true, at: now, into: &actions)
        }
        guard isTold else {
            if now >= schedule.retry { return ask(.setLeaving, at: now, into: &actions) }
            return actions.append(.wait(until: min(until, schedule.retry)))
        }
        proceedWithLook(at: now, into: &actions)
    }

    /// Nothing is handed over any more. Shards that may be an heir's are stored; the lanes must not
    /// store them again.
    private mutating func settleForGood(into actions: inout [Action]) {
        switch handOverStage {
        case .none, .asked: break
        case .preparing(let handOver, _), .ready(let handOver, _):
            keep(handOver, into: &actions)
        case .unsettled(let handOver):
            handOverStage = .none
            for shard in handOver.shards { holdings[shard] = .away }
            redraw(into: &actions)
            actions.append(.drop(handOver.shards))
        }
    }

    private mutating func beginFinish(
        isMember: Bool, at now: Int, into actions: inout [Action]
    ) {
        let until = now + tuning.finish
        stage = .finishing(until: until, isMember: isMember)
        step = .rest
        actions.append(.finish)
        guard asked == .nothing else { return }
        finish(until: until, isMember: isMember, at: now, into: &actions)
    }

    /// Keeps the lease while the lanes store what they have: fenced, they could not.
    mutating func finish(
        until: Int, isMember: Bool, at now: Int, into actions: inout [Action]
    ) {
        if now >= until { return end(inOrder: false, into: &actions) }
        guard isMember else { return actions.append(.wait(until: until)) }
        if now >= schedule.poll {
            schedule.lastPoll = now
            schedule.poll = now + tuning.tick
            return ask(.renew, at: now, into: &actions)
        }
        actions.append(.wait(until: min(until, schedule.poll)))
    }

    mutating func finished(at now: Int, into actions: inout [Action]) {
        guard case .finishing(_, let isMember) = stage else { return }
        // A join under way may yet make it one.
        if case .call(.join, _) = asked {
            stage = .parting(until: now + tuning.leave)
        } else if isMember {
            stage = .parting(until: now + tuning.leave)
        } else {
            end(inOrder: true, into: &actions)
        }
    }

    mutating func part(until: Int, at now: Int, into actions: inout [Action]) {
        if now >= until { return end(inOrder: false, into: &actions) }
        if now >= schedule.retry { return ask(.setGone, at: now, into: &actions) }
        actions.append(.wait(until: min(until, schedule.retry)))
    }

    mutating func end(inOrder: Bool, into actions: inout [Action]) {
        stage = .ended
        holdings = Array(repeating: .away, count: holdings.count)
        handOverStage = .none
        actions.append(.ended(inOrder: inOrder))
    }
}
