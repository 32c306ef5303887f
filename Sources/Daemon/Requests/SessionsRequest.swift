import Interactions
import Notation
import Protocol
import Security

/// `sessions`: the names of all sessions, open or parked, a page at a time.
struct SessionsRequest: AllLanesRequest {
    static let operation = "sessions"

    /// The page begins after this name; empty: with the first one.
    let after: String
    let limit: Int
    /// Whether each session's state and scene are told.
    let isDetailed: Bool
    /// The sessions that are listed.
    let choice: Choice

    /// The sessions whose names it may tell, and those of which it may tell more.
    private(set) var visible = SessionPatterns.all
    private(set) var readable = SessionPatterns.all

    /// The sessions in question; the raw value is that of `only`.
    enum Choice: String {
        case all
        /// In memory.
        case open
        /// In memory, and moving.
        case moving
    }

    var right: RequestRight { .general }

    init(_ fields: RequestFields) throws(Rejection) {
        if fields.isUnread("after") {
            throw .wrong("after", "must have less than \(Limits.longMemberBytesMin) bytes")
        }
        after = try Self.after(fields["after"])
        isDetailed = try fields.bool("detail") ?? false
        choice = try Self.choice(fields["only"])
        let limit = try Self.limit(fields["limit"])
        // Where the store is not read, details cost no more than names.
        let isRead = isDetailed && choice == .all
        self.limit = isRead ? min(limit, Limits.sessionsDetailedMax) : limit
    }

    private static func choice(_ node: Node?) throws(Rejection) -> Choice {
        guard let node else { return .all }
        guard let text = node.string, let choice = Choice(rawValue: text) else {
            throw .wrong("only", "must be one of \"all\", \"open\", \"moving\"")
        }
        return choice
    }

    private static func after(_ node: Node?) throws(Rejection) -> String {
        guard let node, !node.isNull else { return "" }
        guard let text = node.string else {
            throw .wrong("after", "must be a string")
        }
        return text
    }

    private static func limit(_ node: Node?) throws(Rejection) -> Int {
        guard let node else { return 100 }
        guard let limit = node.int, (1...Limits.sessionsListedMax).contains(limit) else {
            throw .wrong(
                "limit", "must be a whole number from 1 to \(Limits.sessionsListedMax)")
        }
        return limit
    }

    mutating func limit(to grant: Grant) {
        guard grant.control != .all else { return }
        visible = SessionPatterns(grant.read.texts + grant.publish.texts)
        readable = SessionPatterns(grant.read.texts)
    }

    func gathering(lanes: Int) -> any LaneRequest { SessionPage(self, lanes: lanes) }
}
