import Gestures
package import Protocol
package import Sessions

extension DecodingFailure {
    /// The contact of a gesture that could not be decoded, if that part could be read.
    package func contact(_ topic: Topic) -> Contact? {
        guard case .gesture(_, let component) = topic, let gesture, let phase else { return nil }
        return Contact(
            component: component ?? Contact.ofSession, gesture: gesture, phase: phase,
            pointer: gesture == .pointer || gesture == .token ? pointer : nil)
    }

    package func contact(topic: [UInt8]) -> Contact? {
        (try? Topic(topic)).flatMap { contact($0) }
    }
}
