import Geometry
import Notation

extension Brush {
    /// A box with its picture and its text: darker while it is pressed, and faint where it is off
    /// or disabled.
    func drawButton(_ view: Picture.View, _ style: BrushStyle) {
        let isToggle = component.parameters["toggle"]?.bool ?? false
        let isOff = isToggle && state.model["on"]?.bool == false
        let alpha = state.phase == "disabled" ? 0.35 : isOff ? 0.6 : 1
        let color = style.background ?? Color(0x00_7aff)
        let isPressed = state.model["highlighted"]?.bool == true
        let background =
            !isPressed ? color : color.alpha == 0 ? .black.opacity(0.1) : color.darker(0.18)
        var box = style
        if component.content["corner_radius"] == nil { box.cornerRadius = 10 }
        fill(view, box, background.opacity(alpha))
        let ink = (style.color ?? background.ink).opacity(alpha)
        let icon = style.image.map { Icon(for: $0) }
        let words = style.text ?? (icon == nil ? component.id : "")
        guard let icon, icon != .dot else {
            return drawCentered(words, size: style.fontSize ?? 15, ink, in: view)
        }
        let text = Text(
            words, size: style.fontSize ?? 15, weight: 600, width: max(view.width - 16, 1),
            alignment: .center)
        let height = words.isEmpty ? 0 : canvas.size(of: text).height
        // A button that is high enough has its picture above its text.
        let (size, isTall) = (min(view.height * 0.34, 32), view.height >= Self.tall)
        let middle = view.height / 2
        guard isTall || words.isEmpty else {
            icon.draw(on: canvas, at: Vector(20, middle), size: 20, ink)
            return canvas.draw(text, at: Vector(8, middle - height / 2), ink)
        }
        let top = middle - (size + (words.isEmpty ? 0 : 6 + height)) / 2
        icon.draw(on: canvas, at: Vector(view.width / 2, top + size / 2), size: size, ink)
        if !words.isEmpty { canvas.draw(text, at: Vector(8, top + size + 6), ink) }
    }

    /// Points: a button as high as this has its picture above its text.
    private static let tall = 64.0
}
