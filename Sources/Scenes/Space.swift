import Geometry
import Interactions
import Sessions

/// The room in which a component stands: the viewport, or a slot.
struct Space {
    var size: Size
    /// How far what covers the viewport's edges reaches in, in points.
    var insets = Scene.Insets()

    /// The part that nothing covers.
    var safe: Rect {
        Rect(
            insets.left, insets.top, size.width - insets.left - insets.right,
            size.height - insets.top - insets.bottom)
    }

    /// A room in this one: the insets reach as far into it as its own edges leave.
    func inner(_ box: Rect) -> Space {
        let (origin, inner) = (box.origin, box.size)
        var insets = Scene.Insets()
        insets.top = max(0, self.insets.top - origin.y)
        insets.left = max(0, self.insets.left - origin.x)
        insets.bottom = max(0, self.insets.bottom - (size.height - origin.y - inner.height))
        insets.right = max(0, self.insets.right - (size.width - origin.x - inner.width))
        return Space(size: inner, insets: insets)
    }

    /// A slot of a component that stands in this room; nil: the component has none of this name.
    ///
    /// A slot that moves, as a row does, lies under nothing that covers the viewport: whatever is
    /// in it goes with it.
    func slot(_ name: String, of component: Scene.Component) -> Space? {
        let (parameters, frame) = (component.parameters, component.placement.frame)
        guard let size = parameters.slotSize(name, viewport: frame.size) else { return nil }
        guard parameters.slotRests(name) else { return Space(size: size) }
        return inner(frame).inner(Rect(0, 0, size.width, size.height))
    }
}
