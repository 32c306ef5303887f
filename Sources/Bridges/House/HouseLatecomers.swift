import Notation

/// Sessions that found no room in the mirror. When another one makes room, the daemon is asked for
/// all of the first of them, then of the next.
struct HouseLatecomers: Sendable {
    /// Sessions that wait: four times as many as are shown. Others come when they change.
    static let countMax = 1_024
    /// Milliseconds in which the daemon answers; after that it is asked for the next one.
    static let answerMilliseconds = 5_000
    /// Milliseconds between an attempt that failed and the next one.
    static let pauseMilliseconds = 1_000
    /// Topics of the session whose updates wait for the answer: far more than its 32 components.
    static let heldMax = 128

    private struct Asked: Sendable {
        var name: String
        var due: Int
        /// The newest updates that came meanwhile, by their topics.
        var held: [String: Node] = [:]
    }

    /// In the order in which they came.
    private var names: [String] = []
    private var isWaiting: Set<String> = []
    private var asked: Asked?
    /// The topics that the outbox had removed when the last attempt found no room; with no others
    /// removed since, there is none.
    private var removalsSeen = 0
    private var restsUntil = Int.min

    func contains(_ name: String) -> Bool { isWaiting.contains(name) }

    mutating func add(_ name: String) {
        guard names.count < Self.countMax, isWaiting.insert(name).inserted else { return }
        names.append(name)
    }

    /// A session is gone.
    mutating func forget(_ name: String) {
        if asked?.name == name { asked = nil }
        guard isWaiting.remove(name) != nil else { return }
        names.removeAll { $0 == name }
    }

    /// The session to ask the daemon for now; nil: none.
    ///
    /// - Parameters:
    ///   - removals: the topics that the outbox has removed since its start.
    ///   - isFit: whether a session may come, as far as its name tells.
    mutating func next(removals: Int, at moment: Moment, isFit: (String) -> Bool) -> String? {
        if let late = asked, late.due <= moment.steady { skip(late.name, at: moment) }
        guard asked == nil, removals != removalsSeen, restsUntil <= moment.steady,
            let name = names.first(where: isFit)
        else { return nil }
        asked = Asked(name: name, due: moment.steady + Self.answerMilliseconds)
        return name
    }

    /// Holds an update of the session that was asked for until the answer has come: the answer may
    /// be older. Returns false for updates of other sessions.
    mutating func hold(_ topic: String, _ body: Node, of name: String) -> Bool {
        guard asked?.name == name else { return false }
        guard asked?.held[topic] != nil || (asked?.held.count ?? 0) < Self.heldMax else {
            // The answer would lack something: it is passed over, and asked for again.
            asked = nil
            return false
        }
        asked?.held[topic] = body
        return true
    }

    /// The answer for a session has come. Returns the updates that were held; nil: it is not waited
    /// for any more.
    mutating func takeHeld(of name: String) -> [String: Node]? {
        guard let held = asked?.name == name ? asked?.held : nil else { return nil }
        forget(name)
        return held
    }

    /// The session was shown as far as there is room: where there is too little, it waits again.
    mutating func settle(_ name: String, removals: Int, at moment: Moment) {
        guard contains(name) else { return }
        removalsSeen = removals
        restsUntil = moment.steady + Self.pauseMilliseconds
    }

    /// The daemon cannot tell of a session now: others come first.
    mutating func skip(_ name: String, at moment: Moment) {
        guard asked?.name == name else { return }
        asked = nil
        names.removeAll { $0 == name }
        names.append(name)
        restsUntil = moment.steady + Self.pauseMilliseconds
    }
}
