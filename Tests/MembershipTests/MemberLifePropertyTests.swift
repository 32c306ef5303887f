import Geometry
import Testing

@testable import Membership

/// Anything at any time: whatever the database and the lanes say, the machine keeps its own order.
@Suite struct MemberLifePropertyTests {
    private static let shards = 12

    @Test(arguments: 0..<100 as Range<UInt64>)
    func whateverComesItAsksOneThingAtATimeAndHoldsWhatItSays(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var life = MemberLife(
            member: 1, shards: Self.shards, tuning: MemberLife.Tuning(leaseSeconds: 1.5),
            joined: 0)
        var now = 0
        var call: MemberLife.Call?
        /// Shards that the lanes were told to have.
        var lanes: Set<Int> = []
        var isOver = false
        for _ in 0..<400 {
            now += random.whole(in: 0...400_000_000)
            let input: MemberLife.Input
            if let asked = call, random.unit() < 0.7 {
                input = .answered(Self.answer(to: asked, &random))
                call = nil
            } else {
                input = Self.input(&random)
            }
            for action in life.take(input, at: now) {
                #expect(!isOver, "seed \(seed): nothing follows the end")
                switch action {
                case .ask(let asked):
                    #expect(call == nil, "seed \(seed): one call at a time")
                    call = asked
                case .wait(let until):
                    #expect(call == nil && until >= now, "seed \(seed)")
                case .take(let rights):
                    for right in rights { #expect(lanes.insert(right.number).inserted) }
                case .prepare(let handOver):
                    #expect(lanes.isSuperset(of: handOver.shards), "seed \(seed)")
                    #expect((1...8).contains(handOver.shards.count) && handOver.heir != life.member)
                case .keep(let handOver):
                    #expect(lanes.isSuperset(of: handOver.shards), "seed \(seed)")
                case .drop(let dropped):
                    for shard in dropped { #expect(lanes.remove(shard) != nil, "seed \(seed)") }
                case .dropAll: lanes = []
                case .ended: isOver = true
                case .probeLanes, .leased, .mapChanged, .finish: break
                }
            }
            check(life, lanes, isOver, "seed \(seed)")
        }
    }

    private func check(
        _ life: MemberLife, _ lanes: Set<Int>, _ isOver: Bool, _ comment: Comment
    ) {
        let going = life.holdings.indices.filter { life.holdings[$0] == .going }
        #expect(going == (life.handOverStage.handOver?.shards.sorted() ?? []), comment)
        if isOver { return }
        let held = life.holdings.indices.filter { life.holdings[$0] != .away }
        #expect(Set(held) == lanes, comment)
        for shard in held { #expect(life.map.owners[shard] == life.member, comment) }
    }

    private static func input(_ random: inout SplitMix64) -> MemberLife.Input {
        let number = random.whole(in: 0...shards)
        let right = ShardRight(number: number, epoch: random.whole(in: 0...3), floor: 0)
        return switch random.whole(in: 0...60) {
        case 0: .stop
        case 1: .finished
        case 2: .lost(member: random.whole(in: 1...3))
        case 3...6: .woken
        case 7...8: .disconnected
        case 9...20: .lanesAnswered
        case 21...35:
            .taken(
                (0..<shards).flatMap { shard in
                    (0...3).map { ShardRight(number: shard, epoch: $0, floor: 0) }
                } + [right])
        case 36...45: .prepared(random.whole(in: 1...6))
        case 46...48: .unprepared(random.whole(in: 1...6))
        default: .timer
        }
    }

    private static func answer(
        to call: MemberLife.Call, _ random: inout SplitMix64
    ) -> MemberLife.Answer {
        switch random.whole(in: 0...19) {
        case 0: return .failed
        case 1: return random.unit() < 0.2 ? .lost : .failed
        default: break
        }
        switch call {
        case .renew:
            return .renewed(Renewal(clock: 0, version: random.whole(in: 0...40)))
        case .members:
            return .members(
                (1...4).compactMap { id in
                    guard id == 1 || random.unit() < 0.8 else { return nil }
                    return .sample(
                        id, weight: random.whole(in: 0...2),
                        state: id == 1 || random.unit() < 0.9 ? .live : .leaving,
                        isLate: random.unit() < 0.1)
                })
        case .shards:
            return .shards(
                (0..<shards).map {
                    ShardRow(
                        number: $0, owner: random.unit() < 0.2 ? nil : random.whole(in: 1...4),
                        epoch: random.whole(in: 0...3))
                })
        case .fence: return .fenced(random.unit() < 0.5)
        case .claim(let wanted):
            return .claimed(
                wanted.filter { _ in random.unit() < 0.8 }
                    .map { ShardRight(number: $0.number, epoch: $0.epoch + 1, floor: 0) })
        case .handOver(let given, let heir):
            return .handedOver(
                given.filter { _ in random.unit() < 0.8 }
                    .map { ShardRow(number: $0, owner: heir, epoch: random.whole(in: 1...4)) })
        case .setLeaving, .setGone: return .done
        case .join: return .joined(random.whole(in: 1...3))
        }
    }
}
