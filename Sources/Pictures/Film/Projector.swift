import Notation
import Protocol

/// Plays a film forwards: the picture of each session at a time.
package struct Projector {
    private let film: Film
    private var next = 0
    private var pictures: [String: Picture] = [:]

    package init(_ film: Film) { self.film = film }

    /// Takes all messages up to a time, in milliseconds; it must not fall.
    package mutating func advance(to time: Double) {
        while next < film.messages.count, film.messages[next].time <= time {
            let message = film.messages[next]
            next += 1
            guard let body = try? Document.json(message.body) else { continue }
            switch message.kind {
            case .scene: pictures[message.session, default: Picture()].take(scene: body)
            case .frame: pictures[message.session, default: Picture()].take(frame: body)
            case .session:
                let event = body["event"]?.string
                if event != "opened" && event != "restored" {
                    pictures[message.session] = nil
                }
            }
        }
    }

    package func picture(of session: String) -> Picture? { pictures[session] }
}
