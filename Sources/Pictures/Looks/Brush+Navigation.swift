import Geometry
import Notation

extension Brush {
    /// Screens with a large title, a way back, and a body that their name calls for.
    func drawNavigation(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color(0xf2f2f7)
        let ink = style.color ?? background.ink
        // A screen casts its shadow on the one below.
        if view.z > 0 { drawShadow(view, radius: 0, depth: 12) }
        canvas.fill(.box(0, 0, view.width, view.height), background)
        // A screen that is not on the stack comes onto it, or leaves it: others lie below.
        let stack = (state.model["stack"]?.array ?? []).compactMap(\.string)
        let place = stack.firstIndex(of: view.name) ?? stack.count
        let titles = state.model["screens"]?.array?.first { $0["name"]?.string == view.name }
        if let titles { return drawTitled(view, style, titles, ink, leadsBack: place > 0) }
        if place > 0 {
            Icon.chevron.draw(on: canvas, at: Vector(19, 27), size: 20, ink)
            if let back = state.model["back_title"]?.string {
                canvas.draw(Text(back, size: 16), at: Vector(28, 17), ink)
            }
        }
        let title = Text(
            style.text ?? view.name, size: (style.fontSize ?? 24) + 4, weight: 700,
            width: view.width - 40)
        canvas.draw(title, at: Vector(20, place > 0 ? 46 : 30), ink)
        let top = place > 0 ? 98.0 : 84.0
        canvas.saved {
            canvas.clip(.box(0, 0, view.width, view.height))
            drawBody(of: view, top: top, ink)
        }
    }

    /// A screen that the scene describes: a bar with its titles, and what the scene puts into it.
    private func drawTitled(
        _ view: Picture.View, _ style: BrushStyle, _ titles: Node, _ ink: Color, leadsBack: Bool
    ) {
        let height = 44.0
        if let image = style.image {
            drawScenery(Rect(0, 0, view.width, view.height), radius: 0, of: image, number: 0)
        }
        let back = titles["back_title"]?.string
        // A screen that the scene gives no titles has no bar.
        if titles["title"]?.string == nil, back == nil { return }
        canvas.fill(.box(0, height - 1, view.width, 1), ink.opacity(0.14))
        if leadsBack {
            Icon.chevron.draw(on: canvas, at: Vector(18, height / 2), size: 19, ink)
        }
        if let back {
            let text = Text(back, size: 16, width: view.width * 0.26)
            let top = (height - canvas.size(of: text).height) / 2
            canvas.draw(text, at: Vector(28, top), ink)
        }
        guard let title = titles["title"]?.string else { return }
        let width = view.width * 0.45
        let text = Text(title, size: 17, weight: 600, width: width, alignment: .center)
        let top = (height - canvas.size(of: text).height) / 2
        canvas.draw(text, at: Vector((view.width - width) / 2, top), ink)
    }

    private func drawBody(of view: Picture.View, top: Double, _ ink: Color) {
        switch Icon(for: view.name) {
        case .speech: drawChat(view, top: top, ink)
        case .pencil: drawLetter(view, top: top, ink)
        case .bell: drawNotices(view, top: top, ink)
        default: drawCards(view, top: top, ink)
        }
    }

    private func drawCards(_ view: Picture.View, top: Double, _ ink: Color) {
        let width = (view.width - 52) / 2
        for card in 0..<8 {
            let (x, y) = (20 + (width + 12) * Double(card % 2), top + 124 * Double(card / 2))
            let color = Color.palette[around: card * 2 + 1]
            canvas.fill(.box(x, y, width, 112, radius: 14), ink.opacity(0.11))
            canvas.fill(.circle(x + 28, y + 30, 15), color)
            let icons: [Icon] = [.star, .bell, .photo, .heart, .mail, .pin, .note, .news]
            icons[card].draw(on: canvas, at: Vector(x + 28, y + 30), size: 17, .white)
            drawBar(x + 14, y + 62, width * 0.6, 9, ink.opacity(0.75))
            drawBar(x + 14, y + 82, width * (0.5 + 0.25 * Self.varied(card)), 7, ink.opacity(0.3))
        }
    }

    private func drawChat(_ view: Picture.View, top: Double, _ ink: Color) {
        var y = top
        for message in 0..<6 {
            let isOwn = message % 3 == 1
            let lines = 1 + message % 3
            let (width, height) = (view.width * 0.62, 22 + 16 * Double(lines))
            let x = isOwn ? view.width - width - 16 : 52
            let color = isOwn ? Color(0x007aff) : ink.opacity(0.08)
            if !isOwn {
                canvas.fill(.circle(30, y + height - 15, 15), Color.palette[message % 5])
                Icon.person.draw(on: canvas, at: Vector(30, y + height - 15), size: 16, .white)
            }
            canvas.fill(.box(x, y, width, height, radius: 17), color)
            drawParagraph(
                x: x + 15, y: y + 15, width: width - 30, lines: lines, seed: message * 5, height: 7,
                leading: 16, isOwn ? Color.white.opacity(0.85) : ink.opacity(0.35))
            y += height + 14
        }
    }

    private func drawLetter(_ view: Picture.View, top: Double, _ ink: Color) {
        for (row, icon) in [Icon.person, .pencil].enumerated() {
            let y = top + 50 * Double(row)
            icon.draw(on: canvas, at: Vector(32, y + 22), size: 20, ink.opacity(0.4))
            drawBar(54, y + 17, row == 0 ? 96 : 150, 9, ink.opacity(row == 0 ? 0.7 : 0.3))
            canvas.fill(.box(20, y + 48, view.width - 40, 1), ink.opacity(0.12))
        }
        drawParagraph(
            x: 20, y: top + 124, width: view.width - 40, lines: 5, seed: 3, leading: 24,
            ink.opacity(0.3))
        canvas.fill(
            .box(24 + (view.width - 40) * 0.45, top + 124 + 4 * 24 - 6, 2, 20),
            Color(0x007aff))
    }

    private func drawNotices(_ view: Picture.View, top: Double, _ ink: Color) {
        let icons: [(Icon, Color)] = [
            (.heart, Color(0xff2d55)), (.speech, Color(0x34c759)), (.person, Color(0x007aff)),
        ]
        for row in 0..<6 {
            let y = top + 78 * Double(row)
            canvas.fill(.box(16, y, view.width - 32, 66, radius: 14), Color.white.opacity(0.92))
            let (icon, color) = icons[row % icons.count]
            canvas.fill(.circle(50, y + 33, 18), color)
            icon.draw(on: canvas, at: Vector(50, y + 33), size: 18, .white)
            let dark = Color(0x1c1c1e)
            drawBar(82, y + 20, 120 + 50 * Self.varied(row), 9, dark.opacity(0.75))
            drawBar(82, y + 39, 90 + 80 * Self.varied(row + 9), 7, dark.opacity(0.25))
        }
    }
}
