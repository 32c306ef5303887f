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
    case `internal`
}

/// A peer's mistake: a value that is reported back, never a trap.
package struct Rejection: Error, Hashable, Sendable, Codable {
    package var code: RejectionCode
    /// One sentence for a person; clients decide by the code alone.
    package var message: String

    package init(_ code: RejectionCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
