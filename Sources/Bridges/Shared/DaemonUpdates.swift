/// Updates of the daemon that wait for a bridge's turns, first in, first out.
///
/// Only the newest scene of a session counts: it takes the place of an older one that still waits.
/// It does not wait behind the states that came in between, for these may be of components that the
/// older scene alone has announced. Events of the session, and transitions of its components, are
/// judged by the scene before them, so a scene behind one of these waits in a place of its own.
package struct DaemonUpdates<Update: Sendable>: Sendable {
    private struct Entry: Sendable {
        var update: Update
        /// The session that it is the scene of; nil: it is no scene.
        var session: String?
    }

    private struct Scene: Sendable {
        var number: Int
        var epoch: String
    }

    private var queue: BoundedQueue<Entry>
    /// The waiting scenes that a newer one may replace, by their sessions.
    private var scenes: [String: Scene] = [:]

    package init(countMax: Int, bytesMax: Int) {
        queue = BoundedQueue(countMax: countMax, bytesMax: bytesMax)
    }

    package var bytes: Int { queue.bytes }
    /// Places that were filled, and that were taken, since the start. All that came until a moment
    /// has left when the latter number has reached the former's at that moment.
    package var appendedCount: Int { queue.appendedCount }
    package var takenCount: Int { queue.takenCount }

    /// Returns false where there is no room. An empty queue takes any update.
    package mutating func append(
        _ update: Update, topic: String, epoch: String, bytes: Int
    ) -> Bool {
        let levels = topic.split(separator: "/")
        guard levels.count > 1 else { return queue.append(Entry(update: update), bytes: bytes) }
        let session = String(levels[1])
        guard levels.count == 2, levels[0] == "scene" else {
            guard queue.append(Entry(update: update), bytes: bytes) else { return false }
            if levels[0] == "session" || levels[0] == "transition" { scenes[session] = nil }
            return true
        }
        let entry = Entry(update: update, session: session)
        if let former = scenes[session], former.epoch == epoch {
            return queue.replace(former.number, by: entry, bytes: bytes)
        }
        let number = queue.appendedCount
        guard queue.append(entry, bytes: bytes) else { return false }
        scenes[session] = Scene(number: number, epoch: epoch)
        return true
    }

    /// The update that has waited longest; nil: none waits.
    package mutating func takeFirst() -> Update? {
        guard let entry = queue.first else { return nil }
        if let session = entry.session, scenes[session]?.number == queue.takenCount {
            scenes[session] = nil
        }
        queue.removeFirst()
        return entry.update
    }
}
