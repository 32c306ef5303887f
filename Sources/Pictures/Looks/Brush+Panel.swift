import Geometry
import Notation

extension Brush {
    /// A box with its shadow, the handle on it, and the backdrop behind it. The content is drawn by
    /// what lies in it.
    func drawPanel(_ view: Picture.View, _ style: BrushStyle) {
        switch view.name {
        case "content": break
        case "backdrop": fill(view, style, style.background ?? .black)
        case "handle":
            var capsule = style
            capsule.cornerRadius = min(view.width, view.height) / 2
            fill(view, capsule, style.background ?? Color(0xc7_c7cc))
        default:
            var box = style
            if component.content["corner_radius"] == nil { box.cornerRadius = 12 }
            // The shadow of a panel that is out of sight would lie along the edge of the screen.
            if isInFrame(view) { drawShadow(view, radius: box.cornerRadius, depth: 8) }
            let background = style.background ?? .white
            fill(view, box, background)
            guard let text = style.text else { break }
            drawCentered(
                text, size: style.fontSize ?? 15, style.color ?? background.ink, in: view)
        }
    }

    /// Whether some of a view lies in the component's frame.
    private func isInFrame(_ view: Picture.View) -> Bool {
        let size = component.frame.size
        return view.x + view.width / 2 > 0 && view.x - view.width / 2 < size.width
            && view.y + view.height / 2 > 0 && view.y - view.height / 2 < size.height
    }
}
