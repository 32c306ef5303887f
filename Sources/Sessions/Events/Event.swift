package import Gestures
package import Interactions
package import Notation

/// How a notification changes a count.
package enum CountChange: Hashable, Sendable {
    /// ≥ 0; counts stop at `BadgeCounts.countMax`.
    case add(Int)
    /// 0 … `BadgeCounts.countMax`.
    case set(Int)
}

/// One event for one session, decoded and checked as far as possible without the session.
///
/// The room `Events`: `Session.receive` judges an event and applies it; `SeenIDs` remembers the ids
/// of applied ones, so that a publisher may send an event twice and it counts once.
package struct Event: Hashable, Sendable {
    package enum Payload: Hashable, Sendable {
        /// Nil: the session finds out which component is meant.
        case gesture(component: String?, Gesture)
        case command(component: String, ComponentCommand)
        /// `data`: a table for the reactions of the scene.
        case notification(kind: String, CountChange, data: Node? = nil)
        /// Values of variables, by their names.
        case assign([Node.Member])
        /// The scene of the session, which goes on.
        case change(SceneChange)
        case open(SceneReference)
        /// Opens a session, or is an update of one that is open.
        case replace(SceneReference)
        case close

        /// Whether it changes the scene of an open session.
        var isChange: Bool {
            switch self {
            case .change, .replace: true
            case .gesture, .command, .notification, .assign, .open, .close: false
            }
        }
    }

    package var payload: Payload
    /// When it happened at its source, in milliseconds since the Unix epoch.
    package var time: Double?
    /// An event with an id that was applied already changes nothing.
    package var id: String?
    /// A number of who published it, the same in each run; 0: nobody knows.
    package var publisher: UInt32

    package init(
        _ payload: Payload, time: Double? = nil, id: String? = nil, publisher: UInt32 = 0
    ) {
        self.payload = payload
        self.time = time
        self.id = id
        self.publisher = publisher
    }
}

extension Phase {
    /// Whether the gesture goes on, so that nothing is to be saved yet.
    var goesOn: Bool {
        switch self {
        case .began, .changed: true
        case .ended, .cancelled: false
        }
    }
}

extension Limits {
    /// Bytes of an event's id.
    package static let idBytesMax = 64
}
