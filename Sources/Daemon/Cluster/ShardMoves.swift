import Codec
import Dispatch
import Geometry
import Interactions
import Membership
import Notation
import Protocol
import Sessions
import Store
import Synchronization

/// Work of a lane with shards.
enum ShardOrder: Sendable {
    /// They are this member's: what moves comes back. Their changes are stored under this fence.
    case take([ShardRight], StoreFence)
    /// Everything of them is stored, and nothing more happens to it; what moves goes along. With
    /// the hand-over's number.
    case prepare(Int, [ShardRight])
    /// They stay after all.
    case keep([Int])
    /// They are another's, as the map says.
    case drop(Set<Int>, ClusterMap)
    /// Nothing is to be stored any more: the member is gone.
    case abandon
}

extension ShardOrder: LaneTask {
    var mayTakeLong: Bool { true }

    func perform(on lane: Lane, at moment: Moment) { lane.shards?.perform(self, moment) }
}

/// The shards of a cluster on one lane.
///
/// The reactor holds what comes for a shard that is coming or going, so nothing else happens to its
/// sessions meanwhile. A session that is handed over stands still: it goes on at the heir, from
/// where it stood, or here if the hand-over is given up. Used on the lane's queue alone, hence
/// unchecked.
final class ShardMoves: @unchecked Sendable {
    private let table: LaneTable
    private let storage: LaneStorage
    private let motion: LaneMotion
    private let costly: CostlyServer
    private let lookups: StoreLookups
    /// The lane, which owns it; nil: the lane has gone, while a block of its queue was waiting.
    private weak var performer: (any WorkPerformer)?

    init(
        _ table: LaneTable, _ storage: LaneStorage, _ motion: LaneMotion, _ costly: CostlyServer,
        _ lookups: StoreLookups, performer: any WorkPerformer
    ) {
        self.table = table
        self.storage = storage
        self.motion = motion
        self.costly = costly
        self.lookups = lookups
        self.performer = performer
    }

    fileprivate func perform(_ order: ShardOrder, _ moment: Moment) {
        switch order {
        case .take(let rights, let fence): take(rights, fence)
        case .prepare(let number, let rights): prepare(number, rights, moment)
        case .keep(let shards): keep(shards, moment)
        case .drop(let shards, let map): drop(shards, map, moment)
        case .abandon: storage.abandon()
        }
    }

    // MARK: Coming

    private func take(_ rights: [ShardRight], _ fence: StoreFence) {
        storage.fence = fence
        // Their former owner may have written their records.
        table.unreadable.forgetAll()
        let clock = FormerVersions.versionFloor(at: Clock.wall())
        for right in rights {
            storage.rights.take(right, clock: clock)
            table.opener.begin(shard: right.number, epoch: right.epoch)
        }
        storage.reader.moving(rights) { [weak self] answer in
            guard let self else { return }
            table.queue.later { self.restore(rights, answer) }
        }
    }

    /// Restores what was handed over in mid-air, and what somebody has subscribed to by name.
    private func restore(
        _ rights: [ShardRight], _ answer: Result<[StoredSession], StoreError>
    ) {
        let now = Clock.monotonic()
        let moment = Moment(now: now, step: table.settings.grid.step(at: now))
        let mine = rights.filter { storage.rights.has($0) }
        // A session that cannot be read now comes back at rest when it is touched.
        for stored in (try? answer.get()) ?? [] {
            guard let right = mine.first(where: { $0.number == stored.shard }) else { continue }
            goOn(with: stored, right, at: moment)
        }
        let shards = Set(mine.map(\.number))
        var batch = Batch()
        for name in table.interests.names where shards.contains(storage.rights.shard(of: name)) {
            let task = CurrentUpdatesTask(session: name, prefix: "")
            if !lookups.holdIfAbsent(for: task) { batch.work.append(.task(task)) }
        }
        var place = 0
        while let performer, place < batch.work.count {
            let now = Clock.monotonic()
            let moment = Moment(now: now, step: table.settings.grid.step(at: now))
            place = performer.perform(held: batch, from: place, moment)
        }
        table.conclude()
        storage.rights.driver?.taken(mine)
    }

    /// A session goes on from where its former owner left it.
    private func goOn(with stored: StoredSession, _ right: ShardRight, at moment: Moment) {
        guard let motion = stored.motion, motion.epoch == right.epoch,
            table.activeSessions[stored.id] == nil,
            let document = try? Document.json(motion.document),
            let export = try? SessionExport(document),
            let opened = try? table.continuation(of: export, as: stored.id, at: moment)
        else { return }
        guard (try? table.open(opened)) != nil else { return }
        table.recordUse(of: opened, at: moment)
        table.counters.add(.restored)
    }

    // MARK: Going

    private func prepare(
        _ number: Int, _ rights: [ShardRight], _ moment: Moment
    ) {
        let epochs = Dictionary(uniqueKeysWithValues: rights.map { ($0.number, $0.epoch) })
        func epoch(of name: String) -> Int? { epochs[storage.rights.shard(of: name)] }
        refuseWaiting { epoch(of: $0) != nil }
        guard !storage.isRemoving(where: { epoch(of: $0) != nil }) else {
            storage.rights.driver?.prepared(number, isDone: false)
            return
        }
        for right in rights { storage.rights.prepare(right.number) }
        var document = ByteBuffer(capacity: 4_096)
        for active in table.activeSessions.all {
            guard let epoch = epoch(of: active.session.id) else { continue }
            table.advance(active, to: moment)
            var stored: StoredMotion?
            let isRecent = moment.step - active.lastEvent < Limits.heldSteps
            if active.session.isUnderWay || isRecent {
                document.removeAll()
                if SessionExport.write(active.session, into: &document) {
                    stored = StoredMotion(document: document.array(), epoch: epoch + 1)
                }
            }
            active.presence = .going(stored)
            motion.flush(active)
            storage.handOver(active)
        }
        let driver = storage.rights.driver
        storage.whenStored { driver?.prepared(number, isDone: $0) }
    }

    private func keep(_ shards: [Int], _ moment: Moment) {
        let shards = Set(shards)
        for shard in shards { storage.rights.keep(shard) }
        for active in table.activeSessions.all
        where shards.contains(storage.rights.shard(of: active.session.id)) {
            storage.keep(active)
            table.markChanged(active)
        }
    }

    private func drop(
        _ shards: Set<Int>, _ map: ClusterMap, _ moment: Moment
    ) {
        let isGone = { [storage] in shards.contains(storage.rights.shard(of: $0)) }
        refuseWaiting(of: isGone)
        let owners = Dictionary(
            uniqueKeysWithValues: shards.map { ($0, map.owner(of: $0).json) })
        for active in table.activeSessions.all {
            guard let owner = owners[storage.rights.shard(of: active.session.id)] else { continue }
            table.close(active, .moved(owner: owner))
        }
        storage.forgetRemovals(where: isGone)
        for shard in shards { storage.rights.drop(shard) }
    }

    /// Refuses what waits for sessions of shards that go: nothing of it was done.
    private func refuseWaiting(of isMeant: (String) -> Bool) {
        let refusal = Rejection.moved(
            "the session moves to another member", owner: MemberRow?.none.json)
        lookups.refuse(refusal, of: isMeant)
        costly.refuse(refusal, of: isMeant)
    }
}

extension Limits {
    /// Steps for which a session counts as held by somebody after its last event, though nothing
    /// moves: a finger that rests on a view.
    static let heldSteps = 10 * Step.perSecond
}
