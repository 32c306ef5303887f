package import Notation

/// The members of a cluster as their updates tell, and when they must be asked for again.
///
/// A follower of a cluster is connected to every member, and a session's updates come from the
/// one that has it. A member counts as silent after two seconds without an update: heartbeats come
/// once a second. The members are asked for where one is silent, where a heartbeat says that one
/// has begun again or that shards have moved, and where a session has gone to a member that is not
/// known yet. It touches no socket; time arrives as an argument, in nanoseconds.
package struct MemberWatch: Sendable {
    /// Nanoseconds without an update after which a member counts as silent.
    private static let silence = 2_000_000_000
    /// Nanoseconds between two questions for the members.
    private static let pause = 500_000_000

    private struct Seen {
        var member: Member
        var lastHeard: Int
        var isSilent = false
        /// As its last heartbeat said.
        var shards: Int?
    }

    /// By the address of the member's control socket.
    private var seen: [String: Seen] = [:]
    /// These addresses, in the order in which they became known.
    package private(set) var places: [String] = []
    /// Whether several daemons share the sessions, as far as is known.
    package var isCluster: Bool
    private var mustAsk = false
    private var askAt = 0

    package init(isCluster: Bool) { self.isCluster = isCluster }

    /// Whether one more member may be connected to.
    package var hasRoom: Bool { places.count < Member.membersMax }

    package func member(at place: String) -> Member? { seen[place]?.member }

    /// Whether a member is known and not silent.
    package func isThere(_ place: String) -> Bool { seen[place]?.isSilent == false }

    package var placesThere: [String] { places.filter(isThere) }

    /// Adds a member that is connected to.
    package mutating func add(_ member: Member, at now: Int) {
        let place = member.endpoints.control
        if seen.updateValue(Seen(member: member, lastHeard: now), forKey: place) == nil {
            places.append(place)
        }
    }

    /// Something came from a member. Returns whether it was silent until now.
    package mutating func hear(_ place: String, at now: Int) -> Bool {
        guard let former = seen[place] else { return false }
        seen[place]?.lastHeard = now
        seen[place]?.isSilent = false
        return former.isSilent
    }

    /// Notes a heartbeat of a member.
    package mutating func note(heartbeat content: Node, from place: String) {
        guard let former = seen[place], let epoch = content["epoch"]?.string else { return }
        let shards = content["shards"]?.int
        seen[place]?.shards = shards
        let hasBegunAgain = !former.member.daemon.isEmpty && former.member.daemon != epoch
        if hasBegunAgain || (former.shards != nil && former.shards != shards) { mustAsk = true }
    }

    /// Looks at who is silent; returns the addresses of these.
    package mutating func silent(at now: Int) -> [String] {
        let silent = places.filter { place in
            seen[place].map { now - $0.lastHeard > Self.silence } ?? false
        }
        for place in silent { seen[place]?.isSilent = true }
        if !silent.isEmpty { mustAsk = true }
        return silent
    }

    /// Something has changed that an answer of `members` tells.
    package mutating func haveToAsk() { mustAsk = true }

    /// Whether it is time to ask for the members. The next question waits for half a second.
    package mutating func takeQuestion(at now: Int) -> Bool {
        guard mustAsk, now >= askAt else { return false }
        asks(at: now)
        return true
    }

    /// The members are asked for.
    package mutating func asks(at now: Int) { (mustAsk, askAt) = (false, now + Self.pause) }

    /// Whether a question that was not answered is given up.
    package func isQuestionOver(at now: Int) -> Bool { now >= askAt }

    /// A difference that an answer of `members` makes.
    package struct Change: Hashable, Sendable {
        /// Members that are to be connected to, and then added.
        package var new: [Member] = []
        /// The addresses of those that are members no more. They are forgotten.
        package var gone: [String] = []
        /// Whether one that stays has begun again.
        package var hasBegunAgain = false
    }

    /// Takes an answer of `members`.
    package mutating func learn(_ members: [Member]) -> Change {
        let wanted = Set(members.map(\.endpoints.control))
        var change = Change(gone: places.filter { !wanted.contains($0) })
        for place in change.gone { seen[place] = nil }
        places.removeAll { !wanted.contains($0) }
        for member in members {
            let place = member.endpoints.control
            guard let former = seen[place] else {
                change.new.append(member)
                continue
            }
            seen[place]?.member = member
            if former.member.daemon != member.daemon { change.hasBegunAgain = true }
        }
        return change
    }
}

/// A sync that all members are to answer: then subscriptions are in force at each of them. A member
/// that is silent is waited for a second.
package struct MemberSync: Sendable {
    /// Nanoseconds for which all members are waited for.
    private static let settle = 1_000_000_000

    private var left: Set<String>
    private let deadline: Int
    private var hasAnswer = false

    /// `places`: the members that are there.
    package init(of places: [String], at now: Int) {
        left = Set(places)
        deadline = now + Self.settle
    }

    /// A member has answered.
    package mutating func note(_ place: String) {
        hasAnswer = true
        left.remove(place)
    }

    package func isOver(at now: Int) -> Bool { hasAnswer && (left.isEmpty || now >= deadline) }
}
