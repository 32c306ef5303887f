import Notation
import Testing

@testable import Daemon

struct NewcomersTests {
    private static let second = 1_000_000_000

    private func entries(_ newcomers: Newcomers, _ host: String, at time: Int) -> Int {
        (0..<1_000).count { _ in newcomers.mayCome(host, at: time) }
    }

    @Test func aHostWhoseConnectionsAreCutComesInMoreSlowly() {
        let newcomers = Newcomers()
        for _ in 0..<Limits.hostCutsMax { newcomers.noteCut("10.0.0.1", at: Self.second) }
        #expect(entries(newcomers, "10.0.0.1", at: Self.second) == 1_000, "a few are usual")
        newcomers.noteCut("10.0.0.1", at: Self.second)
        let most = Limits.hostEntriesPerSecondMax
        #expect(entries(newcomers, "10.0.0.1", at: Self.second) == most)
        #expect(entries(newcomers, "10.0.0.2", at: Self.second) == 1_000)
        newcomers.noteCut("10.0.0.1", at: 2 * Self.second)
        newcomers.noteCut("10.0.0.1", at: 2 * Self.second)
        #expect(entries(newcomers, "10.0.0.1", at: 2 * Self.second) == most, "those of a second")
    }

    @Test func itIsForgottenSoonAfterTheLastCut() {
        let newcomers = Newcomers()
        for _ in 0..<1_000 { newcomers.noteCut("10.0.0.1", at: Self.second) }
        #expect(entries(newcomers, "10.0.0.1", at: Self.second) < 1_000)
        #expect(entries(newcomers, "10.0.0.1", at: 4 * Self.second) == 1_000)
    }

    @Test func onlySoManyHostsAreRemembered() {
        let newcomers = Newcomers()
        func cut(_ host: String, at time: Int) {
            for _ in 0...Limits.hostCutsMax { newcomers.noteCut(host, at: time) }
        }
        for host in 0..<Limits.hostsCutMax { cut("h\(host)", at: Self.second) }
        cut("more", at: Self.second)
        #expect(entries(newcomers, "more", at: Self.second) == 1_000)
        let later = Self.second + Limits.hostCutForgottenNanoseconds
        cut("more", at: later)
        #expect(entries(newcomers, "more", at: later) < 1_000)
    }
}
