package import Geometry
package import Notation

/// The session that a bridge touches: its viewport, while it is open.
package struct TouchedSession: Sendable {
    package let name: String
    package private(set) var viewport: Size?
    private var lastAsk: Int?

    /// Milliseconds between two requests to open it, while somebody touches and it is not open.
    private static let askMilliseconds = 1_000

    package init(name: String) { self.name = name }

    /// The topics to follow.
    package var prefixes: [String] { ["scene/\(name)", "session/\(name)"] }

    /// Takes an update, also one of another session whose name begins alike.
    package mutating func take(topic: String, _ body: Node) {
        switch topic {
        case "scene/\(name)": take(scene: body)
        case "session/\(name)":
            let ends = ["closed", "parked", "expired"]
            if ends.contains(body["event"]?.string ?? "") { viewport = nil }
        default: break
        }
    }

    /// Takes the scene that an update or a reply describes.
    package mutating func take(scene: Node) {
        let sides = (scene["viewport"]?.array ?? []).compactMap(\.double)
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 <= 1_000_000 }) else { return }
        viewport = Size(sides[0], sides[1])
    }

    /// The daemon has gone: nobody knows whether the next one has the session.
    package mutating func forget() { viewport = nil }

    /// Whether to ask the daemon now to open it, because a contact waits.
    package mutating func shallAsk(at moment: Moment) -> Bool {
        if let lastAsk, moment.steady - lastAsk < Self.askMilliseconds { return false }
        lastAsk = moment.steady
        return true
    }
}
