import Interactions

/// Why a session did not do what it was asked. Nothing has changed then.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// A code of the protocol to decide by, such as `bad-value` or `out-of-order`.
    public var code: String
    /// One sentence for a person.
    public var message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ rejection: Rejection) {
        code = rejection.code.rawValue
        message = rejection.message
    }

    public var description: String { "\(code): \(message)" }
}
