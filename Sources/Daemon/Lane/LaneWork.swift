import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions

/// One item of a lane's work.
///
/// An event without an answer, which most work is, is stored in place, and the other cases in
/// boxes. So an item costs little to pass on.
enum LaneWork: Sendable {
    case event(PlacedEvent)
    /// An event whose publisher is answered.
    indirect case acknowledgedEvent(Envelope, PlacedEvent)
    /// An event that the reactor has refused already: its client may not publish it.
    indirect case refusedEvent(Rejection, PlacedEvent)
    indirect case request(Envelope, any LaneRequest)
    /// A task that the daemon itself gives a lane.
    indirect case task(any LaneTask)

    /// The event in it.
    @inline(__always)
    var event: PlacedEvent? {
        switch self {
        case .event(let event), .acknowledgedEvent(_, let event), .refusedEvent(_, let event): event
        case .request, .task: nil
        }
    }

    /// The same work, with its event at another place.
    func moved(to place: PlacedEvent) -> LaneWork {
        switch self {
        case .event: .event(place)
        case .acknowledgedEvent(let envelope, _): .acknowledgedEvent(envelope, place)
        case .refusedEvent(let rejection, _): .refusedEvent(rejection, place)
        case .request, .task: self
        }
    }

    /// Whether it is an event whose topic may be that of a command. One that is refused already
    /// changes nothing.
    @inline(__always)
    func mayBeCommand(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .event(let event), .acknowledgedEvent(_, let event): unsafe event.mayBeCommand(bytes)
        case .refusedEvent, .request, .task: false
        }
    }

    /// Refuses it where a peer waits for an answer.
    func refuse(_ rejection: Rejection, on table: LaneTable) {
        switch self {
        case .acknowledgedEvent(let envelope, _): table.sink.chunk.refuse(envelope, rejection)
        case .request(let envelope, let request):
            request.refuse(on: table, answering: envelope, rejection)
        case .event, .refusedEvent, .task: break
        }
    }

    /// Whether it may take so long that a look at the clock should follow it.
    func mayTakeLong(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .event(let event), .acknowledgedEvent(_, let event):
            // A short command may change much in a world.
            unsafe event.body.count > Limits.shortBodyBytesMax || event.mayBeCommand(bytes)
        case .request: true
        case .refusedEvent: false
        case .task(let task): task.mayTakeLong
        }
    }
}

/// An event, by the places of its frames in the bytes of its batch.
struct PlacedEvent: Sendable {
    let topic: Range<Int>
    let body: Range<Int>
    /// The hash of the topic's session.
    let hash: StableHash
    /// Whether the message was exactly a topic and a body (in a cluster a hop count may follow). If
    /// not, `topic` and `body` are its first two frames, empty where missing.
    var isWhole = true
    /// The number of its client, as ``ClientRights/publisher(_:)`` tells it; 0: unknown.
    var publisher: UInt32 = 0

    @inline(__always)
    func frames(in bytes: UnsafeRawBufferPointer) -> EventFrames {
        unsafe EventFrames(
            topic: .init(rebasing: bytes[topic]), body: .init(rebasing: bytes[body]), hash: hash,
            publisher: publisher)
    }

    /// Whether its topic may be that of a command.
    @inline(__always)
    fileprivate func mayBeCommand(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Only the topics of commands begin with this letter.
        unsafe !topic.isEmpty && bytes[topic.lowerBound] == UInt8(ascii: "c")
    }

    /// The same event, after its bytes were put behind `count` others.
    func behind(_ count: Int) -> PlacedEvent {
        PlacedEvent(
            topic: topic.lowerBound + count..<topic.upperBound + count,
            body: body.lowerBound + count..<body.upperBound + count, hash: hash, isWhole: isWhole,
            publisher: publisher)
    }
}

/// A task that the daemon itself gives a lane. No peer is answered for it.
protocol LaneTask: Sendable {
    /// The session that has to be in memory for it, if the store has it.
    var subject: String? { get }
    /// Whether it may take so long that a look at the clock should follow it.
    var mayTakeLong: Bool { get }
    /// Whether it waits while its session's scene is being changed.
    var waitsForChanges: Bool { get }

    func perform(on lane: Lane, at moment: Moment)
}

extension LaneTask {
    var subject: String? { nil }
    var mayTakeLong: Bool { false }
    var waitsForChanges: Bool { false }
}

/// Does the work that other types of the lane hand back to it: the lane.
protocol WorkPerformer: AnyObject {
    /// Does one item of work at once, whatever it costs.
    func perform(_ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment)

    /// Does the work of a batch that waited for the store, beginning at `start`, until the piece of
    /// time is over. Returns the place of the first work that is left. The caller then concludes
    /// the turn, which posts and stores what has changed.
    func perform(held batch: Batch, from start: Int, _ moment: Moment) -> Int
}

extension Limits {
    /// Bytes of an event beyond which a look at the clock follows it: few are longer.
    static let shortBodyBytesMax = 1_024
}
