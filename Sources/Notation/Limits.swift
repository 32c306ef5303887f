/// The bounds of the program by name. Each is declared in an `extension Limits`, with its unit and
/// the reason for its size: beside what enforces it, or beside what several places enforce it on.
///
/// Bounds that a type of the core holds alone are constants of that type, as `World.itemsMax`. To
/// find a bound, begin with `PublishedLimits.swift`, which lists those that the daemon publishes,
/// or with `WebLimits.swift` for gesture-web.
package enum Limits {
    /// Bytes of a message on any socket; beyond it ZeroMQ drops the connection.
    package static let messageBytesMax = 1024 * 1024
}
