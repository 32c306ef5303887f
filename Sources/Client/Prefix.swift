/// What a subscriber wants, as the sessions whose snapshots it needs.
package enum SnapshotScope: Hashable, Sendable {
    /// Nothing that a snapshot holds.
    case none
    case session(String)
    /// Any session's topics may begin so.
    case all

    /// The kinds of topics that a snapshot holds.
    private static let kinds = ["state", "badge", "session"]

    /// A prefix names a session as the daemon understands it: up to the next `/` or its end.
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
