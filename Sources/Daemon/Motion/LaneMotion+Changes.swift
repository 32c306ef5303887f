import Geometry
import Interactions
import Notation
import Sessions
import Synchronization

/// Changes that reactions make of a scene, one at a time.
///
/// Where a session leaves a change, it stays as it was, for readers and for the store, and goes on
/// in `next`. Its unit of costly work makes one change each time that it is served. When the last
/// one is made, the session is what it has become.
extension LaneMotion {
    /// Has a session do something. Where that leaves a change, the session stays as it was, and
    /// goes on in `next`. Returns whether it left none.
    func leavesNoChange(_ open: ActiveSession?, _ body: () -> Void) -> Bool {
        guard let open, open.session.areChangesLong else {
            body()
            return true
        }
        let former = open.session
        open.session.leavesChanges = true
        body()
        guard open.session.hasChangeLeft else {
            open.session.leavesChanges = false
            return true
        }
        open.next = open.session
        open.session = former
        open.wake = nil
        return false
    }

    /// Makes the next change of a session. Returns whether it was the last one; then the session is
    /// what it has become.
    func makeChange(of open: ActiveSession) -> Bool {
        let began = Clock.processor()
        open.next?.makeChange()
        open.effort.noteChange(nanoseconds: Clock.processor() - began)
        // Each counts as soon as it is made: many sessions may be on their way at once.
        if let kept = shelve(open.next?.scene, of: open) { open.next?.share(kept) }
        guard let next = open.next, !next.hasChangeLeft else { return false }
        open.session = next
        open.session.leavesChanges = false
        open.next = nil
        table.markChanged(open)
        table.costlySessions.note(open)
        return true
    }

    /// A session's own motion has left a change: the rest is made by costly work, one at a time.
    func leaveChanges(of active: ActiveSession, insteadOf former: Session) {
        active.next = active.session
        active.session = former
        active.wake = nil
        let key = table.nameKey(of: active.session.id)
        if spare.costly.holds(key) { return }
        spare.costly.addMotion(of: active.session.id, key)
        load.waiting.wrappingAdd(1, ordering: .relaxed)
    }

    /// Counts the scene that reactions have made of a session's own, in its place. Returns the
    /// scene that is kept, which the session should hold; nil: it is the one that is counted.
    private func shelve(_ scene: Scene?, of open: ActiveSession) -> Scene? {
        guard let scene, !SceneShelf.isText(open.shelvedText, of: scene) else { return nil }
        let kept = table.settings.shelf.exchange(open.shelvedText, for: scene)
        open.shelvedText = kept.document
        return kept
    }

    /// The same of a session whose reactions may have changed it.
    func shelveScene(of open: ActiveSession) {
        guard open.effort.changesItself else { return }
        if let kept = shelve(open.session.scene, of: open) { open.session.share(kept) }
    }
}
