import Geometry
import Notation

extension Brush {
    /// A photo that hangs on the finger, and the marks of first touch and finger.
    func drawToss(_ view: Picture.View, _ style: BrushStyle) {
        switch view.name {
        case "item": drawTossed(view, style)
        case "touch":
            let color = style.background ?? Color(0xff3b30)
            canvas.stroke(
                .circle(view.width / 2, view.height / 2, view.width), color.opacity(0.5),
                width: 2)
            canvas.fill(.circle(view.width / 2, view.height / 2, view.width / 2), color)
        case "anchor":
            let color = style.background ?? Color(0x007aff)
            let (x, y) = (view.width / 2, view.height / 2)
            canvas.fill(.circle(x, y, 22), Color.white.opacity(0.25))
            canvas.stroke(.circle(x, y, 22), Color.white.opacity(0.75), width: 1.5)
            canvas.fill(.circle(x, y, view.width / 2), color)
        default: drawPlain(view, style)
        }
    }

    private func drawTossed(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color.of(component.id)
        let ink = style.color ?? background.ink
        let isHeld = state.phase == "dragging"
        drawShadow(
            view, radius: style.cornerRadius, depth: isHeld ? 26 : 12, alpha: isHeld ? 0.3 : 0.22)
        fill(view, style, background)
        let (w, h) = (view.width, view.height)
        if let image = style.image {
            drawScenery(Rect(0, 0, w, h), radius: style.cornerRadius, of: image, number: 0)
        }
        if style.image == nil { drawPeaks(style, w, h, ink) }
        if let text = style.text {
            drawCentered(text, size: style.fontSize ?? 22, weight: 700, ink, in: view)
        }
    }

    private func drawPeaks(_ style: BrushStyle, _ w: Double, _ h: Double, _ ink: Color) {
        canvas.saved {
            canvas.clip(.box(0, 0, w, h, radius: style.cornerRadius))
            canvas.fill(.circle(w * 0.8, h * 0.27, h * 0.13), ink.opacity(0.32))
            for (peak, height, alpha) in [(0.28, 0.36, 0.14), (0.68, 0.48, 0.2)] {
                canvas.fill(
                    .polygon([
                        (w * (peak - 0.46), h), (w * peak, h * height), (w * (peak + 0.46), h),
                    ]), ink.opacity(alpha))
            }
        }
    }
}
