import Codec
import Geometry
import Interactions
import Membership
import Protocol
import Sessions
import Store

/// The rows of a commit.
extension LaneStorage {
    func removal(of id: String, _ removal: Removal) -> StoreChange {
        let right = rights[id]
        return .remove(
            id: id, shard: right.number, version: removal.version - right.versionsSkipped)
    }

    /// A session's row, with marks of the ids after the first `seenTotal`; nil: its scene has no
    /// source that could be saved.
    func write(
        _ active: ActiveSession, after seenTotal: Int, _ grid: Grid
    ) -> (StoredSession, SavedMark)? {
        var record =
            active.record.take()
            ?? RecordCache(componentCount: active.session.scene.components.count)
        let right = rights[active.session.id]
        let now = Clock.monotonic()
        // A session at rest stands where its last event came, and its waits go on.
        record.write(
            &active.session, at: active.clock(at: grid.step(at: now)), generation: right.epoch,
            into: &buffer)
        guard !buffer.isEmpty else { return nil }
        active.record = record
        let (seen, version) = (active.session.seen, active.session.badges.version)
        let age = now - grid.time(of: active.lastEvent)
        let stored = StoredSession(
            id: active.session.id, shard: right.number, state: buffer.array(),
            lastUsed: writer.wallClock.mark(age: age),
            seen: seen.marks(since: seenTotal).map { SeenMark(place: $0.place, hash: $0.hash) },
            motion: active.presence.motion)
        buffer.removeAll()
        return (
            stored,
            SavedMark(seenTotal: seen.total, version: version, lastUse: active.lastEvent)
        )
    }
}
