package import Notation
import Sessions

extension Limits {
    /// Bytes of a file of the configuration or of a scene: the same as of a scene in a message.
    package static let fileBytesMax = messageBytesMax
}
