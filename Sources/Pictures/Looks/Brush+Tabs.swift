import Geometry
import Notation

extension Brush {
    /// A bar of items with an arrow, glows and a bubble; pages are what stands in them.
    func drawTabs(_ view: Picture.View, _ style: BrushStyle) {
        let name = view.name.prefix { $0 != "-" }
        switch name {
        case "page": return
        case "bar": drawBarOfTabs(view, style)
        case "item": drawTab(view, style)
        case "arrow":
            let color = BrushStyle(component.content["arrow"]).color ?? .black
            canvas.fill(
                .polygon([(0, view.height), (view.width / 2, 0), (view.width, view.height)]),
                color)
        case "glow": drawGlow(view, BrushStyle(component.content["glow"]).color ?? Color(0x5ac8fa))
        case "bubble": drawBubble(view, style)
        default: drawPlain(view, style)
        }
    }

    private func drawBarOfTabs(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? .black
        canvas.fill(.box(0, 0, view.width, view.height), background)
        let gradient = component.content["gradient"]
        if let color = BrushStyle(gradient).color {
            let height = min(gradient?["height"]?.double ?? view.height, view.height)
            canvas.fill(
                .box(0, 0, view.width, height), .fall(color, background, height: height))
        }
    }

    private func drawTab(_ view: Picture.View, _ style: BrushStyle) {
        let id = String(view.name.dropFirst("item-".count))
        let item = state.model["items"]?.array?.first { $0["id"]?.string == id }
        let isSelected = item?["selected"]?.bool ?? false
        let ink = (style.color ?? .white).opacity(isSelected ? 1 : 0.55)
        if item?["highlighted"]?.bool == true {
            canvas.fill(
                .box(3, 3, view.width - 6, view.height - 6, radius: 8),
                Color.white.opacity(0.16))
        }
        let middle = view.width / 2
        Icon(for: id).draw(
            on: canvas, at: Vector(middle, view.height * 0.37), size: view.height * 0.48, ink)
        let text = Text(
            style.text ?? id, size: style.fontSize ?? 10, weight: isSelected ? 600 : 500,
            width: view.width, alignment: .center)
        canvas.draw(text, at: Vector(0, view.height * 0.67), ink)
    }

    private func drawGlow(_ view: Picture.View, _ color: Color) {
        canvas.saved {
            canvas.translate(view.width / 2, view.height / 2)
            // A circle, pressed flat: the light reaches beyond the view.
            canvas.stretch(1, view.height / max(view.width, 1))
            let radius = view.width * 0.9
            canvas.fill(
                .circle(0, 0, radius),
                .radial(
                    .zero, radius: radius,
                    [
                        Paint.Stop(0, color.lighter(0.4)), Paint.Stop(0.35, color.opacity(0.75)),
                        Paint.Stop(1, color.opacity(0)),
                    ]))
        }
    }

    private func drawBubble(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color(0xd9534f)
        let ink = style.color ?? background.ink
        let counts = (state.model["bubble"]?["counts"]?.members ?? []).compactMap { member in
            member.value.int.map { (kind: member.name, count: $0) }
        }
        .filter { $0.count > 0 }
        drawShadow(view, radius: style.cornerRadius, depth: 8)
        let middle = view.width / 2
        canvas.fill(
            .polygon([
                (middle - 9, view.height - 6), (middle + 9, view.height - 6),
                (middle, view.height + 5),
            ]), background)
        fill(view, style, background)
        let shown = counts.prefix(4)
        guard !shown.isEmpty else { return }
        let (size, width) = (style.fontSize ?? 13, view.width / Double(shown.count))
        for (index, entry) in shown.enumerated() {
            let text = Text("\(entry.count)", size: size, weight: 700)
            let letters = canvas.size(of: text)
            let left = width * Double(index) + (width - letters.width - size - 6) / 2
            Icon(for: entry.kind).draw(
                on: canvas, at: Vector(left + size / 2, view.height / 2), size: size + 3, ink)
            canvas.draw(
                text, at: Vector(left + size + 6, (view.height - letters.height) / 2), ink)
        }
    }
}
