import Geometry
import Interactions
import Notation
import Sessions

/// Reads where a component stands: `in`, and a scene's `insets`.
enum PlacementReader {
    /// The holder of the component, and the room in which it stands. `later` are the tables that
    /// follow its own, for errors.
    static func holder(
        _ table: inout TableReader, _ viewport: Space, _ earlier: [Scene.Component],
        _ later: ArraySlice<Node> = []
    ) throws(TableError) -> (Placement.Holder?, Space) {
        guard let text = try table.string("in") else { return (nil, viewport) }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw table.error("in", "must be \"component/slot\"")
        }
        let (id, slot) = (TableReader.shortened(String(parts[0])), String(parts[1]))
        guard let index = earlier.firstIndex(where: { $0.id == id }) else {
            let isLater = later.contains { $0["id"]?.string == id }
            throw table.error(
                "in",
                "\"\(id)\" is no earlier component"
                    + (isLater
                        ? ": it comes later, and must stand before what it holds; move it up"
                        : ", " + knownNames(nearestTo: id, among: earlier.map(\.id))))
        }
        let holder = earlier[index]
        let outer = space(of: holder, viewport, earlier)
        guard let space = outer.slot(slot, of: holder) else {
            let known = holder.parameters.slotNames
            let others = known.map { ", " + knownNames(nearestTo: slot, among: $0) } ?? ""
            throw table.error(
                "in",
                "\(holder.parameters.kind) \(id) has no slot \"\(TableReader.shortened(slot))\""
                    + others)
        }
        guard depth(of: index, earlier) < Limits.nestingMax else {
            throw table.error("in", "components are nested at most \(Limits.nestingMax) deep")
        }
        return (Placement.Holder(component: index, slot: Slot(slot)), space)
    }

    /// The room in which a component stands that was read.
    private static func space(
        of component: Scene.Component, _ viewport: Space, _ components: [Scene.Component]
    ) -> Space {
        guard let place = component.placement.holder else { return viewport }
        let holder = components[place.component]
        let outer = space(of: holder, viewport, components)
        // It was found when the component was read.
        return outer.slot(place.slot.name, of: holder) ?? outer
    }

    /// A component's table whose frame, if it is a table, stands there as it comes out in a room.
    static func resolvingFrame(
        of node: Node, path: String, in space: Space
    ) throws(TableError) -> Node {
        guard let written = node["frame"], written.members != nil else { return node }
        let frame = try FrameReader.frame(written, path: path, in: space)
        let numbers = [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]
        return node.setting(
            "frame", Node(.array(numbers.map { Node(.number($0)) }), line: written.line))
    }

    /// How many components hold this one.
    private static func depth(of index: Int, _ components: [Scene.Component]) -> Int {
        guard let holder = components[index].placement.holder else { return 0 }
        return 1 + depth(of: holder.component, components)
    }

    /// `[top, left, bottom, right]`.
    static func insets(_ table: inout TableReader) throws(TableError) -> Scene.Insets {
        var insets = Scene.Insets()
        let numbers = try table.numbers(
            "insets", "[top, left, bottom, right]", count: 4, in: .distance)
        if let numbers {
            (insets.top, insets.left) = (numbers[0], numbers[1])
            (insets.bottom, insets.right) = (numbers[2], numbers[3])
        }
        return insets
    }
}
