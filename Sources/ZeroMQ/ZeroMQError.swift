import CZeroMQ
import Glibc

/// A call of libzmq that failed, with everything needed to say so to a person.
package struct ZeroMQError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The C function that failed.
    package var operation: String
    /// The value of `zmq_errno()` right after it: an errno of the system, or one of libzmq's own.
    package var code: CInt
    /// libzmq's words for the code.
    package var message: String
    /// The endpoint of the call, if it had one.
    package var endpoint: String?

    /// Reads libzmq's last failure; call it before any other call can change that.
    static func last(_ operation: String, endpoint: String? = nil) -> ZeroMQError {
        ZeroMQError(operation, code: zmq_errno(), endpoint: endpoint)
    }

    init(_ operation: String, code: CInt, endpoint: String? = nil) {
        self.operation = operation
        self.code = code
        self.endpoint = endpoint
        message = unsafe zmq_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    /// A router knows no peer of the identity that the first frame names.
    package var isHostUnreachable: Bool { code == EHOSTUNREACH }
    /// Somebody else is bound to the endpoint.
    package var isAddressInUse: Bool { code == EADDRINUSE }

    /// The same with what to do about it.
    func explained(_ flaw: BindingFlaw?) -> ZeroMQError {
        guard let flaw else { return self }
        var error = self
        error.message = "the endpoint \(flaw.text)"
        return error
    }

    package var description: String {
        endpoint.map { "\(operation) \($0): \(message)" } ?? "\(operation): \(message)"
    }
}
