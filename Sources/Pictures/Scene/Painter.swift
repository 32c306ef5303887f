import Geometry
import Notation

/// Draws a picture: nested views from back to front, each by the look of its component's kind.
package struct Painter {
    /// Views drawn in one picture; the largest scene of a daemon has fewer.
    private static let viewsMax = 8_192
    /// Components that stand in one another; a daemon's scenes have fewer.
    private static let depthMax = 64
    /// The alphas of the oldest and of the newest ghost.
    private static let ghostAlphas = (0.08, 0.32)

    package let picture: Picture
    package let canvas: Canvas
    /// The same session before, the oldest first: its views are drawn faintly where they moved.
    private let ghosts: [Picture]
    /// The components that are drawn; empty: all.
    private let chosen: Set<String>
    private let count = Count()

    /// How much has been drawn, and the components whose views are being drawn: a component that a
    /// peer places in itself is drawn once.
    private final class Count {
        var views = 0
        var open: Set<String> = []
    }

    package init(
        _ picture: Picture, on canvas: Canvas, ghosts: [Picture] = [],
        only chosen: Set<String> = []
    ) {
        self.picture = picture
        self.canvas = canvas
        self.ghosts = ghosts
        self.chosen = chosen
    }

    private func isDrawn(_ brush: Brush) -> Bool {
        chosen.isEmpty || chosen.contains(brush.component.id)
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
            paintTouches()
        }
    }

    private func paint(slot: String?, of parent: String?) {
        guard count.open.count < Self.depthMax else { return }
        for component in picture.components(in: slot, of: parent) {
            if let state = picture.states[component.id] { paint(component, state) }
        }
    }

    private func paint(_ component: Picture.Component, _ state: Picture.State) {
        guard count.open.insert(component.id).inserted else { return }
        defer { count.open.remove(component.id) }
        let brush = Brush(
            canvas: canvas, component: component, state: state, rows: picture.rows[component.id])
        canvas.saved {
            canvas.translate(component.frame.origin.x, component.frame.origin.y)
            if component.isClipped {
                let size = component.frame.size
                canvas.clip(.box(0, 0, size.width, size.height))
            }
            if isDrawn(brush) { brush.drawBehindViews() }
            for view in state.views where view.alpha > 0 { paint(view, brush) }
        }
    }

    private func paint(_ view: Picture.View, _ brush: Brush) {
        guard count.views < Self.viewsMax else { return }
        count.views += 1
        if isDrawn(brush) { paintGhosts(of: view, brush) }
        place(view) {
            canvas.grouped(alpha: view.alpha) {
                if isDrawn(brush) { canvas.saved { brush.draw(view) } }
                paint(slot: view.name, of: brush.component.id)
            }
        }
    }

    private func place(_ view: Picture.View, _ body: () -> Void) {
        canvas.saved {
            canvas.translate(view.x, view.y)
            canvas.rotate(view.rotation, scale: view.scale)
            canvas.translate(-view.width / 2, -view.height / 2)
            body()
        }
    }

    /// Draws where a view was before, under the view.
    private func paintGhosts(of view: Picture.View, _ brush: Brush) {
        for (index, ghost) in ghosts.enumerated() {
            guard let state = ghost.states[brush.component.id],
                let former = state.views.first(where: { $0.name == view.name }),
                former.hasMoved(to: view)
            else { continue }
            let (least, most) = Self.ghostAlphas
            let part = Double(index + 1) / Double(ghosts.count)
            // Words over words cannot be read.
            canvas.withoutText {
                place(former) {
                    canvas.grouped(alpha: former.alpha * (least + (most - least) * part)) {
                        canvas.saved { brush.draw(former) }
                    }
                }
            }
        }
    }
}

extension Picture.View {
    /// Whether the eye sees the difference.
    fileprivate func hasMoved(to other: Picture.View) -> Bool {
        (x - other.x).magnitude + (y - other.y).magnitude > 1
            || (rotation - other.rotation).magnitude > 0.01
            || (scale - other.scale).magnitude > 0.01
    }
}
