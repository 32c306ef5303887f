/// The order in which the members of a cluster are asked. Each is known by its address.
package enum MemberOrder {
    /// The members that a request may go to, best first.
    ///
    /// `late`: the one that has left this request unanswered; nil: none has. Other requests still
    /// go there: it may take long for this one alone.
    package static func candidates(
        owner: String?, home: String, of all: [String], late: String?
    ) -> [String] {
        var order: [String] = []
        if let owner { order.append(owner) }
        if home != late, home != owner { order.append(home) }
        let others = all.filter { !order.contains($0) }
        return order + others.filter { $0 != late } + others.filter { $0 == late }
    }

    /// The member whose heartbeats browsers see from now on: another one only where the former is
    /// silent, for then all pages join again.
    package static func home(
        after former: String, of all: [String], isThere: (String) -> Bool
    ) -> String {
        guard !isThere(former), let place = all.firstIndex(of: former) else { return former }
        let others = all[(place + 1)...] + all[..<place]
        return others.first(where: isThere) ?? former
    }
}
