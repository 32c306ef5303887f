import Interactions
import Notation
import Protocol

/// `sessions`: the names of all sessions, open or parked, a page at a time.
struct SessionsRequest: AllLanesRequest {
    static let operation = "sessions"

    /// The page begins after this name; empty: with the first one.
    let after: String
    let limit: Int
    /// Whether each session's state and scene are told.
    let isDetailed: Bool

    init(_ fields: RequestFields) throws(Rejection) {
        after = try Self.after(fields["after"])
        isDetailed = try fields.bool("detail") ?? false
        let limit = try Self.limit(fields["limit"])
        self.limit = isDetailed ? min(limit, Limits.sessionsDetailedMax) : limit
    }

    private static func after(_ node: Node?) throws(Rejection) -> String {
        guard let node, !node.isNull else { return "" }
        guard let text = node.string else {
            throw Rejection(.badValue, "after must be a string")
        }
        return text
    }

    private static func limit(_ node: Node?) throws(Rejection) -> Int {
        guard let node else { return 100 }
        guard let limit = node.int, (1...Limits.sessionsListedMax).contains(limit) else {
            throw Rejection(
                .badValue,
                "limit must be a whole number from 1 to \(Limits.sessionsListedMax)")
        }
        return limit
    }

    func gathering(lanes: Int) -> any LaneRequest { SessionPage(self, lanes: lanes) }
}
