/// Counts of unanswered publishes by session, in a table of its own: each publish looks into it
/// twice, and a `Dictionary` hashes anew what a ``NameKey`` is already.
///
/// Linear probing; half of the places at least are free. It grows to the most sessions that had
/// unanswered publishes at once, which `Limits.requestsUnansweredMax` bounds.
struct PublishCounts {
    private struct Place {
        var key = NameKey(value: 0)
        /// 0: the place is free.
        var count = 0
    }

    private var places = [Place](repeating: Place(), count: 64)
    private var sessions = 0

    private var mask: Int { places.count - 1 }

    subscript(key: NameKey) -> Int { places[place(of: key)].count }

    /// Counts one more.
    mutating func add(_ key: NameKey) {
        let place = place(of: key)
        places[place].count += 1
        guard places[place].count == 1 else { return }
        places[place].key = key
        sessions += 1
        if 2 * sessions > places.count { grow() }
    }

    /// Counts one less, if there is one.
    mutating func remove(_ key: NameKey) {
        let place = place(of: key)
        guard places[place].count > 0 else { return }
        places[place].count -= 1
        guard places[place].count == 0 else { return }
        sessions -= 1
        closeGap(at: place)
    }

    /// Where a key stands, or the free place where it would.
    private func place(of key: NameKey) -> Int {
        var place = home(of: key)
        while places[place].count > 0, places[place].key != key { place = (place + 1) & mask }
        return place
    }

    private func home(of key: NameKey) -> Int { Int(truncatingIfNeeded: key.value) & mask }

    /// Moves those back that a search would not find behind a free place any more.
    private mutating func closeGap(at freed: Int) {
        var (gap, place) = (freed, (freed + 1) & mask)
        while places[place].count > 0 {
            let distance = (place - home(of: places[place].key)) & mask
            if distance >= (place - gap) & mask {
                places.swapAt(gap, place)
                gap = place
            }
            place = (place + 1) & mask
        }
    }

    private mutating func grow() {
        let former = places
        places = Array(repeating: Place(), count: 2 * former.count)
        for one in former where one.count > 0 { places[place(of: one.key)] = one }
    }
}
