import Sessions

/// The channels that subscribers want of a lane's sessions.
struct Interests {
    /// By name, also of sessions that are not open yet.
    private var byName: [String: Channels] = [:]
    /// The channels that subscribers want of every session.
    var broad: Channels = []

    /// The channels that somebody wants of one session by its name.
    subscript(id: String) -> Channels {
        get { byName[id] ?? [] }
        set { byName[id] = newValue.isEmpty ? nil : newValue }
    }

    /// The sessions of which somebody wants something by name.
    var names: some Sequence<String> { byName.keys }

    /// All that somebody wants of an open session.
    func channels(of active: ActiveSession) -> Channels { active.interest.union(broad) }

    /// Whether anybody wants these channels of a session, open or not.
    func includes(_ channels: Channels, of id: String) -> Bool {
        broad.union(self[id]).isSuperset(of: channels)
    }
}
