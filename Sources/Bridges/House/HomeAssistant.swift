import Notation
import Protocol

/// The entities of a session, for Home Assistant's MQTT discovery: one retained message for each,
/// under `<prefix>/<platform>/<node>/<object>/config`.
///
/// The keys are those of Home Assistant's documentation, unabbreviated. All entities of a session
/// belong to one device, and are available while the session and the bridge that carries it are.
struct HomeAssistant: Hashable, Sendable {
    let prefix: String
    let topics: HouseTopics
    let version: String
    /// The bridge's name at the broker.
    let bridge: String

    /// An entity, as one message.
    struct Entity: Hashable, Sendable {
        var topic: String
        var payload: [UInt8]
    }

    /// The part that all entities of a session share, made once for many of them.
    private struct Device {
        var node: String
        var members: [Node.Member]
    }

    private enum Platform: String, CaseIterable {
        case sensor, button, select, event, `switch`, number, text
    }

    /// Numbers of a variable lie within so much on either side of 0, as the daemon has it: 2⁵³.
    private static let numberMax = 9_007_199_254_740_992.0
    /// The step of a number's field: Home Assistant's default of 1 would refuse half a degree.
    private static let numberStep = 0.01
    /// Characters of a text that Home Assistant takes from a person, and shows: its own bound.
    private static let textCharactersMax = 255

    /// The commands that need no argument, which become buttons.
    private static let buttons: [String: [String]] = [
        "tips": ["present", "dismiss"], "toss": ["reset"], "navigation": ["back"],
        "list": ["scroll-to-top", "deselect", "action"], "reader": ["previous", "next"],
        "tabs": ["hide"],
        "button": ["tap", "enable", "disable"], "label": ["show", "hide"],
        "panel": ["toggle"],
    ]

    /// The transitions of each kind, as docs/protocol/scenes.md, "Reactions", lists them.
    private static let transitions: [String: [String]] = [
        "tips": ["present", "dismiss", "page", "tap"], "toss": ["toss", "return", "tap"],
        "navigation": [
            "in-via-scale", "out-via-scale", "in-from-bottom", "out-to-bottom", "in-from-top",
            "out-to-top", "in-from-left", "out-to-left", "in-from-right", "out-to-right", "pop",
        ],
        "profile": ["pull", "collapse", "title"], "list": ["open", "close", "select"],
        "reader": [
            "header-loaded", "header-unloaded", "footer-loaded", "footer-unloaded", "page",
        ],
        "tabs": ["select", "bubble-show", "bubble-hide"],
        "dynamics": ["wake", "rest", "contact", "tap", "token", "turn"],
        "button": ["tap", "long-press"], "label": ["show", "hide", "change"],
        "panel": ["settle"],
    ]

    /// The types of the events that a component has; a list has one more with a menu.
    static func eventTypes(ofKind kind: String, hasMenu: Bool) -> [String] {
        ((transitions[kind] ?? []) + (hasMenu ? ["action"] : [])).flatMap { name in
            ["began", "ended", "cancelled"].compactMap { eventType(name, $0) }
        }
    }

    /// The type of an event of a transition. Its beginning has the transition's own name: that is
    /// what an automation waits for. Nil where it is none.
    static func eventType(_ transition: String, _ event: String) -> String? {
        guard Name.isValid(transition) else { return nil }
        switch event {
        case "began": return transition
        case "ended", "cancelled": return "\(transition)-\(event)"
        default: return nil
        }
    }

    func entities(ofSession session: HouseMirror.Session) -> [Entity] {
        entities(ofSession: session, device(of: session))
    }

    private func entities(ofSession session: HouseMirror.Session, _ device: Device) -> [Entity] {
        [
            entity(
                .sensor, device, "total", "Total",
                [("state_topic", topics.total(session.name)), ("icon", "mdi:bell")],
                [("state_class", Node(.string("measurement")))]),
            entity(
                .button, device, "clear", "Clear counts",
                command(session.name, "badges", #"{"command":"clear"}"#)),
        ]
    }

    /// Everything of a session.
    func entities(ofAll session: HouseMirror.Session) -> [Entity] {
        let shared = device(of: session)
        return entities(ofSession: session, shared)
            + session.kinds.sorted().map { entity(ofKind: $0, session, shared) }
            + session.variables.map { entity(ofVariable: $0, session, shared) }
            + session.components.flatMap { entities(ofComponent: $0, session, shared) }
    }

    func entity(ofKind kind: String, _ session: HouseMirror.Session) -> Entity {
        entity(ofKind: kind, session, device(of: session))
    }

    private func entity(
        ofKind kind: String, _ session: HouseMirror.Session, _ device: Device
    ) -> Entity {
        entity(
            .sensor, device, "count_\(Self.word(kind))", kind,
            [("state_topic", topics.count(session.name, kind))],
            [("state_class", Node(.string("measurement")))])
    }

    func entity(
        ofVariable variable: HouseMirror.Variable, _ session: HouseMirror.Session
    ) -> Entity {
        entity(ofVariable: variable, session, device(of: session))
    }

    /// A person can set it: its states and its commands are values in JSON.
    private func entity(
        ofVariable variable: HouseMirror.Variable, _ session: HouseMirror.Session,
        _ device: Device
    ) -> Entity {
        let ways = [
            ("state_topic", topics.value(session.name, variable.name)),
            ("command_topic", topics.command(session.name, variable: variable.name)),
        ]
        let quality = ("qos", Node(.integer(1)))
        let object = "variable_\(Self.word(variable.name))"
        switch variable.type {
        case .truth:
            return entity(
                .switch, device, object, variable.name,
                ways + [("payload_on", "true"), ("payload_off", "false")], [quality])
        case .number:
            let field = variable.field
            var texts = ways + [("mode", field == nil ? "box" : "auto")]
            if let unit = field?.unit { texts.append(("unit_of_measurement", unit)) }
            return entity(
                .number, device, object, variable.name, texts,
                [
                    ("min", Node(.number(field?.least ?? -Self.numberMax))),
                    ("max", Node(.number(field?.most ?? Self.numberMax))),
                    ("step", Node(.number(field?.step ?? Self.numberStep))), quality,
                ])
        case .text:
            return entity(
                .text, device, object, variable.name,
                ways + [
                    ("value_template", "{{ value_json }}"),
                    ("command_template", "{{ value | tojson }}"),
                ],
                [("max", Node(.integer(Self.textCharactersMax))), quality])
        }
    }

    func entities(
        ofComponent component: HouseMirror.Component, _ session: HouseMirror.Session
    ) -> [Entity] {
        entities(ofComponent: component, session, device(of: session))
    }

    private func entities(
        ofComponent component: HouseMirror.Component, _ session: HouseMirror.Session,
        _ device: Device
    ) -> [Entity] {
        let word = Self.word(component.id)
        var entities = [
            entity(
                .sensor, device, "phase_\(word)", "\(component.id) phase",
                [("state_topic", topics.phase(session.name, component.id))])
        ]
        for name in Self.buttons[component.kind] ?? [] {
            entities.append(
                entity(
                    .button, device, "do_\(word)_\(name)", "\(component.id) \(name)",
                    command(session.name, component.id, #"{"command":"\#(name)"}"#)))
        }
        for action in component.actions {
            entities.append(
                entity(
                    .button, device, "do_\(word)_action_\(Self.word(action))",
                    "\(component.id) \(action)",
                    command(
                        session.name, component.id,
                        #"{"command":"action","action":"\#(action)"}"#)))
        }
        if let select = select(component, session, device) { entities.append(select) }
        if let event = event(component, session, device) { entities.append(event) }
        return entities
    }

    private func event(
        _ component: HouseMirror.Component, _ session: HouseMirror.Session, _ device: Device
    ) -> Entity? {
        guard !component.eventTypes.isEmpty else { return nil }
        return entity(
            .event, device, "event_\(Self.word(component.id))", "\(component.id) event",
            [("state_topic", topics.events(session.name, component.id))],
            [
                ("event_types", Node(.array(component.eventTypes.map { Node(.string($0)) }))),
                ("qos", Node(.integer(1))),
            ])
    }

    /// The topics of all entities that any bridge may have made, at this prefix.
    var configurations: [String] {
        Platform.allCases.map { "\(prefix)/\($0.rawValue)/+/+/config" }
    }

    /// Whether a topic is one of `configurations`.
    func isConfiguration(_ topic: String) -> Bool {
        topic.hasPrefix("\(prefix)/") && topic.hasSuffix("/config")
    }

    /// The session of an entity's message; nil where it is no entity of a bridge of this prefix.
    func session(ofConfiguration topic: String, _ payload: [UInt8]) -> String? {
        // Most are of other devices of the house, and need not be read.
        guard topic.holds("/\(Self.word(topics.prefix))_"),
            let content = try? Document.json(payload),
            content["origin"]?["name"]?.string == "gestured",
            let places = content["availability"]?.array, places.count == 2,
            places[0]["topic"]?.string.map(topics.isAvailabilityOfBridge) == true,
            let place = places[1]["topic"]?.string
        else { return nil }
        return topics.session(ofValue: place)
    }

    /// The choice of a tab, or of a screen; nil where there is nothing to choose.
    private func select(
        _ component: HouseMirror.Component, _ session: HouseMirror.Session, _ device: Device
    ) -> Entity? {
        guard component.choices.count > 1 else { return nil }
        let names = component.choices.map { "\"\($0)\"" }.joined(separator: ",")
        let template =
            component.kind == "tabs"
            ? #"{"command":"select","index":{{ [\#(names)].index(value) }}}"#
            : #"{"command":"present","screen":"{{ value }}","transition":"in-from-bottom"}"#
        return entity(
            .select, device, "shown_\(Self.word(component.id))", component.id,
            [
                ("state_topic", topics.shown(session.name, component.id)),
                ("command_topic", topics.command(session.name, component.id)),
                ("command_template", template),
            ],
            [
                ("options", Node(.array(component.choices.map { Node(.string($0)) }))),
                ("qos", Node(.integer(1))),
            ])
    }

    private func command(
        _ session: String, _ component: String, _ payload: String
    ) -> [(String, String)] {
        [
            ("command_topic", topics.command(session, component)), ("payload_press", payload),
        ]
    }

    private func entity(
        _ platform: Platform, _ device: Device, _ object: String, _ name: String,
        _ texts: [(String, String)], _ others: [(String, Node)] = []
    ) -> Entity {
        let node = device.node
        var members = [
            Node.Member("name", Node(.string(name))),
            Node.Member("unique_id", Node(.string("\(node)_\(object)"))),
        ]
        members += texts.map { Node.Member($0.0, Node(.string($0.1))) }
        members += others.map { Node.Member($0.0, $0.1) }
        if platform == .button { members.append(Node.Member("qos", Node(.integer(1)))) }
        members += device.members
        return Entity(
            topic: "\(prefix)/\(platform.rawValue)/\(node)/\(object)/config",
            payload: Node(.object(members)).json())
    }

    private func device(of session: HouseMirror.Session) -> Device {
        let node = "\(Self.word(topics.prefix))_\(Self.word(session.name))"
        return Device(node: node, members: shared(session, node))
    }

    /// The members that all entities of a session have.
    private func shared(_ session: HouseMirror.Session, _ node: String) -> [Node.Member] {
        func table(_ members: [(String, String)]) -> Node {
            Node(.object(members.map { Node.Member($0.0, Node(.string($0.1))) }))
        }
        return [
            Node.Member(
                "availability",
                Node(
                    .array([
                        table([("topic", topics.availability(ofBridge: bridge))]),
                        table([("topic", topics.availability(session.name))]),
                    ]))),
            Node.Member("availability_mode", Node(.string("all"))),
            Node.Member(
                "device",
                Node(
                    .object([
                        Node.Member("identifiers", Node(.array([Node(.string(node))]))),
                        Node.Member("name", Node(.string(session.name))),
                        Node.Member("manufacturer", Node(.string("gestured"))),
                        Node.Member("model", Node(.string(session.scene ?? "a scene"))),
                    ]))),
            Node.Member("origin", table([("name", "gestured"), ("sw_version", version)])),
        ]
    }

    /// A name in the letters that Home Assistant allows in topics and ids, without collisions:
    /// other bytes become `_` and two hexadecimal digits. By bytes, since an entity has several.
    static func word(_ name: String) -> String {
        var word: [UInt8] = []
        word.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                word.append(byte)
            default:
                word += [UInt8(ascii: "_"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: word, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
