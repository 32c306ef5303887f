import Dispatch
import Geometry
import Protocol
import Sessions
import Synchronization

@testable import Daemon

/// Lanes as a daemon has them, without sockets. Events open sessions that have no components.
struct Lanes {
    let outbox: Outbox
    let counters = Counters()
    let lanes: [Lane]

    init(
        _ count: Int, storage: LaneStorage? = nil, sessionsMax: Int = 1_000,
        reactions: [Reaction] = []
    ) throws {
        let outbox = try Outbox()
        let counters = counters
        var scene = Scene(name: "empty", viewport: Size(320, 568), components: [])
        scene.reactions = reactions
        let settings = LaneSettings(
            grid: Grid(), epoch: "e", scenes: ["empty": scene], autoOpen: "empty", frameRate: 60,
            sessionsMax: sessionsMax, idleSteps: 120_000, retentionSteps: 120_000,
            choice: LaneChoice(count: count), key: 1, versionFloor: 0)
        self.outbox = outbox
        lanes = try (0..<count).map {
            try Lane(
                number: $0, settings: settings, counters: counters, outbox: outbox,
                budget: RejectionBudget(perSecondMax: 1), rejectionLog: RejectionLog(),
                storage: storage)
        }
        for lane in lanes { lane.start() }
    }

    func send(_ barrier: Barrier) {
        for lane in lanes {
            var batch = Batch()
            batch.barriers.append(barrier)
            lane.submit(&batch)
        }
    }

    /// The round trips that have come back.
    func back() -> [Barrier] {
        others().compactMap {
            if case .barrier(let barrier) = $0 { barrier } else { nil }
        }
    }

    /// The rejections without an open session that were posted.
    func rejections() -> [RejectionReport] {
        others().compactMap {
            if case .nowhere(let report) = $0 { report } else { nil }
        }
    }

    private func others() -> [Chunk.Other] {
        var contents = Outbox.Contents()
        outbox.exchange(with: &contents)
        return contents.chunks.flatMap(\.others)
    }

    func rest() {
        for lane in lanes {
            // Batches that came while it looked into its inbox are done the next time.
            repeat {
                lane.queue.sync {}
            } while lane.load.waiting.load(ordering: .acquiring) > 0
        }
    }
}

extension Batch {
    /// Adds a notification as the reactor would have read it.
    mutating func notify(_ session: String, kind: String = "likes") {
        add("notification", session, #"{"kind":"\#(kind)"}"#)
    }

    /// Adds an event on a topic of a session as the reactor would have read it.
    mutating func add(_ kind: String, _ session: String, _ body: String) {
        let start = bytes.count
        bytes += Array("\(kind)/\(session)".utf8)
        let middle = bytes.count
        bytes += Array(body.utf8)
        work.append(
            .event(
                PlacedEvent(
                    topic: start..<middle, body: middle..<bytes.count,
                    hash: StableHash(session))))
        eventCount += 1
    }
}

extension ActiveSession {
    /// A session without components that is due at a step.
    static func empty(_ id: String, wake: Int?) -> ActiveSession {
        let scene = Scene(name: "empty", viewport: Size(320, 568), components: [])
        let session = Session(
            id: id, epoch: "e", scene: scene, opened: Instant(nanoseconds: 0), frameRate: 60)
        let active = ActiveSession(session, openedAt: .zero, interest: [])
        active.wake = wake.map { Step($0) }
        return active
    }
}
