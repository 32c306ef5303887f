package import Geometry
package import Interactions
package import Notation

/// The kinds of topics that a session publishes on; interest is kept for each.
package struct Channels: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let state = Channels(rawValue: 1)
    package static let transition = Channels(rawValue: 2)
    package static let badge = Channels(rawValue: 4)
    package static let session = Channels(rawValue: 8)
    package static let rejected = Channels(rawValue: 16)
    package static let frame = Channels(rawValue: 32)
    package static let scene = Channels(rawValue: 64)
    package static let variables = Channels(rawValue: 128)
    package static let rows = Channels(rawValue: 256)
    package static let touches = Channels(rawValue: 512)
    package static let all: Channels = [
        .state, .transition, .badge, .session, .rejected, .frame, .scene, .variables, .rows,
        .touches,
    ]
    /// Those that show motion.
    package static let motion: Channels = [.state, .transition, .frame]
    /// How many there are.
    package static let count = 10
}

/// A change of a session's life, named as on the wire.
package enum SessionEvent: Hashable, Sendable {
    case opened, closed, parked, restored, expired
    /// It goes on at another member of the cluster: `owner`, as JSON, or `null`.
    case moved(owner: [UInt8])

    package var name: String {
        switch self {
        case .opened: "opened"
        case .closed: "closed"
        case .parked: "parked"
        case .restored: "restored"
        case .expired: "expired"
        case .moved: "moved"
        }
    }

    /// Those with which no member of a cluster is told.
    private static let ofOneDaemon: [SessionEvent] = [
        .opened, .closed, .parked, .restored, .expired,
    ]

    /// All of them.
    package static let names = ofOneDaemon.map(\.name) + [SessionEvent.moved(owner: []).name]
}

/// By its name. A session that has moved is not kept, so it is no kept one's last event.
extension SessionEvent: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let event = Self.ofOneDaemon.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "there is no event \"\(name)\"")
        }
        self = event
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

/// The head of every update: its number on its topic and the instant that it shows.
package struct Stamp: Hashable, Sendable {
    package var seq: Int
    package var instant: Instant
}

/// One life of a session, as its updates name it.
package struct SessionIdentity: Hashable, Sendable {
    package let id: String
    package let epoch: String
    /// The scene's name, where it has one.
    package let scene: String?
    /// The id, to find it by.
    package let word: NameWord

    init(id: String, epoch: String, scene: String?) {
        (self.id, self.epoch, self.scene) = (id, epoch, scene)
        word = NameWord(id)
    }
}

/// Where a session's updates go: Codec's writer, a test's list.
///
/// It takes the parts that it needs, not the session: a copy of that would cost more.
package protocol UpdateSink {
    /// Whether there is no room: states and badges then wait, and are newer when they go.
    var isFull: Bool { get }

    mutating func session(_ identity: SessionIdentity, _ event: SessionEvent, _ stamp: Stamp)
    mutating func transition(
        _ identity: SessionIdentity, component: String, _ transition: Transition, _ stamp: Stamp)
    /// The counts as they were at the stamp's instant.
    mutating func badge(_ identity: SessionIdentity, _ badges: BadgeLedger, _ stamp: Stamp)
    /// The present values of the variables, in the order of the scene.
    mutating func variables(
        _ identity: SessionIdentity, _ variables: VariablePicture, _ stamp: Stamp)
    /// The machine is `inout` to lend it, as any other argument would be copied; a sink only reads
    /// it.
    mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp)
    mutating func scene(
        _ identity: SessionIdentity, _ scene: SceneDescription, _ stamp: Stamp)
    mutating func rows(
        _ identity: SessionIdentity, component: String, _ rows: ToldRows, _ stamp: Stamp)
    /// The contacts that are down.
    mutating func touches(
        _ identity: SessionIdentity, _ contacts: ContactLedger, _ stamp: Stamp)
    mutating func frame(_ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp)
    mutating func rejected(_ identity: SessionIdentity, _ report: RejectionReport, _ stamp: Stamp)
}

extension UpdateSink {
    /// For sinks of what is seen.
    package mutating func rows(
        _ identity: SessionIdentity, component: String, _ rows: ToldRows, _ stamp: Stamp
    ) {}

    package mutating func touches(
        _ identity: SessionIdentity, _ contacts: ContactLedger, _ stamp: Stamp
    ) {}
}

/// A scene as clients are told of it.
package struct SceneDescription: Sendable {
    package var scene: Scene
    /// How often the scene of this session was changed, and 1; 0: it is no session's.
    package var revision: Int
    package var frameRate: Int
    /// The values that its texts name; nil: they are told as they are written.
    package var texts: TextContext?

    package init(scene: Scene, revision: Int, frameRate: Int) {
        self.scene = scene
        self.revision = revision
        self.frameRate = frameRate
    }
}

/// A refused event, as it is published.
package struct RejectionReport: Hashable, Sendable, Codable {
    package var rejection: Rejection
    /// As received, repaired where it is not text.
    package var topic: String
    /// The beginning of the body.
    package var excerpt: String
    /// Set where nobody sent it: a reaction of the scene.
    package var reaction: Reaction?

    /// A reaction that was not performed.
    package struct Reaction: Hashable, Sendable, Codable {
        /// Its index in the scene.
        package var index: Int
        /// The body that it would have sent, from which the excerpt comes.
        package var command: Node
    }

    package init(_ rejection: Rejection, topic: String, excerpt: String) {
        self.rejection = rejection
        self.topic = topic
        self.excerpt = excerpt
    }
}
