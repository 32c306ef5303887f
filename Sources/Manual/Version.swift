/// The version of the daemon, its tool and its package. No other place has it.
package enum Version {
    package static let text = "0.1.0"
    /// When it was released: the date of the manual pages.
    package static let date = "2026-11-21"
}
