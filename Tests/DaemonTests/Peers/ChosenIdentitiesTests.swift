import Notation
import Testing

@testable import Daemon

struct ChosenIdentitiesTests {
    @Test func aHandshakeKeepsItsFirstConnection() {
        var chosen = ChosenIdentities()
        // The handshake, the connection at its descriptor, and the one that answers go to.
        let timeline: [(Int, Int64, Int64)] = [
            (1, 10, 10), (2, 20, 20), (1, 10, 10),
            // Another peer has the descriptor of the first.
            (1, 30, ChosenIdentities.gone), (3, 30, 30), (1, 30, ChosenIdentities.gone),
            // It was gone before its first request was read.
            (4, ChosenIdentities.gone, ChosenIdentities.gone), (4, 40, ChosenIdentities.gone),
        ]
        for (handshake, found, own) in timeline {
            #expect(chosen.connection(ofHandshake: handshake, found: found) == own)
        }
    }

    @Test func asManyAsTheBoundAreRememberedWhoeverComesBetween() {
        var chosen = ChosenIdentities()
        _ = chosen.connection(ofHandshake: 1, found: 10)
        for number in 2...Limits.chosenIdentitiesMax + 1 {
            _ = chosen.connection(ofHandshake: number, found: 20)
        }
        #expect(chosen.connection(ofHandshake: 1, found: 30) == ChosenIdentities.gone)
        // One that asks nothing while twice as many come is forgotten.
        for number in 0...2 * Limits.chosenIdentitiesMax {
            _ = chosen.connection(ofHandshake: 100_000 + number, found: 20)
        }
        #expect(chosen.connection(ofHandshake: 1, found: 30) == 30)
    }
}
