import Notation
import Protocol
import Testing

@testable import Daemon

struct LateReadersTests {
    private static let slow = LateReaders.Peer(descriptor: 5, identity: 50)
    private static let other = LateReaders.Peer(descriptor: 6, identity: 60)
    private static let choice = Limits.lateReadersChoiceNanoseconds

    private static func chunk(_ topics: [String]) -> Chunk {
        let chunk = Chunk()
        for topic in topics {
            let start = chunk.bytes.count
            chunk.bytes.append(topic)
            let topicEnd = chunk.bytes.count
            chunk.bytes.append(String(repeating: "b", count: 995))
            chunk.endUpdate(from: start, topicEnd: topicEnd, tellsMove: false)
        }
        return chunk
    }

    private static func charge(_ topics: Int, of length: Int) -> UpdateCharge {
        UpdateCharge(bytes: topics * (length + 2 + 995 + 9), updates: topics)
    }

    @Test func onlyWhatAPrefixMatchesIsCharged() {
        let readers = LateReaders()
        readers.set([Self.slow, Self.other])
        readers.refresh(changed: [], at: Self.choice) {
            $0 == 5 ? ["frame/slow", "frame/slow/a", "state/s"] : ["frame/"]
        }
        let topics = ["frame/slow/a", "frame/other", "state/slow", "frame/slo", "badge/slow"]
        readers.count(Self.chunk(topics))
        let slow = readers.charge(of: Self.slow)
        #expect(slow == Self.charge(1, of: 12) + Self.charge(1, of: 10), "each counts once")
        let other = readers.charge(of: Self.other)
        #expect(
            other == Self.charge(1, of: 12) + Self.charge(1, of: 11) + Self.charge(1, of: 9))
        let next = LateReaders.Peer(descriptor: 5, identity: 51)
        #expect(readers.charge(of: next) == nil, "another connection of the descriptor")
    }

    /// Until it is known what it wants, all may be for it. Its charge stays.
    @Test func whoChangesItsSubscriptionsIsChargedWithAllUntilTheNextChoice() throws {
        let readers = LateReaders()
        readers.set([Self.slow])
        let other = Self.chunk(["frame/other", "frame/other"])
        readers.refresh(changed: [], at: Self.choice) { _ in ["frame/slow"] }
        readers.count(other)
        #expect(readers.charge(of: Self.slow) == UpdateCharge())
        readers.refresh(changed: [5], at: 2 * Self.choice - 1) { _ in ["frame/other"] }
        readers.count(Self.chunk(["badge/x"]))
        let doubted = try #require(readers.charge(of: Self.slow))
        #expect(doubted == Self.charge(1, of: 7))
        readers.refresh(changed: [], at: 2 * Self.choice) { _ in ["frame/other"] }
        readers.count(Self.chunk(["badge/x"]))
        readers.count(other)
        #expect(readers.charge(of: Self.slow) == doubted + Self.charge(2, of: 11))
    }

    /// One that wants very many takes no room from the others.
    @Test func whoHasTooManyPrefixesIsChargedWithAll() {
        let readers = LateReaders()
        readers.set([Self.slow, Self.other])
        let many = Set((0...Limits.chargedPrefixesMax).map { "state/\($0)" })
        readers.refresh(changed: [], at: Self.choice) { $0 == 5 ? ["frame/slow"] : many }
        readers.count(Self.chunk(["badge/x", "badge/y"]))
        #expect(readers.charge(of: Self.slow) == UpdateCharge())
        #expect(readers.charge(of: Self.other) == Self.charge(2, of: 7))
        readers.set([])
        readers.refresh(changed: [], at: 2 * Self.choice) { _ in nil }
        #expect(readers.charge(of: Self.slow) == nil, "none is behind any more")
    }

    /// A search among the prefixes finds the same as a look at each of them.
    @Test func theChargesAreThoseOfALookAtEachPrefix() {
        func text(_ most: Int) -> String {
            let count = Int.random(in: 0...most)
            return String((0..<count).map { _ in Array("ab/")[Int.random(in: 0..<3)] })
        }
        for _ in 0..<200 {
            let held = (0..<6).map { _ in Set((0..<5).map { _ in text(5) }) }
            let topics = (0..<40).map { _ in text(7) }
            var charges = PrefixCharges()
            charges.choose(held.enumerated().map { (CInt($0.offset), $0.element) })
            for topic in topics { charges.count(topic: Array(topic.utf8).span, bytes: 10) }
            for (place, prefixes) in held.enumerated() {
                let count = topics.count { topic in prefixes.contains { topic.hasPrefix($0) } }
                let charge = charges.charge(of: CInt(place))
                #expect(charge == UpdateCharge(bytes: 10 * count, updates: count))
            }
        }
    }
}
