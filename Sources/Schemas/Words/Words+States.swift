/// The words for the members of states.
extension Words {
    static let state = [
        "phase": "The state of its machine.", "model": "Its content.",
        "views": "Its visible views by their names; one that is absent is hidden or gone.",
    ]

    static let view = [
        "x": "The center, in points.", "y": "The center, in points.",
        "w": "The width before the transform.", "h": "The height before the transform.",
        "rotation": "Radians, clockwise on screen, in (−π, π].", "scale": "A factor.",
        "alpha": "0 is transparent, 1 is opaque.", "z": "A higher one is in front.",
        "cut": "Grows when the view is placed anew instead of moved; absent while 0.",
    ]

    static let model = [
        "frame": "[x, y, w, h]: where the item rests.",
        "offset": "How far the content is scrolled, in points.",
    ]
}
