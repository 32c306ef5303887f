import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Rows with ids that come, go and move.
@Suite struct ListRowTests {
    private func stage(_ count: Int = 40, _ prefix: String = "r") -> ListStage {
        Stage(List(parameters(count, prefix), viewport: .phone, tracker: .uikit))
    }

    private func parameters(_ count: Int, _ prefix: String = "r") -> ListParameters {
        ListParameters(
            listed: (0..<count).map { ListRow(id: "\(prefix)\($0)", origin: $0) })
    }

    /// Where each row that shows is, by its id.
    private func places(_ stage: ListStage) -> [String: Double] {
        var places: [String: Double] = [:]
        for (name, view) in stage.picture.views {
            guard name.hasPrefix("row-"), let row = Int(name.dropFirst(4)) else { continue }
            let id = stage.machine.toldRows(row..<row + 1).rows.first?.id
            places[id ?? name] = view.center.y
        }
        return places
    }

    /// Rows that show before and after are in the same places.
    private func expectNoJump(
        _ stage: inout ListStage, _ change: (inout ListStage) throws -> Void
    ) rethrows {
        let former = places(stage)
        try change(&stage)
        for (id, y) in places(stage) {
            guard let before = former[id] else { continue }
            #expect((y - before).magnitude < 1e-9, "\(id) jumped from \(before) to \(y)")
        }
    }

    private func order(_ stage: ListStage) -> [String] {
        stage.machine.toldRows(0..<10_000).rows.compactMap(\.id)
    }

    @Test func noChangeMakesARowJumpWhateverIsUnderWay() throws {
        var random = SplitMix64(seed: 7)
        for seed in 0..<20 {
            var stage = stage()
            try stage.scroll(.began, Double(random.whole(in: 0...20)) * 35)
            try stage.scroll(.ended, stage.offset ?? 0)
            for number in 0..<40 {
                try expectNoJump(&stage) { stage in
                    let rows = order(stage)
                    let row = rows[random.whole(in: 0...rows.count - 1)]
                    switch random.whole(in: 0...2) {
                    case 0:
                        let place = random.whole(in: 0...rows.count)
                        try stage.insert("n\(seed)-\(number)", at: place)
                    case 1: try stage.remove(row)
                    default:
                        try stage.move(row, to: random.whole(in: 0...rows.count - 1))
                    }
                }
                stage.step(random.whole(in: 0...6))
            }
            stage.step(60)
            for (id, y) in places(stage) {
                let row = try #require(order(stage).firstIndex(of: id))
                #expect((y - (70 * Double(row) + 35 - (stage.offset ?? 0))).magnitude < 1e-9)
            }
        }
    }

    @Test func aDragGoesOnUnderTheFingerWhereRowsComeAbove() throws {
        var (one, other) = (stage(), stage())
        for place in [0, 1] {
            var stage = place == 0 ? one : other
            try stage.scroll(.began, 700)
            try stage.scroll(.ended, 700)
            stage.touch(.down(Vector(160, 300)))
            try stage.drag(.began, 0)
            for sample in 1..<6 {
                stage.step()
                try stage.drag(.changed, -8 * Double(sample))
                if place == 1, sample == 3 { try stage.insert("x", at: 2) }
            }
            stage.step()
            try stage.drag(.ended, -48)
            stage.touch(.up)
            stage.step(30)
            if place == 0 { one = stage } else { other = stage }
        }
        let (offset, moved) = (try #require(one.offset), try #require(other.offset))
        #expect((moved - offset - 70).magnitude < 1e-6 && offset > 760)
    }

    @Test func whatIsOpenAndSelectedStaysWithItsRow() throws {
        var stage = stage()
        try stage.tap(row: 2)
        try stage.swipe(.left, row: 4)
        try stage.insert("x", at: 0)
        #expect(stage.selected == 3 && stage.row == 5)
        try stage.move("r4", to: 1)
        #expect(stage.selected == 4 && stage.row == 1 && stage.phase == "opening")
        stage.step(24)
        try stage.remove("r2")
        #expect(stage.selected == nil && stage.phase == "open")
        let mark = stage.told.count
        try stage.remove("r4")
        #expect(stage.phase == "closed" && stage.lines(since: mark).first == "close began")
    }

    @Test func whatCommandsMadeIsSavedAndComesBack() throws {
        var stage = stage()
        try stage.insert("x", at: 3)
        try stage.remove("r0")
        try stage.move("r39", to: 0)
        let saved = stage.machine.saved
        var effects = Effects(random: SplitMix64(seed: 1))
        var fresh = List(parameters(40), viewport: .phone, tracker: .uikit)
        fresh.restore(saved, counts: BadgeCounts(), into: &effects)
        #expect(fresh.toldRows(0..<100) == stage.machine.toldRows(0..<100))
        // Another scene's rows are as the scene says, and are other ones than before.
        var other = List(parameters(40, "s"), viewport: .phone, tracker: .uikit)
        other.restore(saved, counts: BadgeCounts(), into: &effects)
        #expect(other.rowsOutline?.count == 40)
        #expect(other.toldRows(0..<1).rows.map(\.id) == ["s0"])
        let version = try #require(stage.machine.rowsOutline?.version)
        #expect(other.rowsOutline?.version == version + 1)
    }

    /// So few of them are compared that a client may be wrong at full speed: `r99` is not.
    @Test(arguments: [
        (20, "r10x", "r10, r0"), (10_000, "r10x", "r10, r0"), (10_000, "r99x", "r0, r1"),
    ])
    func anUnknownRowListsTheKnownOnes(count: Int, wrongID: String, nearest: String) {
        var stage = stage(count)
        let wrong: [String?] = [
            objection { () throws(Rejection) in try stage.remove(wrongID) },
            objection { () throws(Rejection) in try stage.move(wrongID, to: 0) },
            objection { () throws(Rejection) in
                try stage.command("select", members: [.init("item", Node(.string(wrongID)))])
            },
        ]
        for told in wrong {
            let start =
                "bad-value: key item: there is no row \"\(wrongID)\", known ones are \(nearest), "
            #expect(told?.hasPrefix(start) == true, "\(told ?? "taken")")
            #expect(told?.hasSuffix(" and \(count - 12) more") == true, "\(told ?? "taken")")
        }
    }

    @Test func nothingMovesWhereRowsChangeOutOfSight() throws {
        var stage = stage()
        try stage.insert("x", at: 30)
        #expect(!stage.machine.isMoving)
        try stage.scroll(.began, 700)
        try stage.insert("y", at: 2)
        #expect(!stage.machine.isMoving && stage.offset == 770)
        try stage.insert("z", at: 12)
        #expect(stage.machine.isMoving)
        stage.step(36)
        #expect(!stage.machine.isMoving && stage.machine.nextTimer.map { $0 > stage.now } != false)
    }
}

extension Stage<List> {
    fileprivate mutating func insert(_ id: String, at place: Int) throws(Rejection) {
        try command(
            "insert",
            members: [
                .init("at", Node(.integer(place))),
                .init("item", Node(.object([.init("id", Node(.string(id)))]))),
            ])
    }

    fileprivate mutating func remove(_ id: String) throws(Rejection) {
        try command("remove", members: [.init("item", Node(.string(id)))])
    }

    fileprivate mutating func move(_ id: String, to place: Int) throws(Rejection) {
        try command(
            "move",
            members: [
                .init("item", Node(.string(id))), .init("at", Node(.integer(place))),
            ])
    }
}
