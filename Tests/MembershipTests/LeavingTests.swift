import Testing

@testable import Membership

/// Columns and letters are those of `MemberLifeTests`.
@Suite struct LeavingTests {
    private static func desk(others: Int, prepares: Bool = true) -> LifeDesk {
        var desk = LifeDesk(
            [nil, nil], others: (0..<others).map { .sample($0 + 2, name: "z\($0)") })
        desk.doLanesPrepare = prepares
        return desk
    }

    @Test func itHandsOverStoresAndGoes() {
        let desk = play(
            Self.desk(others: 1), events: "......S..F.",
            calls: "0:rmsc 5:rmc 6:lh 9:g",
            shards: ["mmmmmm-----", "-----m-----"], leased: "+++++++++--")
        #expect(desk.ending == true && desk.dropped == [0, 1])
        #expect(desk.members.map(\.id) == [2] && desk.shards.map(\.owner) == [2, 2])
    }

    @Test func aloneItStoresAndGoes() {
        let desk = play(
            Self.desk(others: 0), events: ".S.......F.", calls: "0:rmsc 5:r 9:g",
            shards: ["mmmmmmmmm--", "mmmmmmmmm--"], leased: "+++++++++--")
        #expect(desk.ending == true && desk.members.isEmpty)
    }

    @Test func stoppedTwiceItLeavesOnce() {
        let desk = play(
            Self.desk(others: 0), events: ".SS......F.", calls: "0:rmsc 5:r 9:g")
        #expect(desk.ending == true)
    }

    /// Nothing is prepared for five seconds; then all is stored and let go at once.
    @Test func itLeavesInABoundedTime() {
        let desk = play(
            Self.desk(others: 1, prepares: false),
            events: ".S" + String(repeating: ".", count: 155),
            calls: "0:rmsc 1:l 5:rm 10:rm 15:rm 20:rm 25:rm 30:rm 35:rm 40:rm 45:rm 50:rm "
                + stride(from: 55, through: 150, by: 5).map { "\($0):r" }.joined(separator: " "))
        #expect(desk.ending == false)
    }

    @Test func withoutADatabaseItEnds() {
        let desk = play(
            Self.desk(others: 1), events: ".S" + String(repeating: ".", count: 210),
            database: "." + String(repeating: "x", count: 211),
            calls: "0:rmsc "
                + (1...150).map { $0 <= 50 ? "\($0):l" : "\($0):r" }.joined(separator: " "))
        #expect(desk.ending == false && desk.dropsOfAll == 0)
    }

    @Test func lostWhileItLeavesItEnds() {
        let desk = play(
            Self.desk(others: 1, prepares: false), events: "......S.L.F", calls: "0:rmsc 5:rmc 6:l",
            shards: ["mmmmmmgg---", "-----mgg---"])
        #expect(desk.ending == true && desk.dropsOfAll == 1)
    }

    @Test func stoppedWhileItIsLostItEnds() {
        let desk = play(
            Self.desk(others: 0), events: "....LS.F", calls: "0:rmsc", shards: ["mmmm----"])
        #expect(desk.ending == true)
    }

    /// Nobody hears from a member that has ended.
    @Test func nothingFollowsTheEnd() {
        var desk = play(Self.desk(others: 0), events: ".SF", calls: "0:rmsc 2:g")
        for input in [
            MemberLife.Input.timer, .woken, .disconnected, .lost(member: 1), .lanesAnswered,
            .taken([]), .prepared(1), .unprepared(1), .stop, .finished,
        ] {
            #expect(desk.life.take(input, at: desk.now) == [])
        }
    }

    /// Shards whose hand-over nobody answered may be the heir's: the lanes do not store them again.
    @Test func doubtfulShardsAreDroppedBeforeTheRestIsStored() {
        var desk = play(
            Self.desk(others: 1, prepares: false), events: "......S", calls: "0:rmsc 5:rmc 6:l",
            shards: ["mmmmmmg", "-----mg"])
        desk.mood = .fails
        desk.feed(.prepared(1))
        #expect(desk.life.shardsHeld == 2 && desk.dropped == [])
        for _ in 0..<52 {
            desk.now += LifeDesk.column
            desk.feed(.timer)
        }
        #expect(desk.dropped == [0, 1] && desk.life.shardsHeld == 0)
    }
}
