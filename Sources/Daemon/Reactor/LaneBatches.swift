import Geometry
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
    @inline(__always)
    var haveRoom: Bool { lanes.allSatisfy(\.load.hasRoom) }

    /// Whether every lane has room for more behind what this round has gathered for it.
    var haveRoomForMore: Bool {
        lanes.indices.allSatisfy { lanes[$0].load.hasRoom(behind: batches[$0]) }
    }

    /// The lane of a session, where there is no cluster; nil: there is one.
    func ownLane(of session: String) -> Int? { cluster == nil ? choice.lane(of: session) : nil }

    /// The lane of the session of a name, and whether it lives here now. One that does not has the
    /// first lane.
    @inline(__always)
    func route(_ name: RawSpan, _ hash: StableHash) -> (lane: Int, isHere: Bool) {
        guard cluster != nil else { return (choice.lane(of: name), true) }
        let lane = cluster?.lane(of: hash)
        return (lane ?? 0, lane != nil)
    }

    /// Adds one piece of work to a lane's next batch.
    mutating func add(_ work: LaneWork, to lane: Int, isEvent: Bool = false) {
        if batches[lane].isEmpty { batches[lane].received = Clock.monotonic() }
        // An event is asked first, for a look into a request copies it.
        if !isEvent, case .request(_, let request) = work {
            batches[lane].documentBytes += request.documentBytes
            batches[lane].requestCount += 1
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
    mutating func addToAll(_ work: LaneWork) {
        for lane in lanes.indices { add(work, to: lane) }
    }

    /// Adds an event whose publisher waits for the answer. A body that is too long is cut as that
    /// of a frame is.
    mutating func add(
        topic: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer,
        answering envelope: Envelope, publisher: UInt32 = 0, to lane: Int
    ) {
        let hash = unsafe Topic.session(in: topic)?.hash ?? StableHash()
        let (topic, body) = unsafe batches[lane].append(topic, body)
        add(
            .acknowledgedEvent(
                envelope,
                PlacedEvent(topic: topic, body: body, hash: hash, publisher: publisher)),
            to: lane, isEvent: true)
    }

    /// Takes an event's bytes, which are the last, out of a lane's batch again.
    mutating func take(
        _ topic: Range<Int>, _ body: Range<Int>, of lane: Int
    ) -> (topic: [UInt8], body: [UInt8]) {
        // No slice is held meanwhile, or the whole batch would be copied.
        let taken = (Array(batches[lane].bytes[topic]), Array(batches[lane].bytes[body]))
        batches[lane].bytes.removeSubrange(topic.lowerBound...)
        return taken
    }

    /// Adds an event that was held to a lane's next batch.
    mutating func add(topic: [UInt8], body: [UInt8], to lane: Int) {
        unsafe topic.withUnsafeBytes { topic in
            unsafe body.withUnsafeBytes { body in
                let hash = unsafe Topic.session(in: topic)?.hash ?? StableHash()
                let (topic, body) = unsafe batches[lane].append(topic, body)
                batches[lane].addEvent(topic, body, hash, isWhole: true)
            }
        }
    }

    /// Copies an event's frames to a lane's next batch; returns where they stand.
    mutating func append(
        _ topic: borrowing Message, _ body: borrowing Message, hasBody: Bool, to lane: Int
    ) -> (topic: Range<Int>, body: Range<Int>) {
        unsafe topic.withBytes { topic in
            unsafe body.withBytes { body in
                unsafe batches[lane].append(
                    topic, hasBody ? body : .init(start: nil, count: 0))
            }
        }
    }

    /// Adds an event whose frames stand in the lane's batch.
    mutating func addEvent(
        _ topic: Range<Int>, _ body: Range<Int>, _ hash: StableHash, isWhole: Bool,
        publisher: UInt32, to lane: Int
    ) {
        batches[lane].addEvent(topic, body, hash, isWhole: isWhole, publisher: publisher)
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
