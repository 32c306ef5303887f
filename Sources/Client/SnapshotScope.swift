/// The sessions whose snapshots a subscriber to one prefix needs.
package enum SnapshotScope: Hashable, Sendable {
    /// No session: no snapshot holds topics with this prefix.
    case none
    case session(String)
    /// Every session: any session's topics may begin with the prefix.
    case all

    /// Where it is told that a session has moved; nil: nowhere.
    var sessionTopic: String? {
        switch self {
        case .none: nil
        case .session(let name): "session/\(name)"
        case .all: "session/"
        }
    }

    /// The first words of the topics that a snapshot holds.
    private static let kinds = [
        "state", "badge", "variables", "session", "scene", "frame", "rows", "touches",
    ]

    /// As the daemon reads a prefix: the session's name ends at the next `/` or with the prefix.
    package init(prefix: String) {
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let kind = parts.first ?? ""
        if parts.count > 1 && Self.kinds.contains(String(kind)) {
            self = parts[1].isEmpty ? .all : .session(String(parts[1]))
        } else if parts.count < 2 && Self.kinds.contains(where: { $0.hasPrefix(kind) }) {
            self = .all
        } else {
            self = .none
        }
    }
}
