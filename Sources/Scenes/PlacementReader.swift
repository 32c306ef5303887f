import Geometry
import Interactions
import Notation
import Sessions

/// Reads where a component stands: `in`, and a scene's `insets`.
enum PlacementReader {
    /// The holder of the component, and the size of what holds it.
    static func holder(
        _ table: inout TableReader, _ viewport: Size, _ earlier: [Scene.Component]
    ) throws(TableError) -> (Placement.Holder?, Size) {
        guard let text = try table.string("in") else { return (nil, viewport) }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw table.error("in", "must be \"component/slot\"")
        }
        let (id, slot) = (TableReader.shortened(String(parts[0])), String(parts[1]))
        guard let index = earlier.firstIndex(where: { $0.id == id }) else {
            throw table.error("in", "\"\(id)\" is no earlier component")
        }
        let holder = earlier[index]
        let size = holder.parameters.slotSize(slot, viewport: holder.placement.frame.size)
        guard let size else {
            throw table.error(
                "in",
                "\(holder.parameters.kind) \(id) has no slot \"\(TableReader.shortened(slot))\"")
        }
        guard depth(of: index, earlier) < Limits.nestingMax else {
            throw table.error("in", "components are nested at most \(Limits.nestingMax) deep")
        }
        return (Placement.Holder(component: index, slot: Slot(slot)), size)
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
