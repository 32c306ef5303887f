import Geometry
import Gestures
import Interactions
package import Notation
package import Sessions

/// Makes scenes of tables, however these were read: TOML, JSON, or a program's own values.
///
/// The room `Scenes` reads what describes a session. `SceneTable` reads a scene, with
/// `PlacementReader` for where its components stand and `ReactionReader` for what they answer; it
/// also writes a change into a scene's table (`SceneTable+Revision`). It knows no text: Codec
/// reads texts into tables, and an app that embeds the core has none.
package enum SceneTable {
    /// A scene object. `fallbackName` is the scene's name if the table gives none.
    ///
    /// `isBounded` is false where it was accepted before, by a version that may have had other
    /// bounds of what a session has in all. `isStrict` is false where a session has it already:
    /// since it was accepted, changes may have taken away what its reactions and texts name.
    package static func read(
        _ node: Node, fallbackName: String?, isBounded: Bool = true, isStrict: Bool = true
    ) throws(TableError) -> Scene {
        if isBounded, let excess = depths(in: node).first { throw excess }
        var table = try TableReader(node, path: "")
        // Editors of JSON find the schema by it.
        _ = try table.string("$schema")
        let name = try table.name("name")
        try table.require("viewport")
        let viewport = try table.size("viewport") ?? Size(0, 0)
        let frameRate = try table.frameRate("frame_rate")
        let seed = try table.whole("seed", in: 0...Int.max)
        let velocity = try table.choice("velocity", default: VelocityTracker.Kind.uikit)
        let insets = try PlacementReader.insets(&table)
        let content = try table.content("content")
        let language = try VariableReader.language(&table)
        let variables = try VariableReader.variables(
            &table, language: language ?? TextReader.firstLanguage(in: node))
        try table.require("components")
        let nodes =
            try table.tables("components", countMin: 1, countMax: Limits.componentsMax) ?? []
        let reactions =
            try table.tables("reactions", countMin: 0, countMax: Limits.reactionsMax) ?? []
        try table.finish()
        let space = Space(size: viewport, insets: insets)
        let components = try self.components(nodes, in: space)
        var bulk = components.reduce(Bulk()) { $0 + $1.parameters.bulk }
        // The bound of all content counts it, and names the largest.
        bulk.rowBytes = 0
        if isBounded, let excess = bulk.excess(of: .sessionMax) {
            let whose = bulk.rows > Limits.sessionRowsMax ? "lists" : "worlds"
            throw TableError(
                path: "", key: "components",
                message: "the \(whose) of a scene have at most \(excess)")
        }
        var scene = Scene(
            name: name ?? fallbackName, viewport: viewport, frameRate: frameRate,
            seed: seed.map { UInt64($0) }, velocity: velocity,
            components: Self.inOrderOfPainting(components))
        scene.insets = insets
        scene.variables = variables
        scene.reactions = try ReactionReader.reactions(
            reactions, scene.components, variables, isStrict: isStrict)
        try checkTrials(
            scene.reactions, reactions, of: components, from: nodes, in: space,
            isStrict: isStrict)
        scene.content = content
        scene.texts = try TextReader.texts(
            of: scene, nodes, language: language ?? TextReader.firstLanguage(in: node),
            isStrict: isStrict)
        if let excess = scene.contentExcess(of: nodes) { throw excess }
        return scene
    }

    /// The faults of reactions to a scene that is good without them, hardly more than `countMax`.
    /// `gone` are the ids of components that were left out because they are wrong, `unsure` those
    /// of components whose lists are.
    package static func faults(
        of reactions: [Node], in node: Node, gone: Set<String>, unsure: Set<String> = [],
        countMax: Int
    ) -> [TableError] {
        guard let (components, _, _) = parts(of: node),
            let variables = try? VariableReader.variables(of: node)
        else { return [] }
        var reader = ReactionReader(
            reactions, inOrderOfPainting(components), variables, isStrict: true,
            faultsMax: countMax, gone: gone, unsure: unsure)
        _ = reader.read(reactions)
        return reader.faults
    }

    /// The components of a scene in its order, their tables, and the viewport; nil: the scene is
    /// wrong.
    static func parts(of node: Node) -> ([Scene.Component], [Node], Space)? {
        guard var table = try? TableReader(node, path: ""),
            let viewport = try? table.size("viewport"),
            let insets = try? PlacementReader.insets(&table),
            let nodes = node["components"]?.array,
            let components = try? self.components(
                nodes, in: Space(size: viewport, insets: insets))
        else { return nil }
        return (components, nodes, Space(size: viewport, insets: insets))
    }

    private static func components(
        _ nodes: [Node], in viewport: Space
    ) throws(TableError) -> [Scene.Component] {
        var components: [Scene.Component] = []
        for (index, node) in nodes.enumerated() {
            let component = try self.component(
                node, number: index + 1, in: viewport, after: components,
                before: nodes[(index + 1)...])
            if components.contains(where: { $0.id == component.id }) {
                throw TableError(
                    path: "component \(component.id)", key: "id",
                    line: node["id"]?.line ?? node.line, message: "is taken by another component")
            }
            components.append(component)
        }
        return components
    }

    static func component(
        _ node: Node, number: Int, in viewport: Space, after earlier: [Scene.Component],
        before later: ArraySlice<Node> = []
    ) throws(TableError) -> Scene.Component {
        var table = try TableReader(node, path: "component \(number)")
        try table.require("id")
        let id = try table.name("id") ?? ""
        let path = "component \(id)"
        table.path = path
        if id == Self.reservedID {
            throw table.error("id", "\(Self.reservedID) is reserved for the session's counts")
        }
        try table.require("kind")
        let name = try table.string("kind") ?? ""
        guard let kind = Kinds.named(name) else {
            throw table.error("kind", unknown: "kind", name, among: Kinds.all.map { $0.kind })
        }
        let (holder, space) = try PlacementReader.holder(&table, viewport, earlier, later)
        let whole = Rect(0, 0, space.size.width, space.size.height)
        if node["frame"]?.members != nil {
            let resolved = try PlacementReader.resolvingFrame(of: node, path: path, in: space)
            table = try table.reading(resolved)
        }
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
