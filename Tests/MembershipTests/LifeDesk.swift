import Testing

@testable import Membership

/// One member's life, with a database and lanes that do what a test wants. A column is 100 ms.
struct LifeDesk {
    /// What the database does with a call.
    enum Mood: Character {
        case answers = "."
        /// The call is not carried out, and nobody says so.
        case fails = "x"
        /// It is carried out, and nobody says so.
        case isDeaf = "?"
        case saysLost = "!"
    }

    static let column = 100_000_000
    var life: MemberLife
    var members: [MemberRow]
    var shards: [ShardRow]
    var mood = Mood.answers
    var now = 0
    /// Calls of this column, by their letters.
    var calls = ""
    /// The lanes do at once what they are asked.
    var doLanesAnswer = true
    var doLanesPrepare = true
    var doLanesTake = true
    var taken: [ShardRight] = []
    var handOver: MemberLife.HandOver?
    var dropped: [Int] = []
    var kept: [Int] = []
    var dropsOfAll = 0
    var doesFinish = false
    var ending: Bool?
    var waits = 0

    /// `owners` of the shards, this member being 1; nil: nobody yet.
    init(_ owners: [Int?], others: [MemberRow] = [], weight: Int = 1) {
        members = [.sample(1, weight: weight)] + others
        shards = owners.enumerated().map {
            ShardRow(
                number: $0.offset, owner: $0.element, epoch: $0.element == nil ? 0 : 1, floor: 9)
        }
        life = MemberLife(
            member: 1, shards: owners.count, tuning: MemberLife.Tuning(leaseSeconds: 1.5),
            joined: 0)
    }

    // MARK: The driver

    mutating func feed(_ input: MemberLife.Input) {
        var inputs = [input]
        var bound = 60
        while !inputs.isEmpty {
            bound -= 1
            guard bound > 0 else {
                Issue.record("it never waits")
                return
            }
            let actions = life.take(inputs.removeFirst(), at: now)
            var call: MemberLife.Call?
            for action in actions {
                #expect(call == nil, "a call is the last action")
                if case .ask(let asked) = action { call = asked } else { perform(action, &inputs) }
            }
            if let call { inputs.insert(.answered(answer(to: call)), at: 0) }
        }
    }

    private mutating func perform(
        _ action: MemberLife.Action, _ inputs: inout [MemberLife.Input]
    ) {
        switch action {
        case .ask, .leased, .mapChanged: break
        case .wait(let until):
            #expect(until >= now)
            waits = until
        case .probeLanes: if doLanesAnswer { inputs.append(.lanesAnswered) }
        case .take(let rights):
            taken += rights
            if doLanesTake { inputs.append(.taken(rights)) }
        case .prepare(let handOver):
            self.handOver = handOver
            if doLanesPrepare { inputs.append(.prepared(handOver.number)) }
        case .keep(let handOver): kept += handOver.shards
        case .drop(let shards): dropped += shards
        case .dropAll: dropsOfAll += 1
        case .finish: if doesFinish { inputs.append(.finished) }
        case .ended(let inOrder): ending = inOrder
        }
    }

    // MARK: The database

    private mutating func answer(to call: MemberLife.Call) -> MemberLife.Answer {
        calls.append(call.letter)
        switch mood {
        case .answers: return carryOut(call)
        case .fails: return .failed
        case .saysLost: return .lost
        case .isDeaf:
            _ = carryOut(call)
            return .failed
        }
    }

    private mutating func carryOut(_ call: MemberLife.Call) -> MemberLife.Answer {
        switch call {
        case .renew:
            return .renewed(Renewal(clock: 0, version: shards.reduce(0) { $0 + $1.epoch }))
        case .members: return .members(members)
        case .shards: return .shards(shards)
        case .fence(let id):
            members.removeAll { $0.id == id }
            return .fenced(true)
        case .claim(let rows):
            let ids = Set(members.map(\.id))
            let free = rows.filter { row in
                let now = shards[row.number]
                return now.epoch == row.epoch && !(now.owner.map(ids.contains) ?? false)
            }
            give(free.map(\.number), to: life.member)
            return .claimed(
                free.map { ShardRight(number: $0.number, epoch: $0.epoch + 1, floor: 9) })
        case .handOver(let numbers, let heir):
            guard members.contains(where: { $0.id == heir && $0.state == .live }) else {
                return .handedOver([])
            }
            give(numbers, to: heir)
            return .handedOver(numbers.map { shards[$0] })
        case .setLeaving:
            for index in members.indices where members[index].id == life.member {
                members[index].state = .leaving
            }
            return .done
        case .setGone:
            members.removeAll { $0.id == life.member }
            return .done
        case .join:
            members.removeAll { $0.id == life.member }
            let id = life.member + 100
            members.append(.sample(id))
            return .joined(id)
        }
    }

    mutating func give(_ numbers: [Int], to owner: Int) {
        for number in numbers {
            shards[number].owner = owner
            shards[number].epoch += 1
        }
    }

    /// Sets what the rows say of another member.
    mutating func change(_ id: Int, _ body: (inout MemberRow) -> Void) {
        for index in members.indices where members[index].id == id { body(&members[index]) }
    }
}

extension MemberLife.Call {
    var letter: Character {
        switch self {
        case .renew: "r"
        case .members: "m"
        case .shards: "s"
        case .fence: "f"
        case .claim: "c"
        case .handOver: "h"
        case .setLeaving: "l"
        case .setGone: "g"
        case .join: "j"
        }
    }
}

extension MemberLife.Holding {
    var letter: Character {
        switch self {
        case .away: "-"
        case .coming: "c"
        case .mine: "m"
        case .going: "g"
        }
    }
}
