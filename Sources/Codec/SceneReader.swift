import Geometry
import Gestures
package import Interactions
package import Notation
import Protocol
package import Sessions

/// Why a scene cannot be used: one line for a person.
package struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The scene's file; nil if it came in a message.
    package var file: String?
    /// Both in the file, from 1.
    package var line: Int?
    package var column: Int?
    /// As `component tips, key threshold: must be …`.
    package var message: String

    init(file: String, message: String) {
        self.file = file
        self.message = message
    }

    init(_ error: TableError, file: String? = nil) {
        self.file = file
        line = error.line
        message = error.description
    }

    init(_ error: DocumentError, file: String? = nil) {
        self.file = file
        line = error.line
        column = error.column
        message = error.message
    }

    /// `file:line: message`, as far as the place is known.
    package var description: String {
        var place = file.map { "\($0):" } ?? ""
        if let line { place += "\(line):" }
        if let column { place += "\(column):" }
        return place.isEmpty ? message : "\(place) \(message)"
    }

    package var rejection: Rejection { Rejection(.badScene, message) }
}

/// Makes valid scenes of the objects that describe them.
package enum SceneReader {
    /// A scene file in TOML. `fallbackName` is the scene's name if the file gives none.
    package static func scene(
        toml bytes: [UInt8], file: String, fallbackName: String?
    ) throws(SceneError) -> Scene {
        let node: Node
        do {
            node = try Document.toml(bytes)
        } catch {
            throw SceneError(error, file: file)
        }
        do {
            var scene = try read(node, fallbackName: fallbackName)
            scene.text = text(node, name: scene.name)
            scene.reviser = reviser
            return scene
        } catch {
            throw SceneError(error, file: file)
        }
    }

    /// A scene object. `isBounded` is false where it was accepted before, by a version that may
    /// have had other bounds of what a session has in all.
    package static func scene(
        from node: Node, fallbackName: String?, isBounded: Bool = true
    ) throws(SceneError) -> Scene {
        do {
            var scene = try read(node, fallbackName: fallbackName, isBounded: isBounded)
            let document = String(decoding: node.json(), as: UTF8.self)
            scene.document = document
            // One text is kept where both are the same.
            let isNamed = scene.name == nil || node["name"] != nil
            scene.text = isNamed ? document : text(node, name: scene.name)
            scene.reviser = reviser
            return scene
        } catch {
            throw SceneError(error)
        }
    }

    /// A scene as one JSON object, with its name if it has one.
    private static func text(_ node: Node, name: String?) -> String {
        var members = node.members ?? []
        if let name, node["name"] == nil {
            members.insert(Node.Member("name", Node(.string(name))), at: 0)
        }
        return String(decoding: Node(.object(members)).json(), as: UTF8.self)
    }

    static func read(
        _ node: Node, fallbackName: String?, isBounded: Bool = true
    ) throws(TableError) -> Scene {
        var table = try TableReader(node, path: "")
        // Editors of JSON find the schema by it.
        _ = try table.string("$schema")
        let name = try table.name("name")
        try table.require("viewport")
        let viewport = try table.size("viewport") ?? Size(0, 0)
        let frameRate = try table.whole("frame_rate", in: 1...Int.max)
        if let frameRate, ![30, 60, 120].contains(frameRate) {
            throw table.error("frame_rate", "must be 30, 60 or 120")
        }
        let seed = try table.whole("seed", in: 0...Int.max)
        let velocity = try table.choice("velocity", default: VelocityTracker.Kind.uikit)
        let insets = try PlacementReader.insets(&table)
        let content = try table.content("content")
        try table.require("components")
        let nodes =
            try table.tables("components", countMin: 1, countMax: Limits.componentsMax) ?? []
        let reactions =
            try table.tables("reactions", countMin: 0, countMax: Limits.reactionsMax) ?? []
        try table.finish()
        var components: [Scene.Component] = []
        for (index, node) in nodes.enumerated() {
            let component = try self.component(
                node, number: index + 1, viewport: viewport, after: components)
            if components.contains(where: { $0.id == component.id }) {
                throw TableError(
                    path: "component \(component.id)", key: "id",
                    line: node["id"]?.line ?? node.line, message: "is taken by another component")
            }
            components.append(component)
        }
        let bulk = components.reduce(Bulk()) { $0 + $1.parameters.bulk }
        if isBounded, let excess = bulk.excess(of: .sessionMax) {
            throw TableError(
                path: "", key: "components",
                message: "the worlds of a scene have at most \(excess)")
        }
        var scene = Scene(
            name: name ?? fallbackName, viewport: viewport, frameRate: frameRate,
            seed: seed.map { UInt64($0) }, velocity: velocity,
            components: Self.inOrderOfPainting(components))
        scene.insets = insets
        scene.reactions = try ReactionReader.reactions(reactions, scene.components)
        try checkSets(
            scene.reactions, of: components, from: nodes, viewport: viewport, reactions)
        scene.content = content
        guard scene.contentBytes <= Limits.contentBytesMax else {
            throw TableError(
                path: "", key: "content",
                message: "all content of a scene has at most \(Limits.contentBytesMax) bytes")
        }
        return scene
    }

    static func component(
        _ node: Node, number: Int, viewport: Size, after earlier: [Scene.Component]
    ) throws(TableError) -> Scene.Component {
        var table = try TableReader(node, path: "component \(number)")
        try table.require("id")
        let id = try table.name("id") ?? ""
        table.path = "component \(id)"
        if id == Self.reservedID {
            throw table.error("id", "\(Self.reservedID) is reserved for the session's counts")
        }
        try table.require("kind")
        let name = try table.string("kind") ?? ""
        guard let kind = Kinds.named(name) else {
            let kinds = Kinds.all.map { $0.kind }.joined(separator: ", ")
            throw table.error(
                "kind", "unknown kind \"\(TableReader.shortened(name))\", known ones are \(kinds)")
        }
        let (holder, space) = try PlacementReader.holder(&table, viewport, earlier)
        let whole = Rect(0, 0, space.width, space.height)
        let takesFrame = ComponentParameters.takesFrame(kind)
        let frame = takesFrame ? try table.rect("frame", default: whole) : whole
        let parameters = try ComponentParameters(kind, &table, viewport: frame.size)
        let clips = try table.bool("clip", default: parameters.clips)
        let content = try table.content("content")
        try table.finish()
        return Scene.Component(
            id: id, parameters: parameters,
            placement: Placement(holder: holder, frame: frame, clips: clips), content: content)
    }

    /// Each component directly before what it holds; otherwise in the order of the scene.
    private static func inOrderOfPainting(_ components: [Scene.Component]) -> [Scene.Component] {
        var order: [Int] = []
        func add(_ index: Int) {
            order.append(index)
            for (other, component) in components.enumerated()
            where component.placement.holder?.component == index { add(other) }
        }
        for (index, component) in components.enumerated()
        where component.placement.holder == nil { add(index) }
        var places = Array(repeating: 0, count: components.count)
        for (place, index) in order.enumerated() { places[index] = place }
        return order.map { index in
            var component = components[index]
            if let holder = component.placement.holder {
                component.placement.holder?.component = places[holder.component]
            }
            return component
        }
    }

    /// The name that commands for the session's counts use.
    private static let reservedID = "badges"
}
