/// The version of the daemon and its tool.
package enum Version {
    package static let text = "0.1.0"
}
