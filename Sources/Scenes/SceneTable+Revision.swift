import Geometry
import Gestures
package import Interactions
package import Notation
package import Sessions

/// Writes a change into the table of a scene, to be read again.
extension SceneTable {
    /// The scene's table with something written into it.
    package static func revised(
        _ node: Node, of scene: Scene, by revision: SceneRevision
    ) throws(Rejection) -> Node {
        switch revision {
        case .resize(let viewport, let insets):
            resized(node, of: scene, to: viewport, insets)
        case .velocity(let kind):
            node.setting("velocity", Node(.string(kind.rawValue)))
        case .set(let values):
            try setting(values, of: scene, in: node)
        }
    }

    private static func resized(
        _ node: Node, of scene: Scene, to viewport: Size, _ insets: Scene.Insets?
    ) -> Node {
        var node = node
        if viewport != scene.viewport {
            node = node.setting("viewport", Node([viewport.width, viewport.height]))
        }
        if let insets, insets != scene.insets {
            node = node.setting(
                "insets", Node([insets.top, insets.left, insets.bottom, insets.right]))
        }
        return node
    }

    private static func setting(
        _ values: ComponentValues, of scene: Scene, in node: Node
    ) throws(Rejection) -> Node {
        let id = values.component
        guard let component = scene.components.first(where: { $0.id == id }) else {
            throw .unknown(component: id, among: scene.components.map(\.id))
        }
        var components = node["components"]?.array ?? []
        guard let place = components.firstIndex(where: { $0["id"]?.string == id }) else {
            throw Rejection(.internal, "the scene's text has no component \"\(id)\"")
        }
        switch values.part {
        case nil:
            try values.refuse(["id", "kind"], in: "component \(id)")
            components[place] = components[place].setting(values.values)
        case .item(let item):
            try values.refuse(["id", "shape", "content"], in: "item \(item)")
            try component.requireWorld()
            components[place] = components[place].setting(
                values.values, inEntry: item, of: "items")
        case .behavior(let behavior):
            try values.refuse(["id", "kind"], in: "behavior \(behavior)")
            let world = try component.requireWorld()
            // A behavior that commands have added is in no scene.
            if let members = world.members(ofBehavior: behavior, setting: values.values) {
                components[place] = components[place].replacing(
                    behavior, of: "behaviors", with: Node(.object(members)))
            }
        }
        return node.setting("components", Node(.array(components)))
    }
}

extension Scene.Component {
    @discardableResult
    fileprivate func requireWorld() throws(Rejection) -> WorldParameters {
        if let world = parameters.value as? WorldParameters { return world }
        throw Rejection(
            .badValue, "component \(id) is no dynamics: it has neither items nor behaviors")
    }
}

extension ComponentValues {
    fileprivate func refuse(_ keys: [String], in place: String) throws(Rejection) {
        guard let key = keys.first(where: { key in values.contains { $0.name == key } }) else {
            return
        }
        throw Rejection(.badValue, "\(place), key \(key): cannot be set")
    }
}

extension Node {
    fileprivate init(_ numbers: [Double]) {
        self.init(.array(numbers.map { Node(.number($0)) }))
    }

    /// The same with other values in one entry of a list; the same if there is no such entry.
    fileprivate func setting(_ values: [Member], inEntry id: String, of list: String) -> Node {
        let entry = self[list]?.array?.first { $0["id"]?.string == id }
        return entry.map { replacing(id, of: list, with: $0.setting(values)) } ?? self
    }

    fileprivate func replacing(_ id: String, of list: String, with entry: Node) -> Node {
        let entries = self[list]?.array ?? []
        return setting(
            list, Node(.array(entries.map { $0["id"]?.string == id ? entry : $0 })))
    }
}
