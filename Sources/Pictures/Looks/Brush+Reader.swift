import Geometry
import Notation

extension Brush {
    /// Articles, and the bars that name their neighbours.
    func drawReader(_ view: Picture.View, _ style: BrushStyle) {
        switch view.name {
        case "page", "incoming": drawArticle(view, style)
        case "header", "footer": drawNeighbour(view, style)
        case "header_arrow", "footer_arrow":
            let ink = BrushStyle(component.content).color ?? Color(0x333333)
            let size = min(view.width, view.height)
            let isHeader = view.name == "header_arrow"
            canvas.saved {
                canvas.translate(view.width / 2, view.height / 2)
                if !isHeader { canvas.rotate(.pi) }
                Icon.arrow.draw(on: canvas, at: .zero, size: size, ink.opacity(0.7))
            }
        default: drawPlain(view, style)
        }
    }

    /// The number and title of the article in a view.
    private func article(in view: Picture.View) -> (number: Int, title: String) {
        let model = state.model
        let number = model[view.name]?.int ?? 0
        let index = model["index"]?.int ?? 0
        let key = number < index ? "previous_title" : number > index ? "next_title" : "title"
        let titles = component.parameters["pages"]?.array ?? []
        let own = titles.indices.contains(number) ? titles[number].string : nil
        return (number, own ?? model[key]?.string ?? "\(number + 1)")
    }

    private func drawArticle(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color(0xfbfaf6)
        let ink = style.color ?? background.ink
        let (number, title) = article(in: view)
        if view.name == "incoming" { drawShadow(view, radius: 0, depth: 10) }
        canvas.fill(.box(0, 0, view.width, view.height), background)
        let width = view.width - 40
        drawBar(20, 26, 64, 7, Color.palette[around: number])
        let words = Text(
            title, size: (style.fontSize ?? 15) + 12, weight: 700, width: width, lines: 2)
        canvas.draw(words, at: Vector(20, 42), ink)
        var y = 42 + canvas.size(of: words).height + 8
        drawBar(20, y, 120, 7, ink.opacity(0.3))
        y += 24
        let height = min(150, view.height * 0.27)
        drawScenery(Rect(20, y, width, height), radius: 8, of: nil, number: number)
        y += height + 22
        let articles = component.content["articles"]?.array ?? []
        if articles.indices.contains(number), let words = articles[number].string {
            let text = Text(
                words, size: style.fontSize ?? 15, width: width, lines: 14, spacing: 1.5)
            return canvas.draw(text, at: Vector(20, y), ink.opacity(0.9))
        }
        for paragraph in 0..<6 where y < view.height - 30 {
            let lines = 4 + (number + paragraph) % 3
            drawParagraph(
                x: 20, y: y, width: width, lines: lines, seed: number * 31 + paragraph * 13,
                ink.opacity(0.28))
            y += 18 * Double(lines) + 16
        }
    }

    private func drawNeighbour(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color(0xe7e4da)
        let ink = BrushStyle(component.content).color ?? background.ink
        canvas.fill(.box(0, 0, view.width, view.height), background)
        let isHeader = view.name == "header"
        let edge = isHeader ? view.height - 1 : 0
        canvas.fill(.box(0, edge, view.width, 1), ink.opacity(0.12))
        let title = state.model[isHeader ? "previous_title" : "next_title"]?.string
        let isLoaded = state.model[view.name]?.string == "loaded"
        let hint = isLoaded ? "Let go to open" : isHeader ? "Pull for previous" : "Pull for next"
        let left = 48.0
        canvas.draw(
            Text(hint, size: 12, weight: 500), at: Vector(left, view.height / 2 - 18),
            ink.opacity(0.55))
        canvas.draw(
            Text(title ?? "", size: 16, weight: 600, width: max(view.width - left - 16, 1)),
            at: Vector(left, view.height / 2 - 2), ink)
    }
}
