import Dispatch
import Geometry
import Notation
import Protocol
import Sessions
import Synchronization
import Testing

@testable import Daemon

struct FormerBadgesTests {
    @Test func eachSecondHasItsOwnLimit() {
        var limit = FormerBadgesLimit()
        let max = Limits.formerBadgesPerSecondMax
        let second = Step.perSecond
        let asked = [
            (max - 1, 5), (1, second - 1), (1, second - 1), (max, second), (1, second),
            // One that is refused takes nothing.
            (max + 1, 2 * second), (1, 2 * second),
        ]
        let taken = asked.map { limit.take($0.0, at: Step($0.1)) }
        #expect(taken == [true, true, false, true, false, false, true])
    }

    /// A flood is published as far as the limit goes, and its last count in any case.
    @Test func theNewestCountStandsForAFloodBeyondTheLimit() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        lane.queue.sync {
            SessionInterestTask(session: "anna", channels: .badge, ofBeginning: [])
                .perform(on: lane, at: Moment(now: 0, step: .zero))
        }
        let events = 40_000
        let began = ContinuousClock.now
        for _ in 0..<events / 1_000 {
            var batch = Batch()
            for _ in 0..<1_000 { batch.notify("anna") }
            lane.submit(&batch)
        }
        lanes.rest()
        let seconds = Int((ContinuousClock.now - began).components.seconds)
        #expect(lanes.counters.get(.applied) == events)
        var contents = Outbox.Contents()
        lanes.outbox.exchange(with: &contents)
        let badges = contents.chunks.flatMap { chunk in
            chunk.records.compactMap { record -> String? in
                guard case .update = record.content else { return nil }
                let text = String(decoding: chunk.bytes.array(record.range), as: UTF8.self)
                return text.hasPrefix("badge/anna") ? text : nil
            }
        }
        let max = Limits.formerBadgesPerSecondMax
        #expect(badges.count > max / 2)
        // A part of a second, at both ends, has the limit of a whole one. One more is published
        // after each piece of work, and a piece has more than ten events.
        #expect(badges.count <= (seconds + 2) * max + events / 10, "in \(seconds) s")
        #expect(badges.last?.contains("\"total\":\(events)") == true, "\(badges.last ?? "none")")
        lane.stop()
    }
}
