/// An update of the daemon as it goes to clients: encoded once, shared by all of them.
package struct Update: Sendable {
    enum Kind: Sendable, Hashable {
        /// Each is its own: transitions, badges, refusals, syncs.
        case lasting
        /// Each is complete, so the newest stands for those before.
        case current
        case frame
        /// A scene is complete as well, and frames before it are of another one.
        case scene(session: [UInt8])
        /// Frames before it must not be merged with those behind it.
        case boundary(session: [UInt8])
    }

    package let topic: [UInt8]
    /// The message for the client.
    package let bytes: [UInt8]
    let bodyStart: Int
    let kind: Kind
    /// Its place among all updates that came; `FrameLogs` gives it.
    var number = 0

    package init(topic: [UInt8], body: [UInt8]) {
        self.topic = topic
        (bytes, bodyStart) = ServerMessage.update(topic: topic, body: body)
        kind = Self.kind(of: topic)
    }

    /// Where the body stands in the message.
    var bodyRange: Range<Int> { bodyStart..<(bytes.count - 1) }

    static func frameTopic(of session: [UInt8]) -> [UInt8] { Array("frame/".utf8) + session }

    private static func kind(of topic: [UInt8]) -> Kind {
        if topic.starts(with: "frame/".utf8) { return .frame }
        if topic.starts(with: "state/".utf8) || topic.starts(with: "variables/".utf8)
            || topic.starts(with: "rows/".utf8) || topic.starts(with: "touches/".utf8)
            || topic.elementsEqual("heartbeat".utf8)
        {
            return .current
        }
        if topic.starts(with: "scene/".utf8) {
            return .scene(session: Array(topic.dropFirst("scene/".utf8.count)))
        }
        if topic.starts(with: "session/".utf8) {
            return .boundary(session: Array(topic.dropFirst("session/".utf8.count)))
        }
        return .lasting
    }
}
