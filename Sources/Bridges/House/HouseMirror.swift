package import Notation
import Protocol

/// The values that the broker shows of the daemon's sessions: counts, phases, what is shown, who is
/// there; and what Home Assistant learns of them.
package struct HouseMirror: Sendable {
    /// Sessions that are shown; a house has some, and Home Assistant keeps each for ever.
    package static let sessionsMax = 256
    /// Kinds of one session's counts that are shown: as many as the daemon counts at once. It
    /// forgets kinds at 0 for new ones, so those that it counts no more go first.
    static let kindsMax = 256
    /// Milliseconds that a restarted daemon has to show a session again. Then it is gone.
    package static let graceMilliseconds = 10_000
    /// Milliseconds for which values of earlier runs wait for their sessions, when the bridge
    /// starts: where all start together, those who open sessions are some seconds behind.
    package static let startMilliseconds = 5_000

    package enum Count: String, CaseIterable, Sendable {
        /// Sessions beyond the bound, each time that one was seen.
        case sessionsRefused = "sessions_refused"
        /// Values of earlier runs beyond the bounds of those that are looked at, and values whose
        /// topics are longer than any of ours.
        case valuesUnread = "values_unread"
    }

    struct Session: Hashable, Sendable {
        var name: String
        var scene: String?
        var components: [Component] = []
        var kinds: Set<String> = []
        /// In the order in which the daemon tells them.
        var variables: [Variable] = []
        var fields: [String: NumberField] = [:]
        /// The epoch of the daemon that showed it last.
        var epoch = ""
    }

    let topics: HouseTopics
    /// Nil: no discovery.
    let homeAssistant: HomeAssistant?
    /// It knows the entities of earlier runs; nil: nothing looks for them.
    let former: HomeAssistant?
    /// The bridge's name at the broker, which its values bear.
    let identity: String
    /// Empty: all.
    let named: Set<String>
    var sessions: [String: Session] = [:]
    private var epoch = ""
    /// When sessions of an earlier daemon are given up.
    private var deadline: Int?
    var remnants = HouseRemnants()
    /// When values of earlier runs are judged; nil: the daemon has not told all that there is.
    var judgesFrom: Int?
    var isJudging = false
    var neighbours: HouseNeighbours
    /// When the topics of bridges that are gone are cleared; nil: they were, or no broker is there.
    var clearsFrom: Int?
    var latecomers = HouseLatecomers()
    package var outbox = HouseOutbox()
    package internal(set) var counters = Counters<Count>()

    /// - Parameters:
    ///   - discovery: Home Assistant's prefix, usually `homeassistant`; nil: none.
    ///   - formerDiscovery: the prefix of earlier runs, whose entities may be gone; nil: that of
    ///     `discovery`.
    ///   - identity: the bridge's name at the broker.
    package init(
        topics: HouseTopics, sessions: [String], discovery: String?, version: String,
        formerDiscovery: String? = nil, identity: String
    ) {
        self.topics = topics
        self.identity = identity
        named = Set(sessions)
        neighbours = HouseNeighbours(name: identity, share: HouseShare(sessions))
        homeAssistant = discovery.map {
            HomeAssistant(prefix: $0, topics: topics, version: version, bridge: identity)
        }
        former = (discovery ?? formerDiscovery).map {
            HomeAssistant(prefix: $0, topics: topics, version: version, bridge: identity)
        }
        // Other bridges wait for these.
        outbox.first = [
            topics.sessions(ofBridge: identity), topics.availability(ofBridge: identity),
        ]
        outbox.set(topics.sessions(ofBridge: identity), neighbours.share.text)
        outbox.set(topics.availability(ofBridge: identity), "online")
        outbox.set(topics.anyAvailability, "online")
    }

    package var sessionCount: Int { sessions.count }

    /// The prefixes of updates to follow.
    package var prefixes: [String] {
        if named.isEmpty {
            return ["scene/", "state/", "badge/", "variables/", "session/", "transition/"]
        }
        return named.sorted().flatMap {
            [
                "scene/\($0)", "state/\($0)/", "badge/\($0)", "variables/\($0)", "session/\($0)",
                "transition/\($0)/",
            ]
        }
    }

    /// Takes an update of the daemon.
    package mutating func take(topic: String, _ body: Node, at moment: Moment) {
        let levels = topic.split(separator: "/").map(String.init)
        guard levels.count >= 2, let word = levels.first else { return }
        let name = levels[1]
        guard carries(name), Name.isValid(name) else { return }
        if word == "session", ["closed", "expired"].contains(body["event"]?.string ?? "") {
            remove(name)
            return
        }
        if word == "transition" {
            // It shows no session that is not known: one that was closed may end what it began.
            if levels.count == 3 { take(transition: body, of: name, levels[2], at: moment) }
            return
        }
        if !latecomers.hold(topic, body, of: name) { show(levels, body, at: moment) }
    }

    /// Shows an update of a session, as far as there is room. Where there is too little, the
    /// session waits for more.
    mutating func show(_ levels: [String], _ body: Node, at moment: Moment) {
        let name = levels[1]
        guard
            sessions[name] != nil
                || sessions.count < Self.sessionsMax && !latecomers.contains(name)
        else {
            counters.count(.sessionsRefused)
            latecomers.add(name)
            return
        }
        let refusals = outbox.refusals
        see(name, body, at: moment)
        switch (levels[0], levels.count) {
        case ("scene", 2): take(scene: body, of: name)
        case ("badge", 2): take(badge: body, of: name)
        case ("variables", 2): take(variables: body, of: name)
        case ("state", 3): take(state: body, of: name, levels[2])
        default: break
        }
        if outbox.refusals != refusals { latecomers.add(name) }
    }

    /// Gives up the sessions that a restarted daemon does not have.
    package mutating func tick(at moment: Moment) {
        judgeAll(at: moment)
        clearNeighbours(at: moment)
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
        let former = session
        session.scene = body["scene"]?.string
        let nodes = body["components"]?.array ?? []
        session.components = nodes.compactMap { Component($0, among: nodes) }
        for index in session.components.indices {
            let id = session.components[index].id
            if let known = former.components.first(where: { $0.id == id }) {
                session.components[index].learn(from: known)
            }
        }
        for component in former.components {
            let now = session.components.first { $0.id == component.id }
            if now?.kind != component.kind { forget(valuesOf: component, name) }
        }
        sessions[name] = session
        announce(session, after: former)
        take(fieldsOf: body["content"], of: name)
        for component in session.components {
            guard let choice = component.choice else { continue }
            // Home Assistant takes no choice that it has not been told of.
            outbox.delay(topics.shown(name, component.id))
            outbox.set(topics.shown(name, component.id), choice)
        }
    }

    /// Tells Home Assistant how a scene differs from the one before. Entities that say the same are
    /// not made: a scene may change many times a second, and most changes are of other things.
    private mutating func announce(_ session: Session, after former: Session) {
        guard let homeAssistant else { return }
        let before = Set(former.components.map(\.said))
        let now = Set(session.components.map(\.said))
        let gone = former.components.filter { !now.contains($0.said) }
        let changed = Set(gone.map(\.id))
        let entities: [HomeAssistant.Entity] =
            if session.scene != former.scene {
                homeAssistant.entities(ofAll: session)
            } else {
                session.components
                    .filter { !before.contains($0.said) || changed.contains($0.id) }
                    .flatMap { homeAssistant.entities(ofComponent: $0, session) }
            }
        let kept = Set(entities.map(\.topic))
        for component in gone {
            for entity in homeAssistant.entities(ofComponent: component, former)
            where !kept.contains(entity.topic) {
                outbox.set(entity.topic, nil)
            }
        }
        announce(entities)
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
        guard let session = sessions[name],
            let index = session.components.firstIndex(where: { $0.id == id })
        else { return }
        let kind = session.components[index].kind
        if let phase = body["phase"]?.string { outbox.set(topics.phase(name, id), phase) }
        let items = kind == "tabs" ? body["model"]?["items"]?.array ?? [] : []
        let shown =
            switch kind {
            case "tabs": items.first { $0["selected"]?.bool == true }?["id"]?.string
            case "navigation": body["model"]?["stack"]?.array?.last?.string
            default: String?.none
            }
        guard let shown else { return }
        let topic = topics.shown(name, id)
        if sessions[name]?.components[index].show(shown) == true {
            announce(component: index, of: name)
            // Home Assistant takes no choice that it has not been told of.
            outbox.delay(topic)
        }
        if let choice = sessions[name]?.components[index].choice { outbox.set(topic, choice) }
    }

    /// Lets an event of a transition leave as an event.
    private mutating func take(
        transition body: Node, of name: String, _ id: String, at moment: Moment
    ) {
        guard let index = sessions[name]?.components.firstIndex(where: { $0.id == id }),
            let type = HomeAssistant.eventType(
                body["name"]?.string ?? "", body["event"]?.string ?? "")
        else { return }
        guard sessions[name]?.components[index].mayTell(at: moment) == true else {
            outbox.dropEvent()
            return
        }
        if sessions[name]?.components[index].learn(eventType: type) == true {
            announce(component: index, of: name)
        }
        let left = ["epoch", "seq", "t", "session", "component", "event_type"]
        let others = (body.members ?? []).filter { !left.contains($0.name) }
        let members = [Node.Member("event_type", Node(.string(type)))] + others
        outbox.tell(topics.events(name, id), Node(.object(members)).json())
    }

    private mutating func announce(component index: Int, of name: String) {
        guard let homeAssistant, let session = sessions[name] else { return }
        announce(homeAssistant.entities(ofComponent: session.components[index], session))
    }

    mutating func announce(_ entities: [HomeAssistant.Entity]) {
        for entity in entities { outbox.set(entity.topic, entity.payload) }
    }

    /// A session was closed: the broker and Home Assistant forget it.
    private mutating func remove(_ name: String) {
        latecomers.forget(name)
        guard let session = sessions.removeValue(forKey: name) else { return }
        for component in session.components { forget(valuesOf: component, name) }
        for kind in session.kinds { outbox.set(topics.count(name, kind), nil) }
        for variable in session.variables { outbox.set(topics.value(name, variable.name), nil) }
        outbox.set(topics.total(name), nil)
        outbox.set(topics.availability(name), nil)
        for entity in homeAssistant?.entities(ofAll: session) ?? [] {
            outbox.set(entity.topic, nil)
        }
    }

    private mutating func forget(valuesOf component: Component, _ name: String) {
        outbox.set(topics.phase(name, component.id), nil)
        outbox.set(topics.shown(name, component.id), nil)
        // Not retained, but some clients keep the last message of each topic.
        outbox.forget(topics.events(name, component.id))
    }
}
