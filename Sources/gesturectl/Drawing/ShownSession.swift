import Geometry
import GesturedClient
import Notation

/// The latest updates of a session, for drawing.
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
        /// From back to front.
        var views: [View] = []
    }

    let session: String
    private(set) var viewport = Size(320, 568)
    /// The components in the order of the scene; others follow by name.
    private(set) var order: [String] = []
    private(set) var components: [String: Component] = [:]
    /// Lines of kind and count.
    private(set) var counts: [String] = []
    private(set) var total = 0
    /// A notice, such as "not open" or "closed".
    var notice = ""
    /// Whether the daemon is silent, so that all of this may be old.
    var isSilent = false

    init(session: String) { self.session = session }

    var names: [String] {
        let known = order.filter { components[$0] != nil }
        return known + components.keys.filter { !known.contains($0) }.sorted()
    }

    /// Sets the viewport and the order of components from a scene.
    mutating func setScene(_ scene: Node) {
        if let size = pair(scene["viewport"]), size.width > 0, size.height > 0 {
            viewport = Size(size.width, size.height)
        }
        order = (scene["components"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    /// Applies an update; returns true where the session restarted, perhaps with another scene.
    mutating func apply(_ update: ReceivedUpdate) -> Bool {
        let parts = update.topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[1] == session else { return false }
        switch (parts[0], parts.count) {
        case ("scene", 2):
            setScene(update.content)
            components = components.filter { order.contains($0.key) }
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
        // Views of the same z keep their order.
        self.views = views.enumerated()
            .sorted { ($0.element.z, $0.offset) < ($1.element.z, $1.offset) }.map(\.element)
    }
}
