package import Geometry
package import Protocol
package import Sessions

/// The record of a session as it was written last: tells whether the session must be saved again,
/// and spares the writing of components that nothing has happened to.
///
/// Three marks of change work together, and each saves what the others cannot. The session's
/// *dirty parts* say after each batch whether to look at all: samples set none. *Digests* and the
/// own mark say whether a part differs: most taps settle where they were, and need no commit. The
/// *used* components say which kept text is stale: to write a world again takes milliseconds, to
/// write a short text as long as all the rest of a publish, and a notification leaves both alone.
package struct RecordCache: Sendable {
    /// The part of the record that belongs to no component.
    private struct OwnMark: Equatable {
        var version = 0
        var seenTotal = 0
        var seed: UInt64 = 0
        var revision = 1
        var waitChanges = 0

        init() {}

        init(_ session: borrowing Session) {
            version = session.badges.version
            seenTotal = session.seen.total
            seed = session.seed
            revision = session.revision
            waitChanges = session.waitChanges
        }
    }

    /// The components' digests, in the order of the scene.
    private var digests: [UInt64]
    /// The components' texts; nil until the second record. Most sessions rest from their opening
    /// on, and writing all texts once more costs less than keeping them for every session.
    private var texts: Texts?
    /// Nil: nothing was written yet.
    private var own: OwnMark?

    /// Texts end to end, and where each of them ends.
    private struct Texts {
        var bytes: [UInt8] = []
        var ends: [Int] = []

        mutating func replace(_ index: Int, with text: [UInt8]) {
            let start = index == 0 ? 0 : ends[index - 1]
            let growth = text.count - (ends[index] - start)
            bytes.replaceSubrange(start..<ends[index], with: text)
            for later in index..<ends.count { ends[later] += growth }
        }
    }

    /// For a session of which nothing was written yet.
    package init(componentCount: Int) {
        digests = Array(repeating: 0, count: componentCount)
    }

    /// Whether the record differs from what was written last, in the own part or in one of these
    /// components. Leaves `buffer` as it was.
    package mutating func isStale(
        in parts: SavedParts, of session: inout Session, by buffer: inout ByteBuffer
    ) -> Bool {
        guard let own, own == OwnMark(session) else { return true }
        return renew(session.takeUsed(of: parts), of: session, by: &buffer)
    }

    /// Appends the record as it is now; nothing if the scene has no source to name. Waits have as
    /// much left as at a step of the session's clock, if it has not passed that.
    package mutating func write(
        _ session: inout Session, at step: Step = .zero, generation: Int,
        into buffer: inout ByteBuffer
    ) {
        guard
            let record = session.recordWithoutComponents(generation: generation, at: step)
        else { return }
        if own?.revision != session.revision {
            // Nothing was written yet, or components stand at other places.
            self = RecordCache(componentCount: session.scene.components.count)
        }
        let (isFirst, used) = (own == nil, session.takeUsed())
        own = OwnMark(session)
        record.writeBeginning(into: &buffer)
        if texts != nil { _ = renew(used, of: session, by: &buffer) }
        if let texts {
            buffer.append(texts.bytes)
        } else {
            let start = buffer.count
            let ends = writeWhole(of: session, into: &buffer)
            if !isFirst { texts = Texts(bytes: buffer.array(start..<buffer.count), ends: ends) }
        }
        SavedSession.writeEnd(into: &buffer)
    }

    /// Appends the texts of all components, and takes their digests. Returns where each text ends.
    private mutating func writeWhole(
        of session: borrowing Session, into buffer: inout ByteBuffer
    ) -> [Int] {
        let first = buffer.count
        var ends: [Int] = []
        ends.reserveCapacity(digests.count)
        for index in digests.indices {
            let start = buffer.count
            session.recordComponent(index).write(isFirst: index == 0, into: &buffer)
            digests[index] = buffer.digest(of: start..<buffer.count)
            ends.append(buffer.count - first)
        }
        return ends
    }

    /// Takes the texts of components that were used. Whether one of them differs from the text
    /// before. Leaves `buffer` as it was.
    private mutating func renew(
        _ used: SavedParts, of session: borrowing Session, by buffer: inout ByteBuffer
    ) -> Bool {
        var isAnother = false
        for index in digests.indices where used.contains(.component(index)) {
            let start = buffer.count
            session.recordComponent(index).write(isFirst: index == 0, into: &buffer)
            let digest = buffer.digest(of: start..<buffer.count)
            if digest != digests[index] {
                digests[index] = digest
                texts?.replace(index, with: buffer.array(start..<buffer.count))
                isAnother = true
            }
            buffer.truncate(to: start)
        }
        return isAnother
    }
}
