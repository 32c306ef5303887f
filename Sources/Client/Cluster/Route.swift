import Notation
import Protocol

/// The member that each request goes to, as far as the members have said. It touches no socket.
struct Route {
    /// Milliseconds that a member may take to answer, before the next one is asked.
    static let attemptMilliseconds = 1_000
    /// Milliseconds until a session without an owner is asked for again.
    static let pauseMilliseconds = 100
    /// Members in a row that may send a request on, before it waits: two may not agree yet.
    static let hopsMax = 3
    /// Sessions whose owners are remembered; then all are forgotten, and learned anew.
    private static let ownersMax = 10_000

    private let seeds: [String]
    /// The seeds, and the members that were heard of behind them.
    private var places: [String]
    /// Where it asks what any member can answer.
    private(set) var home: String
    private var owners: [String: Member] = [:]

    /// - Parameter seeds: at least one address.
    init(_ seeds: [String], home: String) {
        self.seeds = seeds
        places = seeds
        self.home = home
    }

    /// Where a request goes.
    func place(of session: String?) -> String {
        session.flatMap { owners[$0]?.endpoints.control } ?? home
    }

    /// Remembers who has a session; nil: nobody knows.
    mutating func note(_ session: String, _ owner: Member?) {
        if owners.count >= Self.ownersMax { owners = [:] }
        owners[session] = owner
    }

    /// Members that may be asked in place of seeds that are gone.
    mutating func meet(_ members: [Member]) {
        let controls = members.map(\.endpoints.control)
        places = seeds + controls.filter { !seeds.contains($0) }
        if !places.contains(home), let first = places.first { home = first }
    }

    /// Asks at another member from now on, if it asked at this one.
    mutating func leave(_ place: String) {
        guard place == home, !places.isEmpty else { return }
        let next = (places.firstIndex(of: place) ?? -1) + 1
        home = places[next % places.count]
    }

    /// The session whose owner answers a request; nil: any member answers it.
    static func session(_ operation: String, _ fields: [Node.Member]) -> String? {
        func text(_ name: String) -> String? {
            fields.first { $0.name == name }?.value.string
        }
        switch operation {
        case "locate": return nil
        case "publish": return text("topic").flatMap(session(ofTopic:))
        default: return text("session")
        }
    }

    /// The session that an event's topic names.
    static func session(ofTopic topic: String) -> String? {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }
}
