import Geometry
import Notation
import Protocol

extension Target {
    /// A topic that is taken is the same bytes when it is written again, and all others are none by
    /// a slower rule as well.
    static let topic = Target(name: "topic") { bytes in
        let session = unsafe Topic.session(in: bytes.span.bytes)
        do throws(TopicError) {
            let topic = try Topic(bytes)
            expect(Array(topic.written.utf8) == bytes, "\(bytes.text) became \(topic.written)")
            expect(Name.isValid(topic.session), "a session called \(topic.session)")
            expect(session?.hash.value == StableHash(topic.session).value, "another lane's hash")
            expect(
                session.map { Array(bytes[$0.range]) } == Array(topic.session.utf8),
                "another lane's session")
        } catch {
            expectLine(error.message)
            expect(!isTopic(bytes), "\(bytes.text) is refused")
        }
    }

    private static func isTopic(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= Name.topicBytesMax else { return false }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // Rejections without a session stand at `-`, so no session has that name.
        guard (2...3).contains(parts.count), parts.dropFirst().allSatisfy(Name.isValid),
            parts[1] != "-"
        else { return false }
        return switch parts[0] {
        case "gesture", "command": true
        case "notification": parts.count == 2
        default: false
        }
    }
}

extension Topic {
    /// Its bytes as text.
    var written: String {
        switch self {
        case .gesture(let session, let component?): "gesture/\(session)/\(component)"
        case .gesture(let session, nil): "gesture/\(session)"
        case .notification(let session): "notification/\(session)"
        case .command(let session, let component?): "command/\(session)/\(component)"
        case .command(let session, nil): "command/\(session)"
        }
    }
}
