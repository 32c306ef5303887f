import Geometry
import Notation

extension Brush {
    /// The list's color, where the list ends and no row is.
    func drawFrameOfList() {
        let style = BrushStyle(component.content)
        guard let background = style.background, !style.isHidden else { return }
        let size = component.frame.size
        canvas.fill(.box(0, 0, size.width, size.height), background)
    }

    /// Rows with a portrait and a few words; behind them the actions.
    func drawList(_ view: Picture.View, _ style: BrushStyle) {
        let isMenu = view.name == "menu" || view.name.hasPrefix("menu-")
        if isMenu { return drawMenu(view, style) }
        guard view.name.hasPrefix("row-"), let row = Int(view.name.dropFirst(4)),
            (0...Picture.numberMax).contains(row)
        else { return drawPlain(view, style) }
        let background = style.background ?? .white
        let ink = style.color ?? background.ink
        let isOpen = state.model["row"]?.int == row
        if isOpen { drawShadow(view, radius: 0, depth: 8, alpha: 0.3) }
        canvas.fill(.box(0, 0, view.width, view.height), background)
        if state.model["selected"]?.int == row {
            canvas.fill(.box(0, 0, view.width, view.height), ink.opacity(0.09))
        }
        if rows != nil { return drawTold(view, style, number: row, ink) }
        let (middle, size) = (view.height / 2, style.fontSize ?? 17)
        let radius = min(view.height * 0.31, 26)
        let left = 16 + 2 * radius + 14
        canvas.fill(.circle(16 + radius, middle, radius), Color.palette[around: row])
        let letter = Text(
            String(UnicodeScalar(UInt8(65 + row * 7 % 26))), size: radius * 0.95, weight: 600,
            width: 2 * radius, alignment: .center)
        canvas.draw(
            letter, at: Vector(16, middle - canvas.size(of: letter).height / 2), .white)
        let title = Text(
            style.text ?? "Row \(row)", size: size, weight: 600, width: view.width - left - 60)
        let height = canvas.size(of: title).height
        canvas.draw(title, at: Vector(left, middle - height - 1), ink)
        drawBar(
            left, middle + 9, (view.width - left - 44) * (0.55 + 0.45 * Self.varied(row * 5)), 7,
            ink.opacity(0.24))
        drawBar(view.width - 50, middle - height / 2 - 4, 34, 6, ink.opacity(0.18))
        canvas.fill(.box(left, view.height - 1, view.width - left, 1), ink.opacity(0.13))
    }

    /// A row that says what it shows: its image, its text, and a smaller line.
    private func drawTold(
        _ view: Picture.View, _ style: BrushStyle, number: Int, _ ink: Color
    ) {
        var left = 16.0
        if let image = style.image {
            let side = min(view.height * 0.7, 56)
            drawScenery(
                Rect(left, (view.height - side) / 2, side, side), radius: side / 8, of: image,
                number: number)
            left += side + 14
        }
        if let text = style.text {
            let title = Text(
                text, size: style.fontSize ?? 17, weight: 600,
                width: max(view.width - left - 16, 1))
            let height = canvas.size(of: title).height
            let detail = row(of: view)?["content"]?["detail"]?.string.map { detail in
                Text(
                    detail, size: (style.fontSize ?? 17) * 0.78,
                    width: max(view.width - left - 16, 1))
            }
            let below = detail.map { canvas.size(of: $0).height + 3 } ?? 0
            let top = (view.height - height - below) / 2
            canvas.draw(title, at: Vector(left, top), ink)
            if let detail {
                canvas.draw(detail, at: Vector(left, top + height + 3), ink.opacity(0.7))
            }
        }
        canvas.fill(.box(left, view.height - 1, view.width - left, 1), ink.opacity(0.13))
    }

    /// The row of a view, as `row-3` and `menu-3`; nil: it was not told.
    func row(of view: Picture.View) -> Node? {
        view.name.split(separator: "-").last.flatMap { Int($0) }.flatMap { rows?[$0] }
    }

    /// The actions behind a row: its own, or the list's.
    private func actions(of view: Picture.View) -> [Node] {
        let open = view.name == "menu" ? state.model["row"]?.int.flatMap { rows?[$0] } : nil
        return (open ?? row(of: view))?["menu"]?.array
            ?? component.parameters["menu"]?.array ?? []
    }

    private func drawMenu(_ view: Picture.View, _ style: BrushStyle) {
        canvas.fill(
            .box(0, 0, view.width, view.height), style.background ?? Color(0xd8d8dc))
        let actions = actions(of: view)
        let width = view.width / Double(max(actions.count, 1))
        for (index, action) in actions.enumerated() {
            let own = BrushStyle(action["content"])
            let name = action["id"]?.string ?? ""
            let background = own.background ?? Color.palette[around: index]
            let ink = own.color ?? background.ink
            canvas.saved {
                canvas.translate(width * Double(index), 0)
                canvas.fill(.box(0, 0, width, view.height), background)
                Icon(for: name).draw(
                    on: canvas, at: Vector(width / 2, view.height / 2 - 10), size: 20, ink)
                let text = Text(
                    own.text ?? name, size: own.fontSize ?? 13, weight: 600, width: width - 8,
                    alignment: .center)
                canvas.draw(text, at: Vector(4, view.height / 2 + 7), ink)
            }
        }
    }
}
