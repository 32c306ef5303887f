import Geometry
import Notation

extension Brush {
    /// An item of a world: an app's icon, or a ball.
    func drawItem(_ view: Picture.View, _ style: BrushStyle) {
        let item = item(view.name)
        let isRound = item?["shape"]?.string == "circle"
        let radius = isRound ? view.width / 2 : style.cornerRadius
        let isHeld = state.model["dragged"]?.string == view.name
        drawShadow(
            view, radius: radius, depth: isHeld ? 14 : 5, alpha: isHeld ? 0.32 : 0.24)
        let background = style.background ?? Color.of(view.name)
        if isRound {
            let (x, y) = (view.width / 2, view.height / 2)
            canvas.fill(.circle(x, y, radius), background)
            if style.background == nil {
                canvas.fill(
                    .circle(x * 0.72, y * 0.68, radius * 0.42), Color.white.opacity(0.35))
            }
        } else {
            fill(view, style, background)
        }
        guard let text = style.text else { return }
        let ink = style.color ?? background.ink
        let icon = Icon(for: view.name)
        guard icon != .dot, !isRound, view.height >= 48 else {
            return drawCentered(
                text, size: style.fontSize ?? min(view.height * 0.5, 15), weight: 700, ink,
                in: view, inset: 2)
        }
        icon.draw(
            on: canvas, at: Vector(view.width / 2, view.height * 0.40), size: view.height * 0.46,
            ink)
        let label = Text(
            text, size: style.fontSize ?? view.height * 0.19, weight: 600, width: view.width,
            alignment: .center)
        canvas.draw(label, at: Vector(0, view.height * 0.70), ink)
    }

    /// The surfaces and rods of the scene, under all items.
    func drawWorld() {
        let ink = Color(0x1c1c1e)
        for behavior in component.parameters["behaviors"]?.array ?? [] {
            for boundary in behavior["boundaries"]?.array ?? [] {
                drawBoundary(boundary, ink.opacity(0.3))
            }
            drawRod(behavior, ink.opacity(0.45))
        }
    }

    private func drawBoundary(_ boundary: Node, _ color: Color) {
        var points = (boundary["path"]?.array ?? []).map(\.numbers)
        if points.isEmpty { points = ["from", "to"].map { boundary[$0]?.numbers ?? [] } }
        guard points.count > 1, points.allSatisfy({ $0.count == 2 }) else { return }
        canvas.stroke(.lines(points.map { ($0[0], $0[1]) }), color, width: 2)
    }

    /// From an item to its hook or to another item.
    private func drawRod(_ behavior: Node, _ color: Color) {
        guard behavior["kind"]?.string == "attachment",
            let start = behavior["item"]?.string.flatMap({ self.end(behavior["offset"], of: $0) })
        else { return }
        let hook = behavior["anchor"]?.numbers ?? []
        let far =
            hook.count == 2
            ? Vector(hook[0], hook[1])
            : behavior["to"]?.string.flatMap { self.end(behavior["to_offset"], of: $0) }
        guard let far else { return }
        canvas.stroke(.lines([(start.x, start.y), (far.x, far.y)]), color, width: 1.5)
        if hook.count == 2 { canvas.fill(.circle(far.x, far.y, 3.5), color.opacity(2)) }
    }

    private func end(_ offset: Node?, of item: String) -> Vector? {
        guard let view = state.views.first(where: { $0.name == item }) else { return nil }
        let (sine, cosine) = Angle.sineCosine(view.rotation)
        let sides = offset?.numbers ?? []
        let own = sides.count == 2 ? Vector(sides[0], sides[1]) : .zero
        return Vector(view.x, view.y)
            + (own * view.scale).rotated(sine: sine, cosine: cosine)
    }
}
