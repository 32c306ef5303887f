/// Counts of unanswered publishes by session; `Limits.requestsUnansweredMax` bounds how many.
struct PublishCounts {
    private var counts: [NameKey: Int] = [:]

    subscript(key: NameKey) -> Int { counts[key, default: 0] }

    /// Counts one more.
    mutating func add(_ key: NameKey) { counts[key, default: 0] += 1 }

    /// Counts one less, if there is one.
    mutating func remove(_ key: NameKey) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}
