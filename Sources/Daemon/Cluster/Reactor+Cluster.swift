import Geometry
import Membership
import Notation
import Protocol
import Sessions
import Store
import ZeroMQ

/// Work on its way to the member that owns its session, and the orders of membership.
extension Reactor {
    // MARK: Routing

    /// Sends work of a session to its lane, if it lives here; else holds it, passes it on, or
    /// refuses it. Work for which there is no room counts as work that has waited for too long.
    func place(_ work: HeldWork.Item.Work, of session: String) {
        guard let cluster = self.work.cluster else {
            return submit(work, of: session, to: self.work.choice.lane(of: session))
        }
        place(
            HeldWork.Item(
                session: session, shard: cluster.shard(of: session), work: work, until: heldEnd))
    }

    /// The same of an event, whose topic names the session.
    func place(_ event: HeldWork.Item.Work, ofShard hash: StableHash) {
        guard let shard = work.cluster?.shard(of: hash) else { return }
        place(HeldWork.Item(session: "", shard: shard, work: event, until: heldEnd))
    }

    private var heldEnd: Int { Clock.monotonic() + Limits.heldSecondsMax * 1_000_000_000 }

    private func place(_ item: HeldWork.Item) {
        // No copy of the table is held meanwhile, or holding an item would copy all items.
        if work.cluster?.hasToWait(item.shard) != true {
            settle(item)
        } else if work.cluster?.held.hold(item) != true {
            // A shard that comes answers all that somebody subscribes to by name; one that stays
            // does not.
            if case .answer = item.work { counters.add(.repliesDropped) }
            turnAway(item)
        }
    }

    /// Sends work to its lane, if its session lives here; else turns it away.
    private func settle(_ item: HeldWork.Item) {
        guard let place = work.cluster?.place(of: item.shard) else { return }
        if case .mine(let lane) = place {
            submit(item.work, of: item.session, to: lane)
        } else {
            turnAway(item)
        }
    }

    private func submit(_ work: HeldWork.Item.Work, of session: String, to lane: Int) {
        switch work {
        case .event(let topic, let body, _): self.work.add(topic: topic, body: body, to: lane)
        case .publish(let envelope, let topic, let body):
            let publisher = clients.publisher(envelope.client)
            unsafe topic.withUnsafeBytes { topic in
                unsafe body.withUnsafeBytes { body in
                    unsafe self.work.add(
                        topic: topic, body: body, answering: envelope, publisher: publisher,
                        to: lane)
                }
            }
        case .request(let envelope, let request):
            self.work.add(.request(envelope, request), to: lane)
        case .answer(let prefix):
            self.work.add(
                .task(CurrentUpdatesTask(session: session, prefix: prefix)), to: lane)
        }
    }

    /// Turns work away whose session lives elsewhere, or nowhere for too long.
    private func turnAway(_ item: HeldWork.Item) {
        switch item.work {
        case .event(let topic, let body, let hops?) where hops > 0:
            counters.add(.eventsElsewhere)
            if let owner = work.cluster?.map.owner(of: item.shard) {
                sockets.pass(topic, body, hops: hops - 1, to: owner, counting: outbox.passedOn)
            }
        case .event: counters.add(.eventsElsewhere)
        case .publish(let envelope, _, _), .request(let envelope, _):
            counters.add(.requestsMoved)
            let chunk = outbox.chunk()
            chunk.refuse(
                envelope, .moved(item.session, work.cluster?.map.owner(of: item.shard)))
            outbox.post(chunk)
        // The owner answers it.
        case .answer: break
        }
    }

    /// Sends on what was held for shards that have arrived somewhere, or has waited long enough.
    private func release(at now: Int, areMoved: Bool) {
        guard work.cluster?.held.isEmpty == false else { return }
        // No shard has moved in most rounds, and nothing that waits need be looked at.
        var items: [HeldWork.Item] = []
        if areMoved, let cluster = work.cluster {
            items = work.cluster?.held.take { !cluster.hasToWait($0.shard) } ?? []
        }
        items += work.cluster?.held.takeDue(at: now) ?? []
        for item in items { settle(item) }
    }

    // MARK: Membership

    /// This daemon is a member: what comes goes by the shards from now on.
    func join(_ table: ShardTable) {
        work.cluster = table
        table.driver.start()
        table.driver.awaitMap()
    }

    /// Performs what membership has ordered. Called once a round; returns whether the daemon has to
    /// end.
    func followCluster(at now: Int) throws(ZeroMQError) -> Bool {
        guard let driver = work.cluster?.driver else { return false }
        var hasToEnd = false
        let hasOrders = driver.hasOrders
        if hasOrders {
            for order in driver.takeOrders() {
                if try perform(order, driver) { hasToEnd = true }
            }
        }
        release(at: now, areMoved: hasOrders)
        return hasToEnd
    }

    /// This daemon as a member, for the heartbeat; nil: it is none.
    var ownMember: Heartbeat.Member? {
        work.cluster.map {
            Heartbeat.Member(
                name: operations.configuration.memberName, shards: $0.heldCount,
                isLeased: $0.driver.isLeased)
        }
    }

    /// Whether the daemon may end at once; a member hands its shards over first.
    func mayStop() -> Bool {
        guard let driver = work.cluster?.driver else { return true }
        driver.send(.stop)
        return false
    }

    /// Performs one order; returns whether the daemon has to end.
    func perform(
        _ order: ClusterDriver.Order, _ driver: ClusterDriver
    ) throws(ZeroMQError) -> Bool {
        switch order {
        case .map(let map):
            work.cluster?.map = map
            try sockets.meet(map.members.filter { $0.id != map.member })
        case .take(let rights, let fence): take(rights, fence)
        case .open(let rights): for right in rights { work.cluster?.open(right) }
        case .prepare(let handOver): prepare(handOver, driver)
        case .keep(let handOver):
            for (lane, shards) in lanes(of: handOver.shards) {
                work.add(.task(ShardOrder.keep(shards)), to: lane)
            }
            for right in handOver.rights { work.cluster?.open(right) }
        case .drop(let shards): drop(shards)
        case .dropAll:
            guard let cluster = work.cluster else { break }
            // First of all: between two pieces of a lane's work something may be submitted.
            work.addToAll(.task(ShardOrder.abandon))
            drop(Array(0..<cluster.count))
        case .probe:
            work.addToAll(Barrier(.probe, lanes: lanes.indices, at: Clock.monotonic()))
        case .finish: return true
        case .ended: return true
        }
        return false
    }

    private func take(_ rights: [ShardRight], _ fence: StoreFence) {
        var byLane: [Int: [ShardRight]] = [:]
        for right in rights {
            guard let lane = work.cluster?.take(right) else { continue }
            byLane[lane, default: []].append(right)
        }
        for (lane, rights) in byLane.sorted(by: { $0.key < $1.key }) {
            work.add(.task(ShardOrder.take(rights, fence)), to: lane)
        }
    }

    private func prepare(_ handOver: MemberLife.HandOver, _ driver: ClusterDriver) {
        for shard in handOver.shards { work.cluster?.prepare(shard) }
        let parts = lanes(of: handOver.shards)
        driver.expect(handOver, lanes: parts.count)
        for (lane, shards) in parts {
            let rights = handOver.rights.filter { shards.contains($0.number) }
            work.add(.task(ShardOrder.prepare(handOver.number, rights)), to: lane)
        }
    }

    private func drop(_ shards: [Int]) {
        guard let map = work.cluster?.map else { return }
        for (lane, shards) in lanes(of: shards) {
            work.add(.task(ShardOrder.drop(Set(shards), map)), to: lane)
        }
        for shard in shards { _ = work.cluster?.drop(shard) }
    }

    /// The lanes that have some of these shards.
    private func lanes(of shards: [Int]) -> [(lane: Int, shards: [Int])] {
        guard let cluster = work.cluster else { return [] }
        let placed = shards.compactMap { shard in
            cluster.place(of: shard).lane.map { (lane: $0, shard: shard) }
        }
        return Dictionary(grouping: placed, by: \.lane)
            .map { ($0.key, $0.value.map(\.shard)) }.sorted { $0.lane < $1.lane }
    }
}
