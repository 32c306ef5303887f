import Notation

/// Why an event or a request was refused, named as on the wire.
package enum RejectionCode: String, Hashable, Sendable, CaseIterable, Codable {
    case badFrames = "bad-frames"
    case badTopic = "bad-topic"
    case badJSON = "bad-json"
    case tooLarge = "too-large"
    case unknownSession = "unknown-session"
    case unknownScene = "unknown-scene"
    case badScene = "bad-scene"
    case unknownComponent = "unknown-component"
    case unknownGesture = "unknown-gesture"
    case unknownCommand = "unknown-command"
    case missingField = "missing-field"
    case badValue = "bad-value"
    case outOfOrder = "out-of-order"
    case busy
    case duplicate
    case sessionLimit = "session-limit"
    case unknownOperation = "unknown-op"
    case unauthorized
    case reactionLimit = "reaction-limit"
    /// The session is at another member of the cluster.
    case moved
    case `internal`
}

/// A peer's mistake: a value that is reported back, never a trap.
package struct Rejection: Error, Hashable, Sendable, Codable {
    package var code: RejectionCode
    /// One sentence for a person; clients decide by the code alone.
    package var message: String
    /// The member that owns the session, as JSON, or `null`: of `moved` alone, which is never kept.
    package private(set) var owner: [UInt8]?

    private enum CodingKeys: String, CodingKey { case code, message }

    package init(_ code: RejectionCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A member of a message that is required; an error of a scene says it in the same words.
    package static func absent(_ key: some CustomStringConvertible) -> Rejection {
        Rejection(.missingField, "key \(key): is required")
    }

    /// A member of a message that cannot be so. `rule` completes "key x: …".
    package static func wrong(
        _ key: some CustomStringConvertible, _ rule: String
    ) -> Rejection {
        Rejection(.badValue, "key \(key): \(rule)")
    }

    /// A value is nested deeper than an argument of a command may be.
    package static func tooDeep(_ key: some CustomStringConvertible) -> Rejection {
        .wrong(key, "must be nested at most \(Limits.argumentDepthMax) levels deep")
    }

    /// The session is at another member, which `owner` describes as JSON, or `null`: at nobody now.
    package static func moved(_ message: String, owner: [UInt8]) -> Rejection {
        var rejection = Rejection(.moved, message)
        rejection.owner = owner
        return rejection
    }
}
