import Geometry
import Notation

/// Draws the views of one component, each in its own points: from (0, 0) to its size.
///
/// Each kind has a file with its look. A kind without one is drawn plainly, by its content alone.
package struct Brush {
    package let canvas: Canvas
    package let picture: Picture
    package let component: Picture.Component
    package let state: Picture.State

    package func draw(_ view: Picture.View) {
        switch component.kind {
        default: drawPlain(view, style(of: view.name))
        }
    }

    /// Draws what lies under all views of the component.
    package func drawBehindViews() {
    }

    /// The style of a view: the component's own keys for its main view, else an entry's.
    package func style(of view: String) -> Style {
        let own = Style(component.content)
        let entry = component.content[view].map { Style($0) }
        return entry ?? own
    }

    /// A box with its text in the middle.
    func drawPlain(_ view: Picture.View, _ style: Style) {
        if style.isHidden { return }
        let box = Shape.box(0, 0, view.width, view.height, radius: style.cornerRadius)
        let background = style.background ?? Color.of(component.id)
        canvas.fill(box, background)
        if let text = style.text {
            drawCentered(
                text, size: style.fontSize ?? 15, style.color ?? background.ink, in: view)
        }
    }

    func drawCentered(
        _ words: String, size: Double, weight: Int = 600, _ color: Color, in view: Picture.View,
        inset: Double = 8
    ) {
        let text = Text(
            words, size: size, weight: weight, width: view.width - 2 * inset, lines: 2,
            alignment: .center)
        let height = canvas.size(of: text).height
        canvas.draw(text, at: Vector(inset, (view.height - height) / 2), color)
    }
}
