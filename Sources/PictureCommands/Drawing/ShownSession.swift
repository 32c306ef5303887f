import GesturedClient
import Notation
import Pictures

/// The picture of a session, with the words that stand beside it.
struct ShownSession: Hashable, Sendable {
    /// Transitions that are remembered; more have no room.
    private static let transitionsMax = 8

    let session: String
    private(set) var picture = Picture()
    /// The last transitions, the newest first.
    private(set) var transitions: [Picture.Transition] = []
    /// A notice, such as "not open" or "closed".
    var notice = ""
    /// The caption of what plays; nil where nobody follows captions.
    var caption: String?
    /// The address of a page that shows the same; nil: there is none.
    var link: String?
    /// Whether the daemon is silent, so that all of this may be old.
    var isSilent = false

    init(session: String) { self.session = session }

    /// Applies an update; passes over those of others.
    mutating func apply(_ update: ReceivedUpdate) {
        guard update.session == session else { return }
        let content = update.content
        switch update.topic.prefix(while: { $0 != "/" }) {
        case "scene":
            picture.take(scene: content)
            notice = ""
        case "frame":
            picture.take(frame: content)
            notice = ""
            if content["transitions"]?.array?.isEmpty == false {
                transitions = Array(
                    (picture.transitions.reversed() + transitions).prefix(Self.transitionsMax))
            }
        case "session":
            let event = content["event"]?.string ?? ""
            if ["closed", "parked", "expired"].contains(event) {
                picture.clear()
                transitions = []
                notice = event
            } else {
                notice = ""
            }
        default: break
        }
    }
}
