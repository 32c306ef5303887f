import Notation
import Protocol

extension Recording {
    /// The parts of a topic; the second is the session.
    private static func parts(_ topic: [UInt8]) -> [ArraySlice<UInt8>] {
        topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The same events, all for one session.
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

    /// The sessions to open with the header's scene, in the order in which they appear.
    ///
    /// A session whose first event is a command to the session itself is left out: that command
    /// opens it. A bad topic has no session.
    package var sessionsToOpen: [String] {
        var topics: Set<[UInt8]> = []
        var known: Set<String> = []
        var names: [String] = []
        for event in events where topics.insert(event.topic).inserted {
            guard let topic = try? Topic(event.topic), known.insert(topic.session).inserted
            else { continue }
            switch topic {
            case .command(_, component: nil): break
            case .gesture, .notification, .command: names.append(topic.session)
            }
        }
        return names
    }
}
