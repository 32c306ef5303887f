extension MemberLife {
    // MARK: Coming

    /// Free shards that this member takes now.
    mutating func claims(at now: Int) -> [ShardRow] {
        guard case .joined = stage, isLeased(at: now), let me = view.row(of: member),
            me.state == .live, me.weight > 0
        else { return [] }
        guard view.isClear else {
            // Somebody owns shards who joined after the members were read.
            callForLook(at: now)
            return []
        }
        view.note(at: now)
        return view.claims(of: member, before: now - tuning.patience)
    }

    mutating func claimed(
        _ rights: [ShardRight], of wanted: [ShardRow], at now: Int, into actions: inout [Action]
    ) {
        let numbers = Set(wanted.map(\.number))
        let rights = rights.filter { numbers.contains($0.number) }
        let plan = view.owners()
        if rights.contains(where: { plan[$0.number] != member }) {
            // Somebody did not take what it should have, and may be dead: after a lease it is late.
            schedule.handOver = now + tuning.lease
        }
        for right in rights {
            view.give(right.number, to: member, epoch: right.epoch)
            holdings[right.number] = .coming(right)
        }
        figures.claimed += rights.count
        if rights.count < wanted.count {
            view.isStale = true
            callForLook(at: now)
        }
        guard !rights.isEmpty else { return }
        redraw(into: &actions)
        actions.append(.take(rights))
    }

    mutating func taken(_ rights: [ShardRight]) {
        for right in rights where holdings.indices.contains(right.number) {
            guard holdings[right.number] == .coming(right) else { continue }
            holdings[right.number] = .mine(right)
            if step == .rest { step = .give }
        }
    }

    // MARK: Settling

    /// Brings what this member holds to what the rows say, whatever its own calls have done.
    mutating func settle(into actions: inout [Action]) {
        var dropped: [Int] = []
        var taken: [ShardRight] = []
        for row in view.shards {
            let held = right(of: row.number)
            if row.owner == member, row.epoch == held?.epoch { continue }
            if held != nil { dropped.append(row.number) }
            if row.owner == member {
                taken.append(ShardRight(number: row.number, epoch: row.epoch, floor: row.floor))
            }
        }
        figures.lost += dropped.count
        settleHandOver(without: Set(dropped), into: &actions)
        for shard in dropped { holdings[shard] = .away }
        for right in taken { holdings[right.number] = .coming(right) }
        if !dropped.isEmpty || !taken.isEmpty { redraw(into: &actions) }
        if !dropped.isEmpty { actions.append(.drop(dropped)) }
        if !taken.isEmpty { actions.append(.take(taken)) }
    }

    private func right(of shard: Int) -> ShardRight? {
        switch holdings[shard] {
        case .away: nil
        case .coming(let right), .mine(let right): right
        case .going: handOverStage.handOver?.rights.first { $0.number == shard }
        }
    }

    /// Ends a hand-over whose outcome the rows tell, and one of which they have something else.
    private mutating func settleHandOver(
        without dropped: Set<Int>, into actions: inout [Action]
    ) {
        guard var handOver = handOverStage.handOver else { return }
        let given = handOver.shards.count { dropped.contains($0) }
        switch handOverStage {
        case .unsettled:
            figures.handedOver += given
            figures.lost -= given
        case .preparing, .ready: if given == 0 { return }
        case .none, .asked: return
        }
        handOver.rights.removeAll { dropped.contains($0.number) }
        keep(handOver, into: &actions)
    }

    // MARK: Going

    /// Begins to give away what the plan gives to others, if nothing is on its way.
    mutating func beginHandOver(at now: Int, into actions: inout [Action]) {
        guard handOverStage == .none, now >= schedule.handOver, isLeased(at: now), view.isClear,
            !view.shards.isEmpty
        else { return }
        let plan = view.owners()
        var heir: Int?
        var rights: [ShardRight] = []
        let (count, first) = nextHandOver
        for case .mine(let right) in holdings[first...] + holdings[..<first] {
            guard let owner = plan[right.number], owner != member,
                heir == nil || heir == owner, view.row(of: owner)?.mayInherit == true
            else { continue }
            heir = owner
            rights.append(right)
            if rights.count == count { break }
        }
        guard let heir else { return }
        handOversMade += 1
        let handOver = HandOver(number: handOversMade, rights: rights, heir: heir)
        for right in rights { holdings[right.number] = .going }
        handOverStage = .preparing(handOver, until: now + tuning.handOver)
        actions.append(.prepare(handOver))
    }

    mutating func prepared(_ number: Int) {
        guard case .preparing(let handOver, let until) = handOverStage, handOver.number == number
        else {
            return
        }
        handOverStage = .ready(handOver, until: until)
    }

    mutating func unprepared(_ number: Int, at now: Int, into actions: inout [Action]) {
        guard case .preparing(let handOver, _) = handOverStage, handOver.number == number else {
            return
        }
        giveUp(handOver, at: now, into: &actions)
    }

    /// A hand-over that is not asked in time does not take place.
    mutating func endHandOverIfLate(at now: Int, into actions: inout [Action]) {
        switch handOverStage {
        case .preparing(let handOver, let until), .ready(let handOver, let until):
            if now >= until { giveUp(handOver, at: now, into: &actions) }
        case .none, .asked, .unsettled: break
        }
    }

    mutating func handedOver(
        _ rows: [ShardRow], at now: Int, into actions: inout [Action]
    ) {
        guard case .asked(var handOver) = handOverStage else { return }
        let given = Set(rows.map(\.number)).intersection(handOver.shards)
        for row in rows where given.contains(row.number) {
            view.give(row.number, to: handOver.heir, epoch: row.epoch)
            holdings[row.number] = .away
        }
        figures.handedOver += given.count
        handOver.rights.removeAll { given.contains($0.number) }
        if handOver.rights.isEmpty {
            handOverStage = .none
            nextHandOver.count = min(2 * nextHandOver.count, tuning.shardsAtOnce)
            if step == .rest { step = .give }
        } else {
            // Their heir is gone, or they are another's already.
            handOverStage = .unsettled(handOver)
            view.isStale = true
            schedule.handOver = now + patience
            callForLook(at: now)
        }
        guard !given.isEmpty else { return }
        redraw(into: &actions)
        actions.append(.drop(given.sorted()))
    }

    /// Its sessions were too much to be stored in time. So the next one has half as many shards,
    /// and begins behind these: a few large sessions that are used all the time hold no others up.
    private mutating func giveUp(
        _ handOver: HandOver, at now: Int, into actions: inout [Action]
    ) {
        schedule.handOver = now + patience
        let last = handOver.shards.last ?? 0
        nextHandOver = (max(1, handOver.rights.count / 2), (last + 1) % holdings.count)
        keep(handOver, into: &actions)
    }

    /// How long after a failed hand-over the next one waits: its sessions have waited enough.
    var patience: Int {
        switch stage {
        case .leaving: tuning.retry
        case .joined, .lost, .finishing, .parting, .ended: tuning.lease
        }
    }

    mutating func keep(_ handOver: HandOver, into actions: inout [Action]) {
        handOverStage = .none
        for right in handOver.rights { holdings[right.number] = .mine(right) }
        if !handOver.rights.isEmpty { actions.append(.keep(handOver)) }
    }
}

extension MemberLife.HandOverStage {
    var handOver: MemberLife.HandOver? {
        switch self {
        case .none: nil
        case .preparing(let handOver, _), .ready(let handOver, _), .asked(let handOver),
            .unsettled(let handOver):
            handOver
        }
    }
}
