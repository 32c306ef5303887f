import Geometry

/// How hands are drawn over a picture: each as a disc in the color of its person, with the name.
extension Painter {
    /// Points from the place that is touched to the disc's edge.
    private static let handRadius = 22.0
    /// Points from the disc to the name beside it.
    private static let nameGap = 5.0

    /// Draws the contacts that the session tells.
    func paintTouches() {
        for touch in picture.touches { paint(hand: touch) }
    }

    /// Draws one hand at a place of the viewport.
    func paint(hand: Picture.Touch) {
        let (x, y, color, radius) = (hand.x, hand.y, hand.color, Self.handRadius)
        canvas.fill(.circle(x, y, radius), color.opacity(0.4))
        canvas.stroke(.circle(x, y, radius - 1), color, width: 2)
        // On a ground of the same color the disc still has an edge.
        canvas.stroke(.circle(x, y, radius - 2.5), Color.white.opacity(0.7), width: 1)
        guard let user = hand.user else { return }
        let text = Text(user, size: 13, weight: 600)
        let size = canvas.size(of: text)
        let right = x + radius + Self.nameGap
        let left = x - radius - Self.nameGap - size.width
        let isWithin = right + size.width <= picture.viewport.width || left < 0
        canvas.draw(
            text, at: Vector(isWithin ? right : left, y - size.height / 2), color.darker(0.25),
            halo: .white)
    }
}
