import Notation

extension HouseMirror {
    /// A component as Home Assistant shows it.
    struct Component: Hashable, Sendable {
        /// Choices of a select: the daemon's bound of tabs, and some screens.
        static let choicesMax = 64
        /// Types of events: far above what a kind has.
        static let eventTypesMax = 64
        /// Actions of a menu: the daemon's bound.
        static let actionsMax = 16
        /// Events of one component that leave in a second: more than a hand can cause. A world
        /// whose items touch all the time has hundreds.
        static let eventsPerSecondMax = 20
        /// Home Assistant takes this for "not known" from a select.
        static let unknown = "None"

        var id: String
        var kind: String
        /// The items or screens that a person may choose.
        var choices: [String]
        /// The actions of a list's menu.
        var actions: [String]
        var eventTypes: [String]
        /// The item or the screen that shows; nil: it is not known yet.
        var shown: String?
        /// When the second began in which events are counted, and how many left in it.
        private var second = Int.min
        private var eventsInSecond = 0

        /// All that its entities say, beside the session's part.
        struct Said: Hashable, Sendable {
            var id: String
            var kind: String
            var choices: [String]
            var actions: [String]
            var eventTypes: [String]
        }

        var said: Said {
            Said(id: id, kind: kind, choices: choices, actions: actions, eventTypes: eventTypes)
        }

        /// Reads a component of a scene; nil where it is none.
        init?(_ node: Node, among nodes: [Node]) {
            guard let id = node["id"]?.string, let kind = node["kind"]?.string, Name.isValid(id)
            else { return nil }
            self.id = id
            self.kind = kind
            choices = Self.choices(of: node, id, kind, among: nodes)
            let menu = kind == "list" ? node["parameters"]?["menu"]?.array ?? [] : []
            actions = Array(
                menu.compactMap { $0["id"]?.string }.filter(Name.isValid).prefix(Self.actionsMax))
            eventTypes = HomeAssistant.eventTypes(ofKind: kind, hasMenu: !actions.isEmpty)
        }

        /// Tabs have items. A navigation's screens are those that the scene describes; else the
        /// slots that hold something, and its root.
        private static func choices(
            of node: Node, _ id: String, _ kind: String, among nodes: [Node]
        ) -> [String] {
            var choices: [String] = []
            switch kind {
            case "tabs":
                let items = node["parameters"]?["items"]?.array ?? []
                choices = items.compactMap { $0["id"]?.string }
            case "navigation":
                let screens = node["parameters"]?["screens"]?.array ?? []
                choices = screens.compactMap { $0["name"]?.string }
                guard choices.isEmpty else { break }
                let held = nodes.filter { $0["parent"]?.string == id }
                choices = [node["parameters"]?["root"]?.string].compactMap(\.self)
                for slot in held.compactMap({ $0["slot"]?.string }) where !choices.contains(slot) {
                    choices.append(slot)
                }
                let described = node["content"]?["screens"]?.members ?? []
                for name in described.map(\.name) where !choices.contains(name) {
                    choices.append(name)
                }
            default: break
            }
            return Array(choices.filter(Name.isValid).prefix(choicesMax))
        }

        /// Takes over what was learned of the component before its scene changed.
        mutating func learn(from former: Component) {
            guard former.kind == kind else { return }
            (second, eventsInSecond) = (former.second, former.eventsInSecond)
            for type in former.eventTypes { _ = learn(eventType: type) }
            // The tabs of before may be gone, and the daemon tells which one shows then. The stack
            // of screens stays.
            if kind == "navigation", let shown = former.shown { _ = show(shown) }
        }

        /// Notes what shows. A screen that the scene does not name becomes a choice. Returns
        /// whether the choices have grown.
        mutating func show(_ name: String) -> Bool {
            shown = name
            guard kind == "navigation", choices.count < Self.choicesMax,
                !choices.contains(name), Name.isValid(name)
            else { return false }
            choices.append(name)
            return true
        }

        /// The value of the select: one of its choices, or that it is none of them.
        var choice: String? { shown.map { choices.contains($0) ? $0 : Self.unknown } }

        /// Notes a type of event. Returns whether it is new.
        mutating func learn(eventType: String) -> Bool {
            guard !eventTypes.contains(eventType), eventTypes.count < Self.eventTypesMax else {
                return false
            }
            eventTypes.append(eventType)
            return true
        }

        /// Whether one more event may leave; if so, it counts.
        mutating func mayTell(at moment: Moment) -> Bool {
            if moment.steady >= second &+ 1_000 { (second, eventsInSecond) = (moment.steady, 0) }
            guard eventsInSecond < Self.eventsPerSecondMax else { return false }
            eventsInSecond += 1
            return true
        }
    }
}
