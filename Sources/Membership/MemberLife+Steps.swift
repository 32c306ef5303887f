extension MemberLife {
    /// Does what is due, until a call is under way or nothing is due.
    mutating func proceed(at now: Int, into actions: inout [Action]) {
        endHandOverIfLate(at: now, into: &actions)
        guard asked == .nothing else { return }
        switch stage {
        case .joined: proceedWithLook(at: now, into: &actions)
        case .leaving(let until, let isTold):
            leave(until: until, isTold: isTold, at: now, into: &actions)
        case .lost: joinAnew(at: now, into: &actions)
        case .finishing(let until, let isMember):
            finish(until: until, isMember: isMember, at: now, into: &actions)
        case .parting(let until): part(until: until, at: now, into: &actions)
        case .ended: break
        }
    }

    /// Asks what comes next, or says until when nothing does.
    mutating func proceedWithLook(at now: Int, into actions: inout [Action]) {
        if case .ready(let handOver, _) = handOverStage {
            // Its last commit was answered, so the database is there.
            handOverStage = .asked(handOver)
            return ask(.handOver(handOver.shards, to: handOver.heir), at: now, into: &actions)
        }
        if step == .rest, now >= schedule.poll {
            beginLook(at: now, into: &actions)
            if asked != .nothing { return }
        }
        switch step {
        case .rest: break
        case .members: return ask(.members, at: now, into: &actions)
        case .shards: return ask(.shards, at: now, into: &actions)
        case .fence(let late):
            if let first = late.first {
                step = .fence(Array(late.dropFirst()))
                return ask(.fence(first), at: now, into: &actions)
            }
            step = .claim
            return proceedWithLook(at: now, into: &actions)
        case .claim:
            step = .give
            let wanted = claims(at: now)
            if !wanted.isEmpty { return ask(.claim(wanted), at: now, into: &actions) }
            return proceedWithLook(at: now, into: &actions)
        case .give:
            step = .rest
            beginHandOver(at: now, into: &actions)
        }
        wait(at: now, into: &actions)
    }

    mutating func ask(_ call: Call, at now: Int, into actions: inout [Action]) {
        asked = .call(call, at: now)
        actions.append(.ask(call))
    }

    private func wait(at now: Int, into actions: inout [Action]) {
        var until = schedule.poll
        switch handOverStage {
        case .preparing(_, let limit), .ready(_, let limit): until = min(until, limit)
        case .none, .asked, .unsettled: break
        }
        if case .leaving(let limit, _) = stage { until = min(until, limit) }
        actions.append(.wait(until: max(until, now)))
    }

    // MARK: Polls

    /// Begins a poll, unless lanes hang.
    private mutating func beginLook(at now: Int, into actions: inout [Action]) {
        probe(into: &actions)
        schedule.lastPoll = now
        schedule.poll = now + tuning.tick
        guard areLanesAlive(at: now) else { return }
        step = .members
        ask(.renew, at: now, into: &actions)
    }

    mutating func probe(into actions: inout [Action]) {
        guard !lanes.isProbing else { return }
        lanes.isProbing = true
        actions.append(.probeLanes)
    }

    func areLanesAlive(at now: Int) -> Bool { now - lanes.seen <= tuning.lanes }

    /// Has a poll soon, but not at once after another one.
    mutating func callForLook(at now: Int) {
        let time = max(now, schedule.lastPoll + tuning.apart, schedule.retry)
        schedule.poll = min(schedule.poll, time)
    }

    /// The poll ends without a result; the next one reads everything.
    mutating func breakOff(at now: Int) {
        step = .rest
        view.isStale = true
        schedule.retry = now + tuning.retry
        schedule.poll = schedule.retry
    }
}
