import Geometry
import Notation

/// Draws the views of one component, each in its own points: from (0, 0) to its size.
///
/// `Looks` has a file for each kind. A view's background is exactly the content's color; all else
/// is laid upon it. A kind without a look is drawn plainly, by its content alone.
struct Brush {
    let canvas: Canvas
    let component: Picture.Component
    let state: Picture.State
    /// The rows of a list that tells them.
    var rows: Picture.Rows?

    func draw(_ view: Picture.View) {
        let style = style(of: view)
        if style.isHidden { return }
        switch component.kind {
        case "tips": drawTips(view, style)
        case "toss": drawToss(view, style)
        case "navigation": drawNavigation(view, style)
        case "profile": drawProfile(view, style)
        case "list": drawList(view, style)
        case "reader": drawReader(view, style)
        case "tabs": drawTabs(view, style)
        case "dynamics": drawItem(view, style)
        case "button": drawButton(view, style)
        case "label": drawLabel(view, style)
        case "panel": drawPanel(view, style)
        default: drawPlain(view, style)
        }
    }

    /// Draws what lies under all views of the component.
    func drawBehindViews() {
        switch component.kind {
        case "dynamics": drawWorld()
        case "list": drawFrameOfList()
        default: break
        }
    }

    // MARK: Styles

    /// The main view of each kind looks as the component's own content says; all others have an
    /// entry of their name.
    private static let main: [String: Set<String>] = [
        "tips": ["tip"], "toss": ["item"], "profile": ["content"], "list": ["row"],
        "reader": ["page", "incoming"], "tabs": ["bar"],
        "button": ["button"], "label": ["label", "former"], "panel": ["panel"],
    ]

    func style(of view: Picture.View) -> BrushStyle {
        let own = BrushStyle(component.content)
        let parts = view.name.split(separator: "-", maxSplits: 1)
        let name = parts.first.map(String.init) ?? ""
        switch component.kind {
        case "navigation":
            return BrushStyle(component.content["screens"]?[view.name]).over(own)
        case "dynamics": return BrushStyle(item(view.name)?["content"])
        case "tabs" where name == "item" && parts.count > 1:
            return BrushStyle(item(String(parts[1]))?["content"])
        case "list" where name == "row" && rows != nil:
            return BrushStyle(row(of: view)?["content"]).over(own)
        case "profile" where view.name == "label": return BrushStyle(component.content["name"])
        case let kind where Self.main[kind]?.contains(name) == true: return own
        case let kind:
            let entry = component.content[Self.main[kind] == nil ? view.name : name]
            return entry.map { BrushStyle($0) } ?? (Self.main[kind] == nil ? own : BrushStyle(nil))
        }
    }

    /// An entry of the parameters' `items`.
    func item(_ id: String) -> Node? {
        component.parameters["items"]?.array?.first { $0["id"]?.string == id }
    }

    // MARK: Parts that looks share

    /// A box with its text in the middle.
    func drawPlain(_ view: Picture.View, _ style: BrushStyle) {
        let background = style.background ?? Color.of(component.id)
        fill(view, style, background)
        if let text = style.text {
            drawCentered(
                text, size: style.fontSize ?? 15, style.color ?? background.ink, in: view)
        }
    }

    func fill(_ view: Picture.View, _ style: BrushStyle, _ background: Color) {
        canvas.fill(
            .box(0, 0, view.width, view.height, radius: style.cornerRadius), background)
    }

    func drawCentered(
        _ words: String, size: Double, weight: Int = 600, _ color: Color, in view: Picture.View,
        inset: Double = 8
    ) {
        let text = Text(
            words, size: size, weight: weight, width: max(view.width - 2 * inset, 1), lines: 2,
            alignment: .center)
        let height = canvas.size(of: text).height
        canvas.draw(text, at: Vector(inset, (view.height - height) / 2), color)
    }

    /// A soft shadow below a box.
    func drawShadow(
        _ view: Picture.View, radius: Double, depth: Double, alpha: Double = 0.22
    ) {
        // Vector drawings have fewer steps, since each one is a path of its own.
        let count = canvas.isVector ? 5 : 14
        for step in 0..<count {
            let spread = depth * (1 - 1.3 * Double(step) / Double(count))
            canvas.fill(
                .box(
                    -spread, depth * 0.4 - spread, view.width + 2 * spread,
                    view.height + 2 * spread, radius: radius + spread),
                Color.black.opacity(alpha / Double(count)))
        }
    }

    /// Draws a gray bar where the scene gives no words.
    func drawBar(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double = 8, _ color: Color
    ) {
        canvas.fill(.box(x, y, width, height, radius: height / 2), color)
    }

    /// Bars as the lines of a paragraph; their lengths vary with the seed.
    func drawParagraph(
        x: Double, y: Double, width: Double, lines: Int, seed: Int, height: Double = 8,
        leading: Double = 18, _ color: Color
    ) {
        for line in 0..<max(lines, 0) {
            let isLast = line == lines - 1
            let part = isLast ? 0.45 : 0.86 + 0.14 * Self.varied(seed + 7 * line)
            drawBar(x, y + leading * Double(line), width * part, height, color)
        }
    }

    /// A number from 0 to 1 that belongs to a seed.
    static func varied(_ seed: Int) -> Double {
        Double((seed &* 7_919 &+ 104_729) & 0xff) / 255
    }
}
