extension MemberLife {
    mutating func answered(_ answer: Answer, at now: Int, into actions: inout [Action]) {
        guard case .call(let call, let sent) = asked else {
            precondition(asked == .stale, "an answer without a call")
            asked = .nothing
            return
        }
        asked = .nothing
        switch answer {
        case .failed: return failed(call, at: now)
        case .lost:
            if call == .join { return failed(call, at: now) }
            return lose(at: now, into: &actions)
        case .renewed, .members, .shards, .fenced, .claimed, .handedOver, .done, .joined:
            connected(at: now)
        }
        switch (call, answer) {
        case (.renew, .renewed(let renewal)): renewed(renewal, sent, at: now, into: &actions)
        case (.members, .members(let rows)): read(rows, at: now, into: &actions)
        case (.shards, .shards(let rows)): read(rows, at: now, into: &actions)
        case (.fence(let member), .fenced(let isDone)):
            if isDone { fenced(member, into: &actions) }
        case (.claim(let wanted), .claimed(let rights)):
            claimed(rights, of: wanted, at: now, into: &actions)
        case (.handOver, .handedOver(let rows)): handedOver(rows, at: now, into: &actions)
        case (.setLeaving, .done): told(into: &actions)
        case (.setGone, .done): end(inOrder: true, into: &actions)
        case (.join, .joined(let member)): joined(member, sent, at: now, into: &actions)
        default: preconditionFailure("\(answer) is no answer to \(call)")
        }
    }

    // MARK: The connection

    /// Everybody else may have been without the database as long as this member, and needs as long
    /// to renew.
    private mutating func connected(at now: Int) {
        if quiet == .withoutConnection { quiet = .until(now + tuning.quiet) }
    }

    mutating func disconnected() {
        quiet = .withoutConnection
        view.isStale = true
    }

    private mutating func failed(_ call: Call, at now: Int) {
        disconnected()
        breakOff(at: now)
        if case .handOver = call, case .asked(let handOver) = handOverStage {
            handOverStage = .unsettled(handOver)
            schedule.handOver = now + patience
        }
    }

    // MARK: A poll

    private mutating func renewed(
        _ renewal: Renewal, _ sent: Int, at now: Int, into actions: inout [Action]
    ) {
        if now >= leasedUntil {
            // This member was away, so the others may have been, too.
            figures.late += 1
            quiet = .until(now + tuning.quiet)
        }
        leasedUntil = sent + tuning.lease
        actions.append(.leased(until: leasedUntil))
        if renewal.version != view.version { view.isStale = true }
    }

    private mutating func read(
        _ rows: [MemberRow], at now: Int, into actions: inout [Action]
    ) {
        guard let me = rows.first(where: { $0.id == member }), me.state != .gone else {
            return lose(at: now, into: &actions)
        }
        view.read(rows)
        redraw(into: &actions)
        step = view.isStale ? .shards : .fence(late(at: now))
    }

    private mutating func read(_ rows: [ShardRow], at now: Int, into actions: inout [Action]) {
        guard view.read(rows, count: holdings.count) else { return breakOff(at: now) }
        settle(into: &actions)
        redraw(into: &actions)
        step = .fence(late(at: now))
    }

    /// Those to be fenced: it is this member's to say so only if it was here all the time.
    private mutating func late(at now: Int) -> [Int] {
        guard case .joined = stage, case .until(let until) = quiet else { return [] }
        let late = view.members.filter { $0.isLate && $0.id != member }.map(\.id)
        guard now < until else { return late }
        if !late.isEmpty { schedule.poll = min(schedule.poll, until) }
        return []
    }

    private mutating func fenced(_ member: Int, into actions: inout [Action]) {
        figures.fenced += 1
        view.remove(member)
        redraw(into: &actions)
    }

    /// Tells clients another map, if it is another.
    mutating func redraw(into actions: inout [Action]) {
        let owners = holdings.indices.map { shard -> Int? in
            if holdings[shard] != .away { return member }
            guard view.shards.indices.contains(shard), let owner = view.shards[shard].owner,
                owner != member, view.has(owner)
            else { return nil }
            return owner
        }
        let drawn = ClusterMap(
            member: member, version: max(map.version, view.version), members: view.members,
            owners: owners)
        guard drawn != map else { return }
        map = drawn
        actions.append(.mapChanged)
    }
}
