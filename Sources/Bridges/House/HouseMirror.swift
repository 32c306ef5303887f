package import Notation

/// The values that the broker shows of the daemon's sessions: counts, phases, what is shown, who is
/// there; and what Home Assistant learns of them.
package struct HouseMirror: Sendable {
    /// Sessions that are shown; a house has some, and Home Assistant keeps each for ever.
    package static let sessionsMax = 256
    /// Kinds of one session's counts that are shown: as many as the daemon counts at once. It
    /// forgets kinds at 0 for new ones, so those that it counts no more go first.
    static let kindsMax = 256
    /// Choices of a select: the daemon's bound of tabs, and some screens.
    static let choicesMax = 64
    /// Milliseconds that a restarted daemon has to show a session again. Then it is gone.
    package static let graceMilliseconds = 10_000

    package enum Count: String, CaseIterable, Sendable {
        /// Sessions beyond the bound, each time that one was seen.
        case sessionsRefused = "sessions_refused"
    }

    struct Component: Hashable, Sendable {
        var id: String
        var kind: String
        /// The items or screens that a person may choose.
        var choices: [String]
    }

    struct Session: Hashable, Sendable {
        var name: String
        var scene: String?
        var components: [Component] = []
        var kinds: Set<String> = []
        /// The epoch of the daemon that showed it last.
        var epoch = ""
    }

    private let topics: HouseTopics
    /// Nil: no discovery.
    private let homeAssistant: HomeAssistant?
    /// Empty: all.
    private let named: Set<String>
    private var sessions: [String: Session] = [:]
    private var epoch = ""
    /// When sessions of an earlier daemon are given up.
    private var deadline: Int?
    package var outbox = HouseOutbox()
    package private(set) var counters = Counters<Count>()

    /// - Parameter discovery: Home Assistant's prefix, usually `homeassistant`; nil: none.
    package init(
        topics: HouseTopics, sessions: [String], discovery: String?, version: String
    ) {
        self.topics = topics
        named = Set(sessions)
        homeAssistant = discovery.map {
            HomeAssistant(prefix: $0, topics: topics, version: version)
        }
        outbox.set(topics.availability, "online")
    }

    package var sessionCount: Int { sessions.count }

    /// The prefixes of updates to follow.
    package var prefixes: [String] {
        if named.isEmpty { return ["scene/", "state/", "badge/", "session/"] }
        return named.sorted().flatMap {
            ["scene/\($0)", "state/\($0)/", "badge/\($0)", "session/\($0)"]
        }
    }

    /// Takes an update of the daemon.
    package mutating func take(topic: String, _ body: Node, at moment: Moment) {
        let levels = topic.split(separator: "/").map(String.init)
        guard levels.count >= 2, let word = levels.first else { return }
        let name = levels[1]
        guard named.isEmpty || named.contains(name), Name.isValid(name) else { return }
        if word == "session", ["closed", "expired"].contains(body["event"]?.string ?? "") {
            remove(name)
            return
        }
        guard sessions[name] != nil || sessions.count < Self.sessionsMax else {
            counters.count(.sessionsRefused)
            return
        }
        see(name, body, at: moment)
        switch (word, levels.count) {
        case ("scene", 2): take(scene: body, of: name)
        case ("badge", 2): take(badge: body, of: name)
        case ("state", 3): take(state: body, of: name, levels[2])
        default: break
        }
    }

    /// Gives up the sessions that a restarted daemon does not have.
    package mutating func tick(at moment: Moment) {
        guard let deadline, deadline <= moment.steady else { return }
        self.deadline = nil
        for session in sessions.values where session.epoch != epoch {
            outbox.set(topics.availability(session.name), "offline")
        }
    }

    /// Records that a session is there, and which daemon said so.
    private mutating func see(_ name: String, _ body: Node, at moment: Moment) {
        let ofSession = body["epoch"]?.string ?? ""
        let epoch = String(ofSession[..<(ofSession.lastIndex(of: ".") ?? ofSession.endIndex)])
        if epoch != self.epoch {
            if !sessions.isEmpty { deadline = moment.steady + Self.graceMilliseconds }
            self.epoch = epoch
        }
        if sessions[name] == nil {
            let session = Session(name: name)
            sessions[name] = session
            announce(homeAssistant?.entities(ofSession: session) ?? [])
        }
        sessions[name]?.epoch = epoch
        outbox.set(topics.availability(name), "online")
    }

    private mutating func take(scene body: Node, of name: String) {
        guard var session = sessions[name] else { return }
        let former = session.components
        session.scene = body["scene"]?.string
        session.components = Self.components(of: body)
        let kept = Set(session.components.map(\.id))
        for component in former where !kept.contains(component.id) {
            forget(component, of: session)
        }
        for component in former where kept.contains(component.id) {
            let now = session.components.first { $0.id == component.id }
            if now?.kind != component.kind { forget(component, of: session) }
        }
        sessions[name] = session
        guard let homeAssistant else { return }
        announce(homeAssistant.entities(ofSession: session))
        for kind in session.kinds.sorted() {
            announce([homeAssistant.entity(ofKind: kind, session)])
        }
        for component in session.components {
            announce(homeAssistant.entities(ofComponent: component, session))
        }
    }

    private mutating func take(badge body: Node, of name: String) {
        guard let session = sessions[name] else { return }
        if let total = body["total"]?.int { outbox.set(topics.total(name), "\(total)") }
        var counted: Set<String> = []
        for member in body["counts"]?.members ?? [] {
            guard let count = member.value.int, Name.isValid(member.name) else { continue }
            counted.insert(member.name)
            if sessions[name]?.kinds.insert(member.name).inserted == true, let homeAssistant {
                announce([homeAssistant.entity(ofKind: member.name, session)])
            }
            outbox.set(topics.count(name, member.name), "\(count)")
        }
        let gone = session.kinds.subtracting(counted).sorted()
        let surplus = (sessions[name]?.kinds.count ?? 0) - Self.kindsMax
        for kind in gone.prefix(max(0, surplus)) { forget(kind: kind, of: session) }
        for kind in gone.dropFirst(max(0, surplus)) { outbox.set(topics.count(name, kind), "0") }
    }

    private mutating func forget(kind: String, of session: Session) {
        sessions[session.name]?.kinds.remove(kind)
        outbox.set(topics.count(session.name, kind), nil)
        if let homeAssistant {
            outbox.set(homeAssistant.entity(ofKind: kind, session).topic, nil)
        }
    }

    private mutating func take(state body: Node, of name: String, _ id: String) {
        guard let component = sessions[name]?.components.first(where: { $0.id == id }) else {
            return
        }
        if let phase = body["phase"]?.string { outbox.set(topics.phase(name, id), phase) }
        switch component.kind {
        case "tabs":
            let items = body["model"]?["items"]?.array ?? []
            let selected = items.first { $0["selected"]?.bool == true }
            if let item = selected?["id"]?.string { outbox.set(topics.shown(name, id), item) }
        case "navigation":
            if let screen = body["model"]?["stack"]?.array?.last?.string {
                outbox.set(topics.shown(name, id), screen)
            }
        default: break
        }
    }

    private mutating func announce(_ entities: [HomeAssistant.Entity]) {
        for entity in entities { outbox.set(entity.topic, entity.payload) }
    }

    /// A session was closed: the broker and Home Assistant forget it.
    private mutating func remove(_ name: String) {
        guard let session = sessions.removeValue(forKey: name) else { return }
        for component in session.components { forget(component, of: session) }
        for kind in session.kinds { forget(kind: kind, of: session) }
        outbox.set(topics.total(name), nil)
        outbox.set(topics.availability(name), nil)
        for entity in homeAssistant?.entities(ofSession: session) ?? [] {
            outbox.set(entity.topic, nil)
        }
    }

    private mutating func forget(_ component: Component, of session: Session) {
        outbox.set(topics.phase(session.name, component.id), nil)
        outbox.set(topics.shown(session.name, component.id), nil)
        for entity in homeAssistant?.entities(ofComponent: component, session) ?? [] {
            outbox.set(entity.topic, nil)
        }
    }

    private static func components(of scene: Node) -> [Component] {
        let nodes = scene["components"]?.array ?? []
        return nodes.compactMap { node in
            guard let id = node["id"]?.string, let kind = node["kind"]?.string, Name.isValid(id)
            else { return nil }
            return Component(id: id, kind: kind, choices: choices(of: node, id, kind, among: nodes))
        }
    }

    /// Tabs have items. A navigation's screens are the slots that hold something, and its root.
    private static func choices(
        of node: Node, _ id: String, _ kind: String, among nodes: [Node]
    ) -> [String] {
        var choices: [String] = []
        switch kind {
        case "tabs":
            choices = (node["parameters"]?["items"]?.array ?? []).compactMap { $0["id"]?.string }
        case "navigation":
            let held = nodes.filter { $0["parent"]?.string == id }
            choices = [node["parameters"]?["root"]?.string].compactMap(\.self)
            for slot in held.compactMap({ $0["slot"]?.string }) where !choices.contains(slot) {
                choices.append(slot)
            }
            let described = node["content"]?["screens"]?.members ?? []
            for name in described.map(\.name) where !choices.contains(name) { choices.append(name) }
        default: break
        }
        return Array(choices.filter(Name.isValid).prefix(choicesMax))
    }
}
