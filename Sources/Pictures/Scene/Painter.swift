import Geometry
import Notation

/// Draws a picture: nested views from back to front, each by the look of its component's kind.
package struct Painter {
    package let picture: Picture
    package let canvas: Canvas

    package init(_ picture: Picture, on canvas: Canvas) {
        self.picture = picture
        self.canvas = canvas
    }

    /// Draws the viewport with its top left corner at the canvas's origin.
    package func paint() {
        let viewport = picture.viewport
        canvas.saved {
            canvas.clip(.box(0, 0, viewport.width, viewport.height))
            let background =
                picture.content["background"]?.string.flatMap { Color(css: $0) } ?? Color(0xf2f2f7)
            canvas.fill(.box(0, 0, viewport.width, viewport.height), background)
            paint(slot: nil, of: nil)
        }
    }

    private func paint(slot: String?, of parent: String?) {
        for component in picture.components(in: slot, of: parent) {
            if let state = picture.states[component.id] { paint(component, state) }
        }
    }

    private func paint(_ component: Picture.Component, _ state: Picture.State) {
        let brush = Brush(canvas: canvas, component: component, state: state)
        canvas.saved {
            canvas.translate(component.frame.origin.x, component.frame.origin.y)
            if component.isClipped {
                let size = component.frame.size
                canvas.clip(.box(0, 0, size.width, size.height))
            }
            brush.drawBehindViews()
            for view in state.views where view.alpha > 0 { paint(view, brush) }
        }
    }

    private func paint(_ view: Picture.View, _ brush: Brush) {
        canvas.saved {
            canvas.translate(view.x, view.y)
            canvas.rotate(view.rotation, scale: view.scale)
            canvas.translate(-view.width / 2, -view.height / 2)
            canvas.grouped(alpha: view.alpha) {
                canvas.saved { brush.draw(view) }
                paint(slot: view.name, of: brush.component.id)
            }
        }
    }
}
