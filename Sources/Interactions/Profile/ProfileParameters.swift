package import Geometry
package import Notation

/// The parameters of `profile`, in points.
package struct ProfileParameters: KindParameters {
    package typealias Component = Profile

    package var header: Rect
    package var avatar = Rect(8, 73, 69, 69)
    /// In the header's own coordinates.
    package var label: Rect
    package var headerStop = 40.0
    package var labelOffset = 95.0
    package var labelDistance = 35.0
    package var avatarSlowdown = 1.4
    package var contentHeight = 1200.0
    /// The content's width: the viewport's.
    package let width: Double

    /// The offsets at which the content may rest in a frame.
    func bounds(_ frame: Size) -> ClosedRange<Double> { 0...max(0, contentHeight - frame.height) }

    package init(viewport: Size) {
        width = viewport.width
        header = Rect(0, 0, viewport.width, 107)
        label = Rect(0, 107, viewport.width, 21)
    }

    package static var relations: [TableShape.Relation] {
        [
            .together(["navigation_height", "name_label_top"]),
            .apart(["navigation_height", "name_label_top"], ["header_stop", "label_offset"]),
        ]
    }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.rect("header", &header)
        try table.rect("avatar", &avatar)
        try table.rect("label", &label)
        try declareStops(in: &table)
        try table.number("label_distance", &labelDistance, in: .divisor)
        try table.number("avatar_slowdown", &avatarSlowdown, in: .divisor)
        try table.number("content_height", &contentHeight, in: .size)
    }

    /// Where the header stops and the label appears: given directly, or by the navigation bar that
    /// remains. A mixture of both is refused.
    private mutating func declareStops(in table: inout ParameterTable) throws(TableError) {
        try table.number("header_stop", &headerStop, in: .distance)
        try table.number("label_offset", &labelOffset, in: .coordinate)
        let height = try table.number("navigation_height", in: .distance)
        let top = try table.number("name_label_top", in: .coordinate)
        if height == nil && top == nil { return }
        for key in ["header_stop", "label_offset"] where table.has(key) {
            throw table.error(key, "cannot stand beside navigation_height and name_label_top")
        }
        guard let height else {
            throw table.error("name_label_top", "needs navigation_height beside it")
        }
        guard let top else {
            throw table.error("navigation_height", "needs name_label_top beside it")
        }
        guard height <= header.size.height else {
            throw table.error("navigation_height", "must not be above the header's height")
        }
        headerStop = header.size.height - height
        labelOffset = top - height
    }
}
