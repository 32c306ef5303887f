import Codec
import Geometry
import Interactions
import Notation
import Sessions

extension LaneTable {
    /// A session that goes on from where an exported one stood. It is not open yet. The version of
    /// its counts begins above the one in the export, or above `latestVersion` if that is lower.
    func continuation(
        of export: SessionExport, as id: String, at moment: Moment, latestVersion: Int = .max
    ) throws(Rejection) -> ActiveSession {
        let next = settings.grid.next(at: moment.now)
        let ahead = settings.grid.time(of: next) - Clock.monotonic()
        // Its clock goes on from where it stood, so step 0 lies before this daemon's own, perhaps.
        let openedAt = Step(next - export.state.clock)
        let opened = Clock.wall() + ahead - export.state.clock.nanoseconds
        do throws(NodeError) {
            let imported = try Session(
                export.state, id: id, scene: settings.shelf.shared(scene(of: export)),
                frameRate: settings.frameRate, key: idHashKey, catalog: opener.catalog,
                continuing: .moved(
                    epoch: opener.nextEpoch(of: id), opened: Instant(nanoseconds: opened),
                    version: formerVersion(of: id), latest: latestVersion))
            let made = ActiveSession(imported, openedAt: openedAt, interest: interests[id])
            tellTouches(of: made)
            return made
        } catch {
            throw Rejection(.badValue, "key document: state: \(error)")
        }
    }

    /// This daemon's scene of the same name, if it is the same; else the one that came along.
    private func scene(of export: SessionExport) -> Scene {
        guard let name = export.scene.name, let own = settings.scenes[name] else {
            return export.scene
        }
        var other = export.scene
        other.document = own.document
        other.text = own.text
        guard let text = export.scene.text, let ownText = own.text, text == ownText else {
            return other == own ? own : export.scene
        }
        // `==` takes two Unicode forms of one text for equal, so the bytes are compared.
        return text.utf8.elementsEqual(ownText.utf8) ? own : export.scene
    }
}
