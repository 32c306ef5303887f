import GesturedClient
import Web

/// Where the sessions are, as their updates tell, and which updates come late.
struct SessionPlaces {
    /// Sessions that are remembered: then all are forgotten, and learned anew.
    private static let sessionsMax = 65_536

    private var epochs: [[UInt8]: SessionEpoch] = [:]
    private var owners: [[UInt8]: String] = [:]

    /// Notes an update that came from a place; false: it came late, and is to be left out.
    mutating func note(_ topic: [UInt8], _ body: [UInt8], from place: String) -> Bool {
        guard let session = SessionTopic.name(in: topic),
            let text = SessionTopic.epoch(of: body), let epoch = SessionEpoch(text)
        else { return true }
        if let known = epochs[session] {
            if known == epoch { return true }
            if epoch.isLate(than: known) { return false }
        }
        if epochs.count >= Self.sessionsMax { epochs = [:] }
        epochs[session] = epoch
        note(session, at: place)
        return true
    }

    /// Notes what a daemon says of a session's owner.
    mutating func note(_ session: [UInt8], at place: String) {
        if owners.count >= Self.sessionsMax { owners = [:] }
        owners[session] = place
    }

    func place(of session: [UInt8]) -> String? { owners[session] }

    /// The sessions at a place.
    func sessions(at place: String) -> [[UInt8]] {
        owners.filter { $0.value == place }.map(\.key)
    }
}
