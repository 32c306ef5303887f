import Geometry
import Notation
import Testing

@testable import Daemon

/// Work that waits for shards: in its order, for so long, and so much of it.
@Suite struct HeldWorkTests {
    private func item(_ name: String, _ shard: Int, until: Int) -> HeldWork.Item {
        HeldWork.Item(session: name, shard: shard, work: .answer(prefix: ""), until: until)
    }

    private func due(in held: inout HeldWork, at now: Int) -> Int { held.takeDue(at: now).count }

    private static let envelope = Envelope(identity: [], hasDelimiter: false, id: nil)

    @Test func ordersAndTheirResults() {
        enum Order {
            case hold(String, shard: Int, until: Int)
            case due(at: Int)
            /// These shards are there.
            case moved(Set<Int>)
        }
        let rows: [(order: Order, taken: [String], due: Int)] = [
            (.due(at: 99), [], .max),
            (.moved([1]), [], .max),
            (.hold("a", shard: 1, until: 10), [], 10),
            (.hold("b", shard: 2, until: 20), [], 10),
            (.hold("c", shard: 1, until: 20), [], 10),
            (.hold("d", shard: 3, until: 30), [], 10),
            (.due(at: 9), [], 10),
            (.moved([4]), [], 10),
            (.due(at: 10), ["a"], 20),
            (.hold("e", shard: 1, until: 40), [], 20),
            (.moved([1]), ["c", "e"], 20),
            (.hold("f", shard: 2, until: 50), [], 20),
            (.due(at: 30), ["b", "d"], 50),
            (.moved([1, 2, 3]), ["f"], .max),
            (.due(at: 99), [], .max),
        ]
        var held = HeldWork()
        for (number, row) in rows.enumerated() {
            var taken: [HeldWork.Item] = []
            switch row.order {
            case .hold(let name, let shard, let until):
                let isHeld = held.hold(item(name, shard, until: until))
                #expect(isHeld, "order \(number)")
            case .due(let time): taken = held.takeDue(at: time)
            case .moved(let shards): taken = held.take { shards.contains($0.shard) }
            }
            #expect(taken.map(\.session) == row.taken, "order \(number)")
            #expect(held.due == row.due && held.isEmpty == (row.due == .max), "order \(number)")
        }
    }

    /// Whatever the work, no more is held than a lane's events.
    @Test func itHasABoundInItemsWhateverTheyAre() throws {
        let works: [HeldWork.Item.Work] = [
            .event(topic: [], body: [], hops: nil),
            .publish(Self.envelope, topic: [], body: []),
            .request(Self.envelope, try SnapshotRequest.example),
            .answer(prefix: ""),
        ]
        for work in works {
            var held = HeldWork()
            func hold(until: Int) -> Bool {
                held.hold(HeldWork.Item(session: "", shard: 0, work: work, until: until))
            }
            for number in 0..<Limits.laneEventsMax { #expect(hold(until: number)) }
            #expect(!hold(until: .max) && held.count == Limits.laneEventsMax)
            #expect(due(in: &held, at: 0) == 1)
            #expect(hold(until: .max) && !hold(until: .max))
            let all = held.take { _ in true }
            #expect(all.count == Limits.laneEventsMax && held.isEmpty && hold(until: .max))
        }
    }

    @Test func itHasABoundInBytes() {
        var held = HeldWork()
        func hold(until: Int) -> Bool {
            let body = [UInt8](repeating: 0, count: Limits.laneBytesMax / 4)
            return held.hold(
                HeldWork.Item(
                    session: "", shard: 0, work: .event(topic: [], body: body, hops: nil),
                    until: until))
        }
        for number in 0..<4 { #expect(hold(until: number)) }
        #expect(!hold(until: 4))
        #expect(due(in: &held, at: 1) == 2)
        #expect(hold(until: 4) && hold(until: 4) && !hold(until: 4))
        let last = held.take { $0.until == 4 }
        #expect(last.count == 2 && hold(until: 5))
    }

    /// The same as a plain list, whatever comes.
    @Test func itKeepsEverythingInItsOrder() {
        var generator = SplitMix64(seed: 7)
        var (held, list, now) = (HeldWork(), [HeldWork.Item](), 0)
        for number in 0..<5_000 {
            now += Int.random(in: 0..<3, using: &generator)
            let shard = Int.random(in: 0..<4, using: &generator)
            var (taken, expected): ([HeldWork.Item], [HeldWork.Item]) = ([], [])
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                taken = held.take { $0.shard == shard }
                expected = list.filter { $0.shard == shard }
                list.removeAll { $0.shard == shard }
            case 1, 2:
                taken = held.takeDue(at: now)
                expected = list.filter { $0.until <= now }
                list.removeAll { $0.until <= now }
            default:
                let item = item("\(number)", shard, until: now + 40)
                let isHeld = held.hold(item)
                #expect(isHeld)
                list.append(item)
            }
            #expect(taken.map(\.session) == expected.map(\.session), "step \(number)")
            #expect(held.count == list.count && held.due == list.first?.until ?? .max)
        }
    }
}

extension SnapshotRequest {
    fileprivate static var example: SnapshotRequest {
        get throws {
            try SnapshotRequest(RequestFields(Array(#"{"op":"snapshot","session":"a"}"#.utf8)))
        }
    }
}
