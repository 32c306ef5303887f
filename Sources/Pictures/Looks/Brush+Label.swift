import Geometry
import Notation

extension Brush {
    /// A text, on a background or a picture if there is one.
    func drawLabel(_ view: Picture.View, _ style: BrushStyle) {
        if let background = style.background { fill(view, style, background) }
        let image = state.model[view.name == "former" ? "former_image" : "image"]?.string
        if let image {
            let place = Rect(0, 0, view.width, view.height)
            drawScenery(place, radius: style.cornerRadius, of: image, number: 0)
        }
        let key = view.name == "former" ? "former_text" : "text"
        guard let text = state.model[key]?.string, !text.isEmpty else { return }
        let ink = style.color ?? (image == nil ? style.background?.ink ?? .black : .white)
        guard image != nil else {
            return drawCentered(text, size: style.fontSize ?? 15, weight: 400, ink, in: view)
        }
        // Words on a picture can be read, whatever it shows.
        let words = Text(
            text, size: style.fontSize ?? 15, weight: 600, width: max(view.width - 28, 1),
            lines: 3, alignment: .center)
        let height = min(canvas.size(of: words).height + 40, view.height)
        canvas.saved {
            canvas.clip(.box(0, 0, view.width, view.height, radius: style.cornerRadius))
            canvas.translate(0, view.height - height)
            let shade = Color.black.opacity(0.7)
            canvas.fill(
                .box(0, 0, view.width, height),
                .fall(Color.black.opacity(0), shade, height: height))
        }
        let top = view.height - canvas.size(of: words).height - 12
        canvas.draw(words, at: Vector(14, top), ink)
    }
}
