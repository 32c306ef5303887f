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
        for index in missingScenes.indices { moved.missingScenes[index].session = session }
        return moved
    }

    /// The sessions to open with the header's scene, in the order in which they appear.
    ///
    /// A session whose first event opens or closes it is left out. A bad topic has no session.
    package var sessionsToOpen: [String] {
        var topics: Set<[UInt8]> = []
        var known: Set<String> = []
        var names: [String] = []
        for event in events where topics.insert(event.topic).inserted {
            guard let topic = try? Topic(event.topic), known.insert(topic.session).inserted
            else { continue }
            if Self.ownCommand(event, topic) == nil { names.append(topic.session) }
        }
        return names
    }

    /// The sessions that another event than their own `open` opens, be it after a `close`: each
    /// gets the header's scene, or the default one.
    package var sessionsOpenedUnasked: [String] {
        var topics: [[UInt8]: Topic?] = [:]
        var (open, found) = (Set<String>(), Set<String>())
        var names: [String] = []
        for event in events {
            let known = topics[event.topic] ?? (try? Topic(event.topic))
            topics[event.topic] = .some(known)
            guard let topic = known else { continue }
            switch Self.ownCommand(event, topic) {
            case .open: open.insert(topic.session)
            case .close: open.remove(topic.session)
            case nil:
                guard open.insert(topic.session).inserted else { continue }
                if found.insert(topic.session).inserted { names.append(topic.session) }
            }
        }
        return names
    }

    private enum OwnCommand: String { case open, close }

    /// The command by which an event opens or closes its session; nil: it does neither.
    private static func ownCommand(_ event: Event, _ topic: Topic) -> OwnCommand? {
        guard case .command(_, component: nil) = topic, let body = try? Document.json(event.body)
        else { return nil }
        return body["command"]?.string.flatMap(OwnCommand.init)
    }
}
