package import Protocol
package import Sessions

/// What the record of a session said when it was written last, component by component, so that
/// only those are written again that anything has happened to.
package struct RecordText: Sendable {
    /// Bytes beyond which a component's text is kept: to write a world again takes far longer
    /// than to copy it. What is shorter is as soon written.
    static var keptBytesMin: Int { 1_024 }

    private struct Kept {
        var component: Int
        var text: [UInt8]
    }

    /// Of the components' texts.
    private var digests: [UInt64]
    private var kept: [Kept] = []

    /// Of a session of which nothing was written yet.
    package init(componentCount: Int) { digests = Array(repeating: 0, count: componentCount) }

    /// Looks at some of the components; returns whether any of them says something else now.
    ///
    /// `buffer` is left as it was.
    package mutating func renew(
        _ parts: SavedParts, of session: inout Session, by buffer: inout ByteBuffer
    ) -> Bool {
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

    /// Appends the record as it is now; nothing where its scene has no source to name.
    package mutating func write(
        _ session: inout Session, life: Int, into buffer: inout ByteBuffer
    ) {
        guard let record = session.recordWithoutComponents(life: life) else { return }
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

    /// Takes note of a component's text; returns whether it is another than before.
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
