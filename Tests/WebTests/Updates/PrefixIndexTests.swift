import Geometry
import Testing

@testable import Web

struct PrefixIndexTests {
    /// However a client's prefixes overlap, it is found once where one fits, and not elsewhere.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func theIndexAgreesWithAModel(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        var index = PrefixIndex<Int>()
        var model: [Int: Set<[UInt8]>] = [:]
        func text(_ max: Int) -> [UInt8] {
            (0..<Int.random(in: 0...max, using: &dice)).map { _ in
                UInt8(ascii: Bool.random(using: &dice) ? "a" : "b")
            }
        }
        for _ in 0..<4_000 {
            let client = Int.random(in: 0..<6, using: &dice)
            let prefix = text(5)
            let others = model.filter { $0.key != client && $0.value.contains(prefix) }
            switch Int.random(in: 0..<20, using: &dice) {
            case 0..<12:
                let isHeld = model[client]?.contains(prefix) == true
                let isNew = index.insert(prefix, for: client)
                model[client, default: []].insert(prefix)
                #expect(isNew == (others.isEmpty && !isHeld))
            case 12..<19:
                let isHeld = model[client]?.remove(prefix) != nil
                let isLast = index.remove(prefix, for: client)
                #expect(isLast == (isHeld && others.isEmpty))
            default:
                let gone = index.removeAll(of: client)
                #expect(Set(gone.map(\.prefix)) == model[client] ?? [])
                model[client] = nil
                for (prefix, isLast) in gone {
                    #expect(isLast == !model.values.contains { $0.contains(prefix) })
                }
            }
            let topic = text(8)
            let found = index.clients(of: topic).flatMap { $0 }
            let wanted = model.filter { $0.value.contains { topic.starts(with: $0) } }.keys
            #expect(found.sorted() == wanted.sorted(), "each once")
            #expect(index.count == Set(model.values.joined()).count)
        }
    }

    @Test func overlappingPrefixesOfOneClientAreOne() {
        var index = PrefixIndex<Int>()
        let topic = Array("frame/\(String(repeating: "a", count: 60))".utf8)
        for client in 0..<240 {
            for count in 0...topic.count { _ = index.insert(Array(topic[..<count]), for: client) }
        }
        #expect(index.clients(of: topic).map(\.count) == [240])
    }

    /// A prefix costs about the same whether it overlaps the others of its client or not.
    @Test func overlappingPrefixesCostNoMoreThanOthers() {
        let stem = [UInt8](repeating: UInt8(ascii: "x"), count: 256)
        func time(_ prefix: (Int) -> [UInt8]) -> Duration {
            var index = PrefixIndex<Int>()
            let prefixes = (0..<256).map(prefix)
            return ContinuousClock().measure {
                for client in 0..<4 {
                    for prefix in prefixes { _ = index.insert(prefix, for: client) }
                    for prefix in prefixes { _ = index.remove(prefix, for: client) }
                }
            }
        }
        func fastest(_ prefix: (Int) -> [UInt8]) -> Duration {
            (0..<3).map { _ in time(prefix) }.min() ?? .zero
        }
        let apart = fastest { number in stem[..<200] + Array("\(1_000 + number)".utf8) }
        // Each one is the beginning of all before it, by one byte less.
        let overlapping = fastest { number in Array(stem[..<(256 - number)]) }
        #expect(overlapping < apart * 3, "\(overlapping), and \(apart) apart")
    }
}
