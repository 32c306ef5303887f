import Notation

/// The table that may stand as a component's `frame`.
enum FrameShape {
    /// The table's name among the definitions: it stands in components of all kinds.
    static let name = "layout"
    /// `[x, y, w, h]`, or the table.
    static let shape = ValueShape.either([.rect, .named(name)])

    /// Two of three keys of an axis, or none: which go together is told by the errors of a scene.
    static let table = TableShape(
        places.map { .init($0, .either([.number(.coordinate), .text])) }
            + ["width", "height"].map { .init($0, .either([.number(.size), .text])) }
            + [
                .init("aspect", .number(NumberRange(0.001...1_000, rule: "from 0.001 to 1,000"))),
                .init("safe", .bool, value: Node(.bool(false))),
            ],
        [
            .apart(["center_x"], ["left", "right"]), .apart(["center_y"], ["top", "bottom"]),
        ])

    private static let places = ["left", "right", "top", "bottom", "center_x", "center_y"]
}
