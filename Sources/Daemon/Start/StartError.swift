/// Why the daemon cannot start: one clear line for the administrator, and the exit status.
package struct StartError: Error, Hashable, Sendable {
    package var message: String
    /// Whether the next trial may succeed though nobody mends anything.
    package var isTemporary = false

    package init(_ message: String) { self.message = message }

    init(temporary message: String) {
        self.message = message
        isTemporary = true
    }

    /// 2: a person must mend it, and a service manager does not try again. 75 (EX_TEMPFAIL): it
    /// does.
    package var status: Int32 { isTemporary ? 75 : 2 }
}
