import Codec
import Geometry
import Notation
import Protocol
import ZeroMQ

/// The lanes, and the work that this round has gathered for each of them.
struct LaneBatches {
    let lanes: [Lane]
    /// The lane on which each session lives, where there is no cluster.
    let choice: LaneChoice
    /// Where each shard lives; nil: this daemon has all sessions.
    var cluster: ShardTable?
    private(set) var batches: [Batch]

    init(_ lanes: [Lane], choice: LaneChoice) {
        precondition(choice.count == lanes.count, "a choice among \(choice.count) lanes")
        self.lanes = lanes
        self.choice = choice
        batches = lanes.map { _ in Batch() }
    }

    /// Whether every lane has room for more events.
    var haveRoom: Bool { lanes.allSatisfy(\.load.hasRoom) }

    /// The lane of a session, where there is no cluster; nil: there is one.
    func ownLane(of session: String) -> Int? { cluster == nil ? choice.lane(of: session) : nil }

    /// The lane of the session of a name, and whether it lives here now. One that does not has the
    /// first lane.
    func route(_ name: RawSpan, _ hash: StableHash) -> (lane: Int, isHere: Bool) {
        guard cluster != nil else { return (choice.lane(of: name), true) }
        let lane = cluster?.lane(of: hash)
        return (lane ?? 0, lane != nil)
    }

    /// Adds one piece of work to a lane's next batch.
    mutating func add(_ work: Batch.Work, to lane: Int, isEvent: Bool = false) {
        if batches[lane].isEmpty { batches[lane].received = Clock.monotonic() }
        // An event is asked first, for a look into a request copies it.
        if !isEvent, case .request(_, let request) = work {
            batches[lane].documentBytes += request.documentBytes
        }
        batches[lane].work.append(work)
        if isEvent { batches[lane].eventCount += 1 }
    }

    /// Adds a barrier to every lane's next batch.
    mutating func addToAll(_ barrier: Barrier) {
        for lane in lanes.indices {
            if batches[lane].isEmpty { batches[lane].received = Clock.monotonic() }
            batches[lane].barriers.append(barrier)
        }
    }

    /// Adds one piece of work to every lane's next batch.
    mutating func addToAll(_ work: Batch.Work) {
        for lane in lanes.indices { add(work, to: lane) }
    }

    /// Adds an event whose publisher waits for the answer. A body that is too long is cut as that
    /// of a frame is.
    mutating func add(
        topic: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer,
        answering envelope: Envelope, to lane: Int
    ) {
        let start = end(of: lane)
        unsafe batches[lane].bytes.append(contentsOf: topic)
        let middle = end(of: lane)
        unsafe batches[lane].append(body, atMost: Limits.bodyBytesMax)
        add(
            .acknowledgedEvent(envelope, topic: start..<middle, body: middle..<end(of: lane)),
            to: lane, isEvent: true)
    }

    /// Takes the last bytes out of a lane's batch again.
    mutating func take(
        from start: Int, _ middle: Int, of lane: Int
    ) -> (topic: [UInt8], body: [UInt8]) {
        // No slice is held meanwhile, or the whole batch would be copied.
        let topic = Array(batches[lane].bytes[start..<middle])
        let body = Array(batches[lane].bytes[middle...])
        batches[lane].bytes.removeSubrange(start...)
        return (topic, body)
    }

    /// Adds an event that was held to a lane's next batch.
    mutating func add(topic: [UInt8], body: [UInt8], to lane: Int) {
        let start = end(of: lane)
        batches[lane].bytes += topic
        let middle = end(of: lane)
        batches[lane].bytes += body
        let hash = unsafe topic.withUnsafeBytes { unsafe Topic.session(in: $0)?.hash }
        add(
            .event(
                topic: start..<middle, body: middle..<end(of: lane),
                hash: hash ?? StableHash(), isWhole: true),
            to: lane, isEvent: true)
    }

    /// Where the next byte of a lane's batch will stand.
    func end(of lane: Int) -> Int { batches[lane].bytes.count }

    /// Copies a frame to a lane's next batch. From a frame that is too long it copies one byte more
    /// than the bound, which shows the lane that it is.
    mutating func append(_ frame: borrowing Message, atMost bytesMax: Int, to lane: Int) {
        unsafe frame.withBytes { unsafe batches[lane].append($0, atMost: bytesMax) }
    }

    /// Hands each lane its work in one block. Runs a small batch of an idle lane here.
    /// Returns whether any was.
    mutating func dispatch(suppressingWakeupsOf outbox: Outbox) -> Bool {
        var isAnyDone = false
        for index in lanes.indices where !batches[index].isEmpty {
            let lane = lanes[index]
            if lane.mayRunInline(batches[index]) {
                if !isAnyDone { outbox.suppressWakeup() }
                isAnyDone = true
                if lane.runInline(&batches[index]) { continue }
            }
            lane.submit(&batches[index])
        }
        return isAnyDone
    }
}
