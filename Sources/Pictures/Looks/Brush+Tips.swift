import Geometry
import Notation

extension Brush {
    /// Dots under a tip, 16 points each; more would leave a narrow card.
    static let dotsMax = 12

    /// Cards with a picture, a title and a summary; dots count them.
    func drawTips(_ view: Picture.View, _ style: BrushStyle) {
        guard view.name == "tip" else {
            return canvas.fill(
                .box(0, 0, view.width, view.height), style.background ?? .black)
        }
        let index = state.model["index"]?.int ?? 0
        let card = component.parameters["tips"]?.array.flatMap {
            $0.indices.contains(index) ? $0[index]["content"] : nil
        }
        let style = BrushStyle(state.model["content"] ?? card).over(style)
        let background = style.background ?? .white
        let ink = style.color ?? background.ink
        drawShadow(view, radius: style.cornerRadius, depth: 22)
        fill(view, style, background)
        let (inset, size) = (16.0, style.fontSize ?? 17)
        let height = (view.height * 0.52).rounded()
        let scenery = Rect(inset, inset, view.width - 2 * inset, height - inset)
        drawScenery(
            scenery, radius: max(style.cornerRadius - 4, 4),
            of: style.image ?? state.model["image"]?.string, number: index)
        let width = view.width - 56
        let title = Text(
            state.model["title"]?.string ?? "", size: size + 7, weight: 700, width: width,
            alignment: .center)
        canvas.draw(title, at: Vector(28, height + 22), ink)
        let summary = Text(
            state.model["summary"]?.string ?? "", size: size - 1, width: width, lines: 4,
            alignment: .center, spacing: 1.25)
        canvas.draw(
            summary, at: Vector(28, height + 30 + canvas.size(of: title).height),
            ink.opacity(0.66))
        let count = min(max(state.model["count"]?.int ?? 0, 0), Self.dotsMax)
        let left = view.width / 2 - Double(count - 1) * 8
        for dot in 0..<count {
            canvas.fill(
                .circle(left + 16 * Double(dot), view.height - 26, dot == index ? 4 : 3),
                ink.opacity(dot == index ? 0.8 : 0.22))
        }
    }

    /// A photo; or a landscape in the place of an image that only clients have.
    func drawScenery(_ place: Rect, radius: Double, of image: String?, number: Int) {
        if let photo = image.flatMap({ canvas.photos?.named($0) }) {
            return canvas.saved {
                canvas.translate(place.origin.x, place.origin.y)
                canvas.clip(.box(0, 0, place.size.width, place.size.height, radius: radius))
                canvas.draw(photo, covering: place.size)
            }
        }
        let skies = [
            (Color(0x5e5ce6), Color(0xff9f7a)), (Color(0x0a84ff), Color(0x9be7ff)),
            (Color(0x11998e), Color(0xd4fc79)), (Color(0xff5f6d), Color(0xffd66b)),
            (Color(0x3a1c71), Color(0xff8f70)),
        ]
        let seed = number + (image?.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xff } ?? 0)
        let (top, bottom) = skies[around: seed]
        let (w, h) = (place.size.width, place.size.height)
        canvas.saved {
            canvas.translate(place.origin.x, place.origin.y)
            canvas.clip(.box(0, 0, w, h, radius: radius))
            canvas.fill(.box(0, 0, w, h), .fall(top, bottom, height: h))
            let sun = Vector(w * (0.3 + 0.4 * Self.varied(seed)), h * 0.42)
            canvas.fill(.circle(sun.x, sun.y, h * 0.3), Color.white.opacity(0.14))
            canvas.fill(.circle(sun.x, sun.y, h * 0.19), Color.white.opacity(0.85))
            drawHill(w, h, from: 0.62, over: 0.40, to: 0.78, top.opacity(0.45))
            drawHill(w, h, from: 0.86, over: 0.52, to: 0.66, top.darker(0.25).opacity(0.55))
            drawHill(w, h, from: 0.80, over: 0.92, to: 0.88, top.darker(0.5).opacity(0.75))
        }
    }

    /// A wave from the left edge to the right one; heights are parts of the whole.
    private func drawHill(
        _ w: Double, _ h: Double, from: Double, over: Double, to: Double, _ color: Color
    ) {
        canvas.fill(
            Shape([
                .move(Vector(0, h)), .line(Vector(0, h * from)),
                .curve(
                    Vector(w * 0.3, h * (over - 0.1)), Vector(w * 0.55, h * (to + 0.2)),
                    Vector(w, h * to)),
                .line(Vector(w, h)), .close,
            ]), color)
    }
}
