import Geometry
import GesturedClient
import Notation

/// All that is known of a session, to be drawn.
struct ShownSession: Hashable, Sendable {
    struct View: Hashable, Sendable {
        var name: String
        var x = 0.0
        var y = 0.0
        var width = 0.0
        var height = 0.0
        var rotation = 0.0
        var scale = 1.0
        var alpha = 1.0
        var z = 0.0
    }

    struct Component: Hashable, Sendable {
        var phase = ""
        /// The hindmost first.
        var views: [View] = []
    }

    let session: String
    private(set) var viewport = Size(320, 568)
    /// The components in the order of the scene; those that it does not know follow by name.
    private(set) var order: [String] = []
    private(set) var components: [String: Component] = [:]
    /// Kinds with their counts, as they are shown.
    private(set) var counts: [String] = []
    private(set) var total = 0
    /// What else a person should know: that it is not open, that it closed.
    var notice = ""
    /// Nothing is heard of the daemon, so that all of this may be old.
    var isSilent = false

    init(session: String) { self.session = session }

    var names: [String] {
        let known = order.filter { components[$0] != nil }
        return known + components.keys.filter { !known.contains($0) }.sorted()
    }

    /// Takes the viewport and the components' order from a scene.
    mutating func take(scene: Node) {
        if let size = pair(scene["viewport"]), size.width > 0, size.height > 0 {
            viewport = Size(size.width, size.height)
        }
        order = (scene["components"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    /// Takes an update of the session; true: it has begun anew, and its scene may be another.
    mutating func apply(_ update: ReceivedUpdate) -> Bool {
        let parts = update.topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[1] == session else { return false }
        switch (parts[0], parts.count) {
        case ("state", 3):
            components[String(parts[2])] = Component(update.content)
        case ("badge", 2):
            total = update.content["total"]?.int ?? 0
            counts = (update.content["counts"]?.members ?? []).compactMap { member in
                member.value.int.map { "\(member.name) \($0)" }
            }
        case ("session", 2):
            let event = update.content["event"]?.string ?? ""
            if ["closed", "parked", "expired"].contains(event) {
                components = [:]
                notice = event
            } else {
                notice = ""
                return true
            }
        default: break
        }
        return false
    }
}

extension ShownSession.Component {
    fileprivate init(_ state: Node) {
        phase = state["phase"]?.string ?? ""
        let views = (state["views"]?.members ?? []).map { member in
            func number(_ name: String, _ usual: Double) -> Double {
                member.value[name]?.double ?? usual
            }
            return ShownSession.View(
                name: member.name, x: number("x", 0), y: number("y", 0), width: number("w", 0),
                height: number("h", 0), rotation: number("rotation", 0),
                scale: number("scale", 1), alpha: number("alpha", 1), z: number("z", 0))
        }
        // Those of one z stay in the order in which they are told.
        self.views = views.enumerated()
            .sorted { ($0.element.z, $0.offset) < ($1.element.z, $1.offset) }.map(\.element)
    }
}
