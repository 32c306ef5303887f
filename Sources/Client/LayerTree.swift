import Geometry
import Notation

/// A scene and its states as a tree, by the protocol's "Draw a session" and "Touch a session".
///
/// A peer chooses both, so what is read of them is bounded.
struct LayerTree {
    /// Components of a scene, as in the protocol.
    static let componentsMax = 32
    /// Views that are read in all: 32 components with all the rows of a list.
    static let viewsMax = componentsMax * 320
    /// Components that hold one another, as in the protocol.
    static let nestingMax = 8

    private struct Component {
        var id: String
        var kind: String
        var phase: String
        var holder: String?
        var slot: String?
        var frame: [Double]
        var clips: Bool
        /// By rising z; of equal z in their order.
        var views: [View]
        var round: Set<String>
    }

    private struct View {
        var name: String
        var x, y, width, height, rotation, scale, alpha, z: Double
    }

    private let components: [Component]

    /// The components that are painted, or asked, already: each stands in one place only, whatever
    /// a hostile scene says.
    private typealias Done = Set<Int>

    init(_ scene: Node?, _ states: [String: Node]) {
        var left = Self.viewsMax
        var components: [Component] = []
        for node in (scene?["components"]?.array ?? []).prefix(Self.componentsMax) {
            guard let id = node["id"]?.string, let state = states[id] else { continue }
            let frame = (node["frame"]?.array ?? []).map { $0.double ?? 0 }
            let views = Self.views(state, atMost: left)
            left -= views.count
            let kind = node["kind"]?.string ?? ""
            let items = kind == "dynamics" ? node["parameters"]?["items"]?.array ?? [] : []
            components.append(
                Component(
                    id: id, kind: kind, phase: state["phase"]?.string ?? "",
                    holder: node["parent"]?.string, slot: node["slot"]?.string,
                    frame: frame.count == 4 ? frame : [0, 0, 0, 0],
                    clips: node["clip"]?.bool ?? false, views: views,
                    round: Set(
                        items.filter { $0["shape"]?.string == "circle" }.compactMap {
                            $0["id"]?.string
                        })))
        }
        self.components = components
    }

    private static func views(_ state: Node, atMost count: Int) -> [View] {
        let views = (state["views"]?.members ?? []).prefix(count).map { member in
            func number(_ key: String, _ otherwise: Double = 0) -> Double {
                member.value[key]?.double ?? otherwise
            }
            return View(
                name: member.name, x: number("x"), y: number("y"), width: number("w"),
                height: number("h"), rotation: number("rotation"), scale: number("scale", 1),
                alpha: number("alpha", 1), z: number("z"))
        }
        // Swift sorts stably, though it does not promise to.
        return views.enumerated().sorted {
            $0.element.z == $1.element.z
                ? $0.offset < $1.offset : $0.element.z < $1.element.z
        }.map(\.element)
    }

    /// The components in a slot, or in the viewport, from back to front.
    private func held(by holder: String?, in slot: String?) -> [Int] {
        components.indices.filter {
            components[$0].holder == holder && (holder == nil || components[$0].slot == slot)
        }
    }

    // MARK: Painting

    func layers() -> [SessionPicture.Layer] {
        var layers: [SessionPicture.Layer] = []
        var done: Done = []
        paint(nil, nil, Matrix(), alpha: 1, depth: 0, &done, into: &layers)
        return layers
    }

    private func paint(
        _ holder: String?, _ slot: String?, _ outer: Matrix, alpha: Double, depth: Int,
        _ done: inout Done, into layers: inout [SessionPicture.Layer]
    ) {
        guard depth <= Self.nestingMax else { return }
        for index in held(by: holder, in: slot) where done.insert(index).inserted {
            let component = components[index]
            let place = outer.moved(by: component.frame[0], component.frame[1])
            for view in component.views {
                let turn = Angle.sineCosine(view.rotation)
                let matrix = place.moved(by: view.x, view.y)
                    .turned(cosine: turn.cosine * view.scale, sine: turn.sine * view.scale)
                    .moved(by: -view.width / 2, -view.height / 2)
                layers.append(
                    SessionPicture.Layer(
                        component: component.id, view: view.name, matrix: matrix,
                        width: view.width, height: view.height, alpha: alpha * view.alpha,
                        isRound: component.round.contains(view.name)))
                paint(
                    component.id, view.name, matrix, alpha: alpha * view.alpha,
                    depth: depth + 1, &done, into: &layers)
            }
        }
    }

    // MARK: Touching

    func hit(_ x: Double, _ y: Double) -> SessionPicture.Hit? {
        var done: Done = []
        return hit(nil, nil, x, y, depth: 0, &done)
    }

    /// The frontmost of what a slot, or the viewport, holds.
    private func hit(
        _ holder: String?, _ slot: String?, _ x: Double, _ y: Double, depth: Int,
        _ done: inout Done
    ) -> SessionPicture.Hit? {
        guard depth <= Self.nestingMax else { return nil }
        for index in held(by: holder, in: slot).reversed() where done.insert(index).inserted {
            let component = components[index]
            let (px, py) = (x - component.frame[0], y - component.frame[1])
            if let hit = hit(component, px, py, depth: depth, &done) { return hit }
        }
        return nil
    }

    /// The point is in the component's own coordinates.
    private func hit(
        _ component: Component, _ x: Double, _ y: Double, depth: Int, _ done: inout Done
    ) -> SessionPicture.Hit? {
        let isWithin = Self.isIn(x, y, component.frame[2], component.frame[3])
        if component.clips && !isWithin { return nil }
        let isClosed = component.kind == "navigation" && component.phase == "transitioning"
        for view in component.views.reversed() where view.scale.magnitude > 1e-9 {
            let turn = Angle.sineCosine(view.rotation)
            let (dx, dy) = (x - view.x, y - view.y)
            let u = (dx * turn.cosine + dy * turn.sine) / view.scale + view.width / 2
            let v = (dy * turn.cosine - dx * turn.sine) / view.scale + view.height / 2
            if !isClosed,
                let hit = hit(component.id, view.name, u, v, depth: depth + 1, &done)
            {
                return hit
            }
            if takes(component, view), contains(component, view, u, v) {
                return SessionPicture.Hit(component: component.id, view: view.name)
            }
        }
        switch component.kind {
        case "tips" where !component.views.isEmpty:
            return SessionPicture.Hit(component: component.id, view: "backdrop")
        case "list", "profile", "reader":
            return isWithin ? SessionPicture.Hit(component: component.id) : nil
        default: return isClosed ? SessionPicture.Hit(component: component.id) : nil
        }
    }

    private func contains(_ component: Component, _ view: View, _ u: Double, _ v: Double) -> Bool {
        guard component.round.contains(view.name) else {
            return Self.isIn(u, v, view.width, view.height)
        }
        let (dx, dy) = (u - view.width / 2, v - view.height / 2)
        return (dx * dx + dy * dy).squareRoot() <= view.width / 2
    }

    /// Left and top edges belong to a box, right and bottom ones do not.
    private static func isIn(_ x: Double, _ y: Double, _ w: Double, _ h: Double) -> Bool {
        x >= 0 && y >= 0 && x < w && y < h
    }

    /// A backdrop that is less opaque takes no touches, as UIView does.
    private static let touchableAlphaMin = 0.01

    /// Whether a view of a component can be touched itself.
    private func takes(_ component: Component, _ view: View) -> Bool {
        let name = view.name
        return switch component.kind {
        case "toss": name == "item"
        case "tips": name == "tip"
        case "label": false
        case "panel": name == "backdrop" ? view.alpha >= Self.touchableAlphaMin : name != "content"
        case "tabs" where name.hasPrefix("page-"): !held(by: component.id, in: name).isEmpty
        case "tabs": name == "bar" || name.hasPrefix("item-")
        default: true
        }
    }
}
