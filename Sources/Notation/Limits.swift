/// The bounds of the program by name. Each is declared beside what enforces it, in an
/// `extension Limits` there, with its unit and the reason for its size.
///
/// Bounds that a type of the core holds alone are constants of that type, as `World.itemsMax`.
/// The daemon lists those that `hello` and `stats` publish in one place, `PublishedLimits.swift`.
package enum Limits {
    /// Bytes of a message on any socket; beyond it ZeroMQ drops the connection.
    package static let messageBytesMax = 1024 * 1024
}
