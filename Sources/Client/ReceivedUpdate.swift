package import Notation
import Protocol

/// One message of the daemon: a topic and what is to be known of it.
public struct ReceivedUpdate: Hashable, Sendable {
    public var topic: String
    /// The JSON object as it came.
    public var body: [UInt8]
    /// Which life of the daemon, or of the session, it belongs to.
    public var epoch: String
    /// Its number among the updates of this topic in this epoch; 0 in a snapshot: none was sent.
    public var sequence: Int
    /// The instant that it shows, in milliseconds since the Unix epoch.
    public var time: Double
    /// The body, read.
    package var content: Node

    /// Nil when the body is not what the protocol promises of every update.
    package init?(topic: [UInt8], body: [UInt8]) {
        guard let content = try? Document.json(body) else { return nil }
        self.init(topic: String(decoding: topic, as: UTF8.self), content: content, body: body)
    }

    package init?(topic: String, content: Node, body: [UInt8]) {
        guard let epoch = content["epoch"]?.string, let sequence = content["seq"]?.int,
            let time = content["t"]?.double
        else { return nil }
        self.topic = topic
        self.body = body
        self.epoch = epoch
        self.sequence = sequence
        self.time = time
        self.content = content
    }

    /// The session of its topic; nil for daemon-wide ones, `rejected/-` among them.
    public var session: String? {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0] != "sync", parts[1] != "-" else { return nil }
        return String(parts[1])
    }
}
