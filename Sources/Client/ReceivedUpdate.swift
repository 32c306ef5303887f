package import Notation
import Protocol

/// One update of the daemon, with the fields that every update has.
public struct ReceivedUpdate: Hashable, Sendable {
    /// As `state/alice/tips`.
    public var topic: String
    /// The JSON object in UTF-8, as it came.
    public var body: [UInt8]
    /// The run of the daemon, or of the session in it, in which sequence numbers count.
    public var epoch: String
    /// Its number among the updates of this topic in this epoch, from 1; 0 in a snapshot of a topic
    /// on which none was sent.
    public var sequence: Int
    /// The instant that the update shows, in milliseconds since the Unix epoch.
    public var time: Double
    /// The body as a tree.
    package var content: Node

    /// Nil if the body lacks `epoch`, `seq` or `t`, which the protocol promises for every update,
    /// or if `seq` is below 0.
    package init?(topic: [UInt8], body: [UInt8]) {
        guard let content = try? Document.json(body) else { return nil }
        self.init(topic: String(decoding: topic, as: UTF8.self), content: content, body: body)
    }

    package init?(topic: String, content: Node, body: [UInt8]) {
        guard let epoch = content["epoch"]?.string, let sequence = content["seq"]?.int,
            sequence >= 0, let time = content["t"]?.double
        else { return nil }
        self.topic = topic
        self.body = body
        self.epoch = epoch
        self.sequence = sequence
        self.time = time
        self.content = content
    }

    /// Bytes of the tree for each byte of the text. A node has some 40 bytes and a member of an
    /// object some 60, where their texts have two to ten.
    private static let treeFactor = 10

    /// Bytes of memory that it takes, about: its text and its tree.
    package var memoryBytes: Int { body.count * (1 + Self.treeFactor) }

    /// The session in the topic; nil for topics of the whole daemon, such as `rejected/-`.
    public var session: String? {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0] != "sync", parts[1] != "-" else { return nil }
        return String(parts[1])
    }
}
