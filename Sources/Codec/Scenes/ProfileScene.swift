import Geometry
import Interactions
import Notation

extension ProfileParameters {
    static let reader = ComponentReader(kind: "profile") { (table, viewport) throws(TableError) in
        var profile = ProfileParameters(viewport: viewport)
        profile.header = try table.rect("header", default: profile.header)
        profile.avatar = try table.rect("avatar", default: profile.avatar)
        profile.label = try table.rect("label", default: profile.label)
        try readStops(&table, into: &profile)
        profile.labelDistance = try table.number(
            "label_distance", default: profile.labelDistance, in: .divisor)
        profile.avatarSlowdown = try table.number(
            "avatar_slowdown", default: profile.avatarSlowdown, in: .divisor)
        profile.contentHeight = try table.number(
            "content_height", default: profile.contentHeight, in: .size)
        return .profile(profile)
    }

    /// Where the header stops and the label appears, given directly or by the navigation bar that
    /// remains: never by a mixture of both.
    private static func readStops(
        _ table: inout TableReader, into profile: inout ProfileParameters
    ) throws(TableError) {
        let stop = try table.number("header_stop", in: .distance)
        let offset = try table.number("label_offset", in: .coordinate)
        let height = try table.number("navigation_height", in: .distance)
        let top = try table.number("name_label_top", in: .coordinate)
        if height == nil && top == nil {
            profile.headerStop = stop ?? profile.headerStop
            profile.labelOffset = offset ?? profile.labelOffset
            return
        }
        if stop != nil || offset != nil {
            throw table.error(
                stop != nil ? "header_stop" : "label_offset",
                "cannot stand beside navigation_height and name_label_top")
        }
        guard let height else {
            throw table.error("name_label_top", "needs navigation_height beside it")
        }
        guard let top else {
            throw table.error("navigation_height", "needs name_label_top beside it")
        }
        guard height <= profile.header.size.height else {
            throw table.error("navigation_height", "must not be above the header's height")
        }
        profile.headerStop = profile.header.size.height - height
        profile.labelOffset = top - height
    }
}
