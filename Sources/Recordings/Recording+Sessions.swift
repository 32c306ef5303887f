import Notation
import Wire

extension Recording {
    /// The session of an event's topic, and what stands around it.
    private static func parts(_ topic: [UInt8]) -> [ArraySlice<UInt8>] {
        topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The same events for one session, whatever sessions they were for.
    package func moved(to session: String) -> Recording {
        var moved = self
        for index in events.indices {
            var parts = Self.parts(events[index].topic)
            guard parts.count > 1 else { continue }
            parts[1] = ArraySlice(session.utf8)
            moved.events[index].topic = Array(parts.joined(separator: [UInt8(ascii: "/")]))
        }
        return moved
    }

    /// The same events, each session opened with the header's scene before its first, as a
    /// simulation of the recording opens it.
    package func openingSessions() -> Recording {
        guard let scene else { return self }
        var opened = self
        opened.events = []
        opened.captions = []
        var sessions: Set<[UInt8]> = []
        var captions = captions[...]
        for (index, event) in events.enumerated() {
            while let caption = captions.first, caption.eventsBefore <= index {
                opened.captions.append(captions.removeFirst().moved(to: opened.events.count))
            }
            let parts = Self.parts(event.topic)
            // A recording that begins with a session's own command opens it itself.
            let isOwn = parts.count == 2 && parts[0].elementsEqual("command".utf8)
            if parts.count > 1, sessions.insert(Array(parts[1])).inserted, !isOwn {
                let body = Node(
                    .object([
                        Node.Member("command", Node(.string("open"))), Node.Member("scene", scene),
                    ]))
                opened.events.append(
                    Event(
                        time: event.time, topic: Array("command/".utf8) + parts[1],
                        body: body.json(), line: event.line))
            }
            opened.events.append(event)
        }
        opened.captions += captions.map { $0.moved(to: opened.events.count) }
        return opened
    }
}

extension Recording.Caption {
    /// The same words after another number of events.
    func moved(to eventsBefore: Int) -> Recording.Caption {
        var moved = self
        moved.eventsBefore = eventsBefore
        return moved
    }
}
