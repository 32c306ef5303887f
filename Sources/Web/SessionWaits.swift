import Notation

/// How long the daemon takes for requests about sessions, by what it took of late.
///
/// It serves a session's requests in their order, and those that change a large scene take long. So
/// a client that asks for the first time about a session which keeps all others waiting is known
/// before its answer comes. Sessions share places by a hash that differs at each start: however
/// many there are, they take the same memory.
struct SessionWaits {
    /// Nanoseconds; zero: none was answered.
    private var waits: [Int]

    init() { waits = Array(repeating: 0, count: Limits.webSessionWaitsMax) }

    /// Nanoseconds for a session's requests; zero: none was answered, or they are about none.
    func wait(for session: [UInt8]?) -> Int { session.map { waits[place(of: $0)] } ?? 0 }

    /// An answer took so many nanoseconds. `share`: of how many answers the longest one counts.
    mutating func note(_ wait: Int, for session: [UInt8]?, share: Int) {
        guard let session else { return }
        let place = place(of: session)
        let former = waits[place]
        waits[place] = max(wait, former - (former - wait) / share)
    }

    private func place(of session: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe session.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(waits.count))
    }
}

extension Limits {
    /// Places of the waits of sessions, of 8 bytes each: with a hundred busy sessions, one in
    /// twenty shares its place.
    static let webSessionWaitsMax = 2_048
}
