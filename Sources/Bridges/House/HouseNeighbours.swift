import Notation

/// The other bridges with the same prefix, as each says it of itself at the broker: whether it is
/// there, and which sessions it carries.
///
/// A session is for one bridge: two would carry out each message twice. So a bridge begins with a
/// question. It says under its own name that it is not there, and each bridge that is there answers
/// that it is. The broker alone does not know: it keeps `online` of a bridge that ended while the
/// broker was away.
struct HouseNeighbours: Sendable {
    /// Bridges that are known; further ones are passed over. A house has some.
    static let countMax = 64
    /// Milliseconds in which a bridge that is there answers, or leaves its broker: it says nothing
    /// before it has settled what it took, for which it has 15 s.
    static let answerMilliseconds = 20_000

    private enum Step: Sendable {
        /// It is not connected to the broker.
        case away
        /// The broker does not have the question yet.
        case asking
        case waiting(until: Int)
        case carrying
    }

    private struct Neighbour: Sendable {
        var isOnline = false
        /// Whether something of it came since this bridge is connected; else the broker had it.
        var isHeard = false
        var share: HouseShare?
        /// Whether the broker has values of it that are not for this bridge to judge.
        var hasOthers = false
    }

    private let name: String
    let share: HouseShare
    private var known: [String: Neighbour] = [:]
    private var step = Step.away

    init(name: String, share: HouseShare) {
        self.name = name
        self.share = share
    }

    /// Begins on a new connection: the broker tells again what it has of the others.
    mutating func ask() {
        known = [:]
        step = .asking
    }

    /// The connection is gone.
    mutating func leave() { step = .away }

    /// The broker has the question, and so has told what it has, as Mosquitto does.
    mutating func hasAsked(at moment: Moment) {
        guard case .asking = step else { return }
        step = .waiting(until: moment.steady + Self.answerMilliseconds)
    }

    /// This bridge carries its share. Those that did not answer are gone.
    mutating func carry() {
        step = .carrying
        for (other, neighbour) in known where neighbour.isOnline && !neighbour.isHeard {
            if neighbour.share?.overlap(with: share) != nil { known[other]?.isOnline = false }
        }
    }

    /// Whether this bridge may carry its share.
    func standing(at moment: Moment) -> HouseStanding {
        switch step {
        case .away, .asking: return .asks
        case .waiting(let end):
            let rivals = rivals
            if let rival = rivals.first(where: \.isHeard) { return rival.yields }
            return rivals.isEmpty || end <= moment.steady ? .carries : .asks
        case .carrying:
            // Both have begun at one time. One of them stays: that whose name comes first.
            let rival = rivals.first { $0.isHeard && Self.precedes($0.name, name) }
            return rival?.yields ?? .carries
        }
    }

    private struct Rival {
        var name: String
        var isHeard: Bool
        var overlap: HouseShare

        var yields: HouseStanding { .yields(to: name, overlap) }
    }

    /// The bridges that are there and carry something of this one's share, by their names.
    private var rivals: [Rival] {
        known.compactMap { other, neighbour in
            guard neighbour.isOnline, let overlap = neighbour.share?.overlap(with: share) else {
                return nil
            }
            return Rival(name: other, isHeard: neighbour.isHeard, overlap: overlap)
        }.sorted { Self.precedes($0.name, $1.name) }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// How this bridge answers what another one says of itself.
    enum Answer: Sendable {
        case nothing
        /// It says once more that it is there.
        case isOnline
        /// It tells all its values once more: the other one has told its own of the same sessions.
        case everything
    }

    /// Takes whether a bridge is there.
    mutating func take(isOnline: Bool, of other: String, isRetained: Bool) -> Answer {
        guard admit(other) else { return .nothing }
        let wasRival = isRival(other)
        known[other]?.isOnline = isOnline
        guard !isRetained else { return .nothing }
        known[other]?.isHeard = true
        guard case .carrying = step else { return .nothing }
        if isOnline { return answer(toRival: other) }
        // It asks, or it ends.
        return wasRival ? .everything : .isOnline
    }

    /// Takes the sessions that a bridge carries; nil: it says nothing of use.
    mutating func take(share: HouseShare?, of other: String, isRetained: Bool) -> Answer {
        guard admit(other) else { return .nothing }
        known[other]?.share = share
        guard case .carrying = step, !isRetained else { return .nothing }
        return answer(toRival: other)
    }

    /// A rival that did not hear of this bridge has to, where it is the one that goes.
    private func answer(toRival other: String) -> Answer {
        isRival(other) && Self.precedes(name, other) ? .isOnline : .nothing
    }

    /// Whether a bridge is there and carries something of this one's share.
    private func isRival(_ other: String) -> Bool {
        guard let neighbour = known[other], neighbour.isOnline else { return false }
        return neighbour.share?.overlap(with: share) != nil
    }

    /// Notes that the broker has a value of a bridge that is not for this one to judge.
    mutating func noteOthers(of other: String) { known[other]?.hasOthers = true }

    /// Returns false for one beyond the bound.
    private mutating func admit(_ other: String) -> Bool {
        if known[other] != nil { return true }
        guard known.count < Self.countMax else { return false }
        known[other] = Neighbour()
        return true
    }

    /// Whether a bridge is there, as far as it has said so.
    func isOnline(_ other: String) -> Bool { known[other]?.isOnline ?? false }

    /// The bridges that were gone before this one came, and of which the broker has no value.
    var gone: [String] {
        known.filter { !$0.value.isOnline && !$0.value.isHeard && !$0.value.hasOthers }
            .keys.sorted()
    }
}

/// Whether a bridge may carry its sessions.
package enum HouseStanding: Hashable, Sendable {
    /// It is not known yet.
    case asks
    case carries
    /// Another bridge carries some of them.
    case yields(to: String, HouseShare)
}

/// The sessions that a bridge carries.
package enum HouseShare: Hashable, Sendable {
    case all
    case named(Set<String>)

    /// As MQTT says "each".
    private static let mark = "+"

    /// - Parameter names: the sessions; none: all.
    init(_ names: [String]) { self = names.isEmpty ? .all : .named(Set(names)) }

    /// Reads what a bridge says at the broker; nil where it says nothing of use.
    init?(reading payload: [UInt8]) {
        guard payload.count <= HouseMirror.sessionsMax * (Name.bytesMax + 1) else { return nil }
        let text = String(decoding: payload, as: UTF8.self)
        if text == Self.mark {
            self = .all
            return
        }
        let names = text.split(separator: ",").map(String.init)
        guard !names.isEmpty, names.allSatisfy(Name.isValid) else { return nil }
        self = .named(Set(names))
    }

    /// As `hall,wall`; `+` for all.
    var text: String {
        switch self {
        case .all: Self.mark
        case .named(let names): names.sorted().joined(separator: ",")
        }
    }

    /// The sessions of both; nil: none.
    func overlap(with other: HouseShare) -> HouseShare? {
        switch (self, other) {
        case (.all, .all): return .all
        case (.all, .named(let names)), (.named(let names), .all): return .named(names)
        case (.named(let names), .named(let others)):
            let both = names.intersection(others)
            return both.isEmpty ? nil : .named(both)
        }
    }

    /// Its sessions, as a bridge is given them; none: all.
    package var names: [String] {
        switch self {
        case .all: []
        case .named(let names): names.sorted()
        }
    }

    /// For a person: the first of them, if not all.
    package var words: String {
        switch self {
        case .all: "all sessions"
        case .named(let names): names.min() ?? "none"
        }
    }
}
