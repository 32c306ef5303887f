import Geometry
import Notation

extension Brush {
    /// A text, on a background if there is one.
    func drawLabel(_ view: Picture.View, _ style: BrushStyle) {
        if let background = style.background { fill(view, style, background) }
        let key = view.name == "former" ? "former_text" : "text"
        guard let text = state.model[key]?.string, !text.isEmpty else { return }
        let ink = style.color ?? style.background?.ink ?? .black
        drawCentered(text, size: style.fontSize ?? 15, weight: 400, ink, in: view)
    }
}
