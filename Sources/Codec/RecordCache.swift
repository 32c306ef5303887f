package import Protocol
package import Sessions

/// The record of a session as it was written last: tells whether the session must be saved again,
/// and spares the writing of components that nothing has happened to.
///
/// Three marks of change work together, and each saves what the others cannot. The session's
/// *dirty parts* say after each batch whether to look at all: samples set none. *Digests* and the
/// own mark say whether a part differs: most taps settle where they were, and need no commit. The
/// *used* components say which kept text is stale: to write a world again takes milliseconds, and
/// a notification leaves the world alone.
package struct RecordCache: Sendable {
    /// Bytes beyond which a component's text is kept. It is as fast to write a shorter one again as
    /// to copy it.
    static var keptBytesMin: Int { 1_024 }

    /// The part of the record that belongs to no component.
    private struct OwnMark: Equatable {
        var version = 0
        var seenTotal = 0
        var seed: UInt64 = 0
        var revision = 1

        init() {}

        init(_ session: borrowing Session) {
            version = session.badges.version
            seenTotal = session.seen.total
            seed = session.seed
            revision = session.revision
        }
    }

    private struct Kept {
        var component: Int
        var text: [UInt8]
    }

    /// The digests of the components' texts.
    private var digests: [UInt64]
    private var kept: [Kept] = []
    private var own = OwnMark()

    /// For a session of which nothing was written yet.
    package init(componentCount: Int) { digests = Array(repeating: 0, count: componentCount) }

    /// Whether the record differs from what was written last, in the own part or in one of these
    /// components. Leaves `buffer` as it was.
    package mutating func isStale(
        in parts: SavedParts, of session: inout Session, by buffer: inout ByteBuffer
    ) -> Bool {
        guard own == OwnMark(session) else { return true }
        let used = session.takeUsed(of: parts)
        var isAnother = false
        for index in digests.indices where used.contains(.component(index)) {
            let start = buffer.count
            session.recordComponent(index).write(isFirst: index == 0, into: &buffer)
            if take(index, buffer, from: start) { isAnother = true }
            buffer.truncate(to: start)
        }
        return isAnother
    }

    /// Appends the record as it is now; nothing if the scene has no source to name.
    package mutating func write(
        _ session: inout Session, generation: Int, into buffer: inout ByteBuffer
    ) {
        guard let record = session.recordWithoutComponents(generation: generation) else { return }
        if session.revision != own.revision {
            // Components stand at other places.
            self = RecordCache(componentCount: session.scene.components.count)
        }
        own = OwnMark(session)
        let used = session.takeUsed()
        record.writeBeginning(into: &buffer)
        for index in digests.indices {
            let place = used.contains(.component(index)) ? nil : place(of: index)
            if let place {
                buffer.append(kept[place].text)
            } else {
                let start = buffer.count
                session.recordComponent(index).write(isFirst: index == 0, into: &buffer)
                _ = take(index, buffer, from: start)
            }
        }
        SavedSession.writeEnd(into: &buffer)
    }

    private func place(of component: Int) -> Int? {
        kept.firstIndex { $0.component == component }
    }

    /// Remembers a component's text; returns whether it differs from the one before.
    private mutating func take(
        _ component: Int, _ buffer: borrowing ByteBuffer, from start: Int
    ) -> Bool {
        let range = start..<buffer.count
        let digest = buffer.digest(of: range)
        guard digest != digests[component] else { return false }
        digests[component] = digest
        if let place = place(of: component) { kept.remove(at: place) }
        if range.count >= Self.keptBytesMin {
            kept.append(Kept(component: component, text: buffer.array(range)))
        }
        return true
    }
}
