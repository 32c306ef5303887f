import Dispatch
import Geometry
import Notation
import Sessions
import Testing

@testable import Daemon

/// A session whose steps take long, and whose reactions may change its long scene, asked for beside
/// its own turns.
struct HeavyBringTests {
    private let lanes: Lanes
    private var lane: Lane { lanes.lanes[0] }

    init() throws {
        lanes = try Lanes(1)
        let items = (0..<8).map {
            #"{"id":"i\#($0)","center":[\#(20 + 40 * $0),100],"size":[9,9]}"#
        }
        let ids = (0..<8).map { #""i\#($0)""# }.joined(separator: ",")
        let words = String(repeating: "a", count: 12_000)
        var batch = Batch()
        batch.add(
            "command", "heavy",
            """
            {"command":"open","scene":{"viewport":[400,600],"components":[{"id":"world",\
            "kind":"dynamics","content":{"text":"\(words)"},"items":[\
            \(items.joined(separator: ","))],"behaviors":[{"id":"g","kind":"gravity",\
            "items":[\(ids)]},{"id":"c","kind":"collision","items":[\(ids)],"bounds":true}]}],\
            "reactions":[{"when":{"notification":"never"},\
            "do":{"component":"world","command":"set","values":{"content":{"n":1}}}}]}}
            """)
        lane.submit(&batch)
        lanes.rest()
        #expect(lanes.counters.get(.applied) == 1)
    }

    @Test(arguments: [0, 8_000_000])
    func itMakesNoMoreStepsAtOnceThanFitAPiece(nanosecondsOfStep cost: Int) throws {
        try lane.queue.sync {
            let open = try #require(lane.table.activeSessions["heavy"])
            #expect(open.session.areChangesLong && open.session.isMoving)
            while open.effort.weight == .light || cost > 0 && open.effort.weight != .heavy {
                open.effort.noteWall(.max, limit: 1)
                if cost > 0 { open.effort.noteProcessor(cost, steps: 1, limit: 1_000_000) }
            }
            // The target lies two seconds ahead, whatever it has moved by itself.
            let target = open.session.clock + 240
            let now = lane.table.settings.grid.time(of: open.openedAt + target.count)
            let moment = Moment(now: now, step: open.openedAt + target.count)
            let most = cost > 0 ? 0 : open.effort.stepsMax
            lane.table.advance(open, to: moment)
            let made = Limits.stepsMadeUpMax - (target - open.session.clock)
            #expect((0...most).contains(made), "\(made) steps at once")
        }
        lane.stop()
    }
}
