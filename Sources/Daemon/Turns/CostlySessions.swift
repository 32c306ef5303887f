import Sessions

/// The open sessions of a lane whose events are costly work, whatever the single event is.
struct CostlySessions {
    private let choice: LaneChoice
    /// Those whose reactions may change their scene.
    private var changingThemselves: Set<NameKey> = []
    /// Those whose events take long.
    private var slow: Set<NameKey> = []

    init(_ choice: LaneChoice) { self.choice = choice }

    var isEmpty: Bool { changingThemselves.isEmpty && slow.isEmpty }
    var isAnySlow: Bool { !slow.isEmpty }

    func contains(_ key: NameKey) -> Bool {
        changingThemselves.contains(key) || slow.contains(key)
    }

    /// Notes a session that has opened, has changed or has ended.
    mutating func note(_ session: ActiveSession) {
        noteChanging(session)
        noteSlow(session)
    }

    /// Notes how long an event of a session took the processor that changed no scene.
    mutating func noteEvent(of session: ActiveSession, nanoseconds: Int) {
        session.effort.noteEvent(nanoseconds: nanoseconds)
        noteSlow(session)
    }

    private mutating func noteChanging(_ session: ActiveSession) {
        let changesItself = session.isOpen && session.session.changesItself
        guard changesItself != session.effort.changesItself else { return }
        session.effort.changesItself = changesItself
        let key = choice.key(of: session.session.id)
        if changesItself { changingThemselves.insert(key) } else { changingThemselves.remove(key) }
    }

    private mutating func noteSlow(_ session: ActiveSession) {
        let isSlow = session.isOpen && session.effort.events.areLong
        // Most are not, and most of the time none is.
        guard isSlow || !slow.isEmpty else { return }
        let key = choice.key(of: session.session.id)
        if isSlow { slow.insert(key) } else { slow.remove(key) }
    }
}
