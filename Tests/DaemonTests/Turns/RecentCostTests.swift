import Dispatch
import Geometry
import Notation
import Sessions
import Testing

@testable import Daemon

struct RecentCostTests {
    private let long = Limits.openingMicrosecondsMax * 1_000 + 1

    @Test func oneLongRequestMakesTheNextOnesWaitForSpareTime() {
        var cost = RecentCost(microsecondsMax: 1_000, microsecondsShort: 1_000)
        #expect(!cost.isLong)
        cost.note(nanoseconds: long - 1)
        #expect(!cost.isLong)
        cost.note(nanoseconds: 10 * long)
        for _ in 0..<20 {
            #expect(cost.isLong, "short ones between do not hide it")
            cost.note(nanoseconds: 1_000)
        }
        for _ in 0..<50 { cost.note(nanoseconds: 1_000) }
        #expect(!cost.isLong)
    }

    /// Those that take about the bound would pile up among events and in the spare time by turns.
    @Test func requestsNearTheBoundStayInTheSpareTime() {
        var cost = RecentCost(microsecondsMax: 1_000, microsecondsShort: 250)
        cost.note(nanoseconds: long)
        for _ in 0..<100 {
            cost.note(nanoseconds: long * 3 / 4)
            #expect(cost.isLong)
        }
    }

    /// In one of many thousand openings the table of the sessions grows.
    @Test func anOpeningThatIsLongAloneDoesNotCount() {
        var costs = RequestCosts()
        for taken in [10, 50 * long, 10, 10] {
            costs.noteOpening(nanoseconds: taken)
            #expect(!costs.openings.isLong)
        }
        for taken in [2 * long, 3 * long] { costs.noteOpening(nanoseconds: taken) }
        #expect(costs.openings.isLong)
    }

    private func request<Request: ControlRequest>(
        _ type: Request.Type, _ text: String
    ) throws -> Request {
        try Request(RequestFields(Array(text.utf8)))
    }

    @Test func hitsAndOpeningsWaitAsLongAsTheyTakeLong() throws {
        let lane = try Lanes(1).lanes[0]
        let hit = try request(HitRequest.self, #"{"session":"a","x":1,"y":1}"#)
        let open = try request(OpenRequest.self, #"{"session":"a","scene":{}}"#)
        #expect(!hit.isCostly(on: lane.table) && !open.isCostly(on: lane.table))
        lane.table.costs.hits.note(nanoseconds: long)
        #expect(hit.isCostly(on: lane.table) && !open.isCostly(on: lane.table))
        for _ in 1...2 { lane.table.costs.noteOpening(nanoseconds: long) }
        #expect(open.isCostly(on: lane.table))
    }

    @Test func anOpeningThatTellsALongSceneWaits() throws {
        let lanes = try Lanes(1)
        let lane = lanes.lanes[0]
        var batch = Batch()
        batch.notify("a")
        lane.submit(&batch)
        lanes.rest()
        let open = try request(OpenRequest.self, #"{"session":"a","describe":true}"#)
        #expect(!open.isCostly(on: lane.table))
        try lane.queue.sync {
            let active = try #require(lane.table.activeSessions["a"])
            var scene = Scene(name: nil, viewport: Size(320, 568), components: [])
            scene.text = String(repeating: " ", count: Limits.shortDocumentBytesMax + 1)
            active.session = Session(
                id: "a", epoch: "e", scene: scene, opened: Instant(nanoseconds: 0), frameRate: 60)
            #expect(open.isCostly(on: lane.table))
            #expect(try !request(OpenRequest.self, #"{"session":"a"}"#).isCostly(on: lane.table))
        }
    }
}
