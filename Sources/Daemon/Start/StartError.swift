/// Why the daemon cannot start: one clear line for the administrator, exit status 2.
package struct StartError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
