import Dispatch
import Geometry
import Glibc
import Notation
import Protocol
import Sessions
import Store
import StoreSupport

@testable import Daemon

/// One lane that stores in a database of the tests, and the part of the reactor that it needs.
final class StoredLane {
    let database: MemoryDatabase
    /// Lets readers answer; nil: they answer at once.
    let late: LateStore?
    let lanes: Lanes
    let writer: StoreWriter
    var replies: [String] = []

    init(
        _ database: MemoryDatabase = MemoryDatabase(), isLate: Bool = false,
        tuning: WriteBehind.Tuning = WriteBehind.Tuning(), reactions: [Reaction] = []
    ) throws {
        self.database = database
        let log = Log(level: .error, to: .lines(Drain().descriptor))
        let store = database.open()
        late = isLate ? try LateStore(store) : nil
        writer = try StoreWriter(late ?? store, counters: Counters(), log: log)
        lanes = try Lanes(
            1, storage: LaneStorage(writer, tuning: tuning), reactions: reactions)
    }

    var lane: Lane { lanes.lanes[0] }

    func publish(_ session: String, _ body: String, on word: String = "notification") {
        var batch = Batch()
        batch.bytes = Array("\(word)/\(session)".utf8)
        let topic = 0..<batch.bytes.count
        batch.bytes += Array(body.utf8)
        let envelope = Envelope(identity: [], hasDelimiter: false)
        batch.work.append(
            .acknowledgedEvent(
                envelope,
                PlacedEvent(
                    topic: topic, body: topic.upperBound..<batch.bytes.count,
                    hash: StableHash(session))))
        batch.eventCount = 1
        lane.submit(&batch)
    }

    /// Does what the reactor does with the outbox until a condition holds; false: it never did. It
    /// leaves the processor to the lane, which sanitizers and many tests at once make slow.
    func pump(until isDone: (StoredLane) -> Bool) -> Bool {
        let end = Clock.monotonic() + 120_000_000_000
        while !isDone(self) {
            guard Clock.monotonic() < end else { return false }
            var contents = Outbox.Contents()
            lanes.outbox.exchange(with: &contents)
            for chunk in contents.chunks {
                for record in chunk.records {
                    guard case .other(let place) = record.content,
                        case .reply = chunk.others[place]
                    else { continue }
                    replies.append(String(decoding: chunk.bytes.array(record.range), as: UTF8.self))
                }
            }
            for completion in contents.completions { completion() }
            if contents.chunks.isEmpty && contents.completions.isEmpty { usleep(100) }
        }
        return true
    }

    /// Publishes, and returns the answer.
    func ask(_ session: String, _ body: String) -> String {
        let count = replies.count
        publish(session, body)
        guard pump(until: { $0.replies.count > count }) else { return "no answer" }
        return replies[count]
    }

    func order(_ orders: ShardOrder...) {
        var batch = Batch()
        batch.work = orders.map { .task($0) }
        lane.submit(&batch)
    }

    /// Asks the lane something between two pieces of its work.
    func asked<Answer>(_ question: (Lane) -> Answer) -> Answer {
        lane.queue.sync { question(lane) }
    }

    /// The count of likes in the row of a session.
    func storedLikes(_ session: String) -> Int? {
        guard let state = database.session(session)?.state else { return nil }
        let text = String(decoding: state, as: UTF8.self)
        guard let match = text.firstMatch(of: /"likes":(\d+)/) else { return 0 }
        return Int(match.1)
    }

    /// The steps that are left of the first wait in the row of a session.
    func storedSteps(_ session: String) -> Int? {
        guard let state = database.session(session)?.state else { return nil }
        let text = String(decoding: state, as: UTF8.self)
        return text.firstMatch(of: /"steps":(\d+)/).flatMap { Int($0.1) }
    }

    /// The end of a daemon, as the reactor makes it.
    func end() -> Bool {
        lane.stop()
        lane.storeLast()
        for _ in 0..<3 where !lane.isStored() {
            guard writer.drain(unless: { false }) else { return false }
            var isTaken = false
            _ = pump { _ in
                defer { isTaken = true }
                return isTaken
            }
        }
        let isWhole = lane.isStored()
        return writer.stop(isWhole: isWhole, unless: { false }) && isWhole
    }
}
