import Geometry
import Notation

extension Brush {
    /// A box with its text: darker while it is pressed, and faint where it is off or disabled.
    func drawButton(_ view: Picture.View, _ style: BrushStyle) {
        let isToggle = component.parameters["toggle"]?.bool ?? false
        let isOff = isToggle && state.model["on"]?.bool == false
        let alpha = state.phase == "disabled" ? 0.35 : isOff ? 0.6 : 1
        let color = style.background ?? Color(0x00_7aff)
        let isPressed = state.model["highlighted"]?.bool == true
        let background = isPressed ? color.darker(0.18) : color
        var box = style
        if component.content["corner_radius"] == nil { box.cornerRadius = 10 }
        fill(view, box, background.opacity(alpha))
        let ink = (style.color ?? background.ink).opacity(alpha)
        drawCentered(style.text ?? component.id, size: style.fontSize ?? 15, ink, in: view)
    }
}
