import Notation

/// How a view looks, as the scene's content says it.
struct BrushStyle: Hashable, Sendable {
    var background: Color?
    var color: Color?
    var cornerRadius: Double
    var fontSize: Double?
    var text: String?
    var image: String?
    var isHidden: Bool

    init(_ content: Node?) {
        func color(_ key: String) -> Color? {
            content?[key]?.string.flatMap { Color(css: $0) }
        }
        background = color("background")
        self.color = color("color")
        cornerRadius = content?["corner_radius"]?.double ?? 0
        fontSize = content?["font_size"]?.double
        text = content?["text"]?.string
        image = content?["image"]?.string
        isHidden = content?["hidden"]?.bool ?? false
    }

    /// This style where it says something, another one where it does not.
    func over(_ other: BrushStyle) -> BrushStyle {
        var style = self
        style.background = background ?? other.background
        style.color = color ?? other.color
        style.cornerRadius = cornerRadius > 0 ? cornerRadius : other.cornerRadius
        style.fontSize = fontSize ?? other.fontSize
        style.text = text ?? other.text
        style.image = image ?? other.image
        return style
    }
}
