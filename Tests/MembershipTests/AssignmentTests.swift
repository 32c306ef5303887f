import Geometry
import Testing

@testable import Membership

/// A cluster at random: members with weights, shards with owners of any kind.
struct PlanScene {
    var members: [MemberRow] = []
    var shards: [ShardRow] = []
    private var idsMade = 0

    init(shards count: Int, members: Int, weights: ClosedRange<Int>, _ random: inout SplitMix64) {
        for _ in 0..<members { join(weight: random.whole(in: weights)) }
        shards = (0..<count).map { ShardRow(number: $0, owner: nil, epoch: 0) }
    }

    mutating func join(weight: Int) {
        idsMade += 1
        // Names in another order than ids.
        let name = "m\((idsMade * 37) % 101)-\(idsMade)"
        members.append(.sample(idsMade, name: name, weight: weight))
    }

    /// Carries out what the plan says.
    mutating func adopt(_ plan: [Int?]) {
        for index in shards.indices where shards[index].owner != plan[index] {
            shards[index].owner = plan[index]
            shards[index].epoch += 1
        }
    }

    var plan: [Int?] { Assignment.owners(of: shards, among: members) }

    /// Those that may own shards.
    var heirs: [MemberRow] { members.filter { $0.state == .live && $0.weight > 0 } }

    func moves(in plan: [Int?]) -> Int {
        shards.indices.count { shards[$0].owner != plan[$0] }
    }

    /// The fewest moves that any fair plan needs. Each heir keeps what fits into its ideal share
    /// rounded down; those with more keep one more each, as far as roundings up go round.
    var fewestMoves: Int {
        let total = heirs.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return shards.count { $0.owner != nil } }
        var (kept, left, wanting) = (0, shards.count, 0)
        for heir in heirs {
            let had = shards.count { $0.owner == heir.id }
            let (share, rest) = (shards.count * heir.weight).quotientAndRemainder(dividingBy: total)
            left -= share
            kept += min(had, share)
            if had > share, rest > 0 { wanting += 1 }
        }
        return shards.count - kept - min(wanting, left)
    }

    /// Each shard has one owner that may have it; each share is within one of the ideal.
    func expectFair(_ plan: [Int?], _ comment: Comment) {
        let total = heirs.reduce(0) { $0 + $1.weight }
        #expect(plan.count == shards.count, comment)
        guard total > 0 else {
            #expect(plan.allSatisfy { $0 == nil }, comment)
            return
        }
        var shares: [Int?: Int] = [:]
        for owner in plan { shares[owner, default: 0] += 1 }
        for heir in heirs {
            let ideal = Double(shards.count * heir.weight) / Double(total)
            let share = shares.removeValue(forKey: heir.id) ?? 0
            #expect(abs(Double(share) - ideal) < 1, "\(heir.name) has \(share): \(comment)")
        }
        #expect(shares.isEmpty, comment)
    }
}

extension MemberRow {
    static func sample(
        _ id: Int, name: String? = nil, weight: Int = 1, state: State = .live, isLate: Bool = false
    ) -> MemberRow {
        MemberRow(
            id: id, instance: "i\(id)", name: name ?? "m\(id)", daemon: "d\(id)",
            endpoints: MemberEndpoints(events: [], updates: [], control: []), weight: weight,
            state: state, isLate: isLate)
    }
}

@Suite struct AssignmentTests {
    /// Joins, leaves, deaths and changes of weight in any order.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func everyPlanIsFairMovesTheFewestAndRests(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = [1, 7, 256, 1_024, 4_096][random.whole(in: 0...4)]
        var scene = PlanScene(
            shards: count, members: random.whole(in: 0...100), weights: 0...9, &random)
        for round in 0..<12 {
            let comment: Comment = "seed \(seed), round \(round)"
            let plan = scene.plan
            scene.expectFair(plan, comment)
            #expect(scene.moves(in: plan) == scene.fewestMoves, comment)
            var shuffled = scene
            shuffled.shards.sort { $0.number * 7_919 % 4_099 < $1.number * 7_919 % 4_099 }
            shuffled.members.reverse()
            #expect(shuffled.plan == plan, comment)
            scene.adopt(plan)
            #expect(scene.plan == plan, comment)
            change(&scene, &random)
        }
    }

    private func change(_ scene: inout PlanScene, _ random: inout SplitMix64) {
        for _ in 0..<random.whole(in: 1...4) {
            let place = random.whole(in: 0...max(0, scene.members.count - 1))
            switch random.whole(in: 0...4) {
            case 0, 1:
                if scene.members.count < 100 { scene.join(weight: random.whole(in: 0...9)) }
            case 2: if !scene.members.isEmpty { scene.members.remove(at: place) }
            case 3: if !scene.members.isEmpty { scene.members[place].state = .leaving }
            default:
                if !scene.members.isEmpty { scene.members[place].weight = random.whole(in: 0...9) }
            }
        }
    }

    /// Members act by themselves, each upon another state of the plan's way.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func planningHalfWayMovesNoMoreInAll(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scene = PlanScene(
            shards: 256, members: random.whole(in: 1...12), weights: 1...5, &random)
        scene.adopt(scene.plan)
        change(&scene, &random)
        let fewest = scene.fewestMoves
        var moves = 0
        while scene.fewestMoves > 0, moves <= fewest {
            let plan = scene.plan
            for index in scene.shards.indices
            where scene.shards[index].owner != plan[index] && random.unit() < 0.1 {
                scene.shards[index].owner = plan[index]
                moves += 1
            }
        }
        #expect(moves == fewest, "seed \(seed)")
    }

    @Test func itKeepsWithWhomHasTheMostAndFillsInTheOrderOfNames() {
        let members = [
            MemberRow.sample(1, name: "b"), .sample(2, name: "a"), .sample(3, name: "Z"),
        ]
        let shards = [1, 1, 1, 1, 2, 2, nil].enumerated().map {
            ShardRow(number: $0.offset, owner: $0.element, epoch: 1)
        }
        #expect(Assignment.owners(of: shards, among: members) == [1, 1, 1, 3, 2, 2, 3])
        let fresh = (0..<4).map { ShardRow(number: $0, owner: nil, epoch: 0) }
        // Upper case comes first by its bytes.
        #expect(Assignment.owners(of: fresh, among: members) == [3, 3, 2, 1])
    }

    @Test func whoLeavesOrWeighsNothingGetsNothing() {
        let members = [
            MemberRow.sample(1, weight: 0), .sample(2, state: .leaving), .sample(3, weight: -4),
        ]
        let shards = [ShardRow(number: 0, owner: 2, epoch: 1)]
        #expect(Assignment.owners(of: shards, among: members) == [nil])
        #expect(Assignment.owners(of: [], among: [.sample(1)]) == [])
        #expect(Assignment.owners(of: shards, among: members + [.sample(9)]) == [9])
    }

    /// A weight without bounds is no reason to stop.
    @Test func anyWeightIsTaken() {
        let members = [MemberRow.sample(1, weight: .max), .sample(2, weight: 1_000)]
        let shards = (0..<4).map { ShardRow(number: $0, owner: nil, epoch: 0) }
        #expect(Assignment.owners(of: shards, among: members) == [1, 1, 2, 2])
    }

    /// The bound is for a debug build beside others; optimised, it takes a millisecond.
    @Test func aHundredMembersAndAllShardsArePlannedInMilliseconds() {
        var random = SplitMix64(seed: 4)
        var scene = PlanScene(shards: 4_096, members: 100, weights: 1...9, &random)
        scene.adopt(scene.plan)
        scene.members.removeLast(3)
        let clock = ContinuousClock()
        let best = (0..<10).map { _ in clock.measure { _ = scene.plan } }.min()
        #expect(best ?? .seconds(1) < .milliseconds(50))
    }
}
