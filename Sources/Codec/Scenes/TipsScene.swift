import Interactions
import Notation
import Sessions

extension TipsParameters {
    static let reader = ComponentReader(kind: "tips") { (table, _) throws(TableError) in
        var tips = TipsParameters()
        try table.require("tips")
        let nodes = try table.tables("tips", countMin: 0, countMax: Limits.tipsMax) ?? []
        for (index, node) in nodes.enumerated() {
            tips.tips.append(try tip(node, path: "\(table.path), tip \(index + 1)"))
        }
        tips.size = try table.size("size", default: tips.size)
        tips.pivotOffset = try table.number(
            "pivot_offset", default: tips.pivotOffset, in: .coordinate)
        tips.threshold = try table.number("threshold", default: tips.threshold, in: .distance)
        tips.exitDuration = try table.number(
            "exit_duration", default: tips.exitDuration, in: .duration)
        tips.snapDamping = try table.number(
            "snap_damping", default: tips.snapDamping, in: .distance)
        tips.backdropAlpha = try table.number(
            "backdrop_alpha", default: tips.backdropAlpha, in: .alpha)
        tips.fade = try table.number("fade", default: tips.fade, in: .duration)
        tips.presented = try table.bool("presented", default: tips.presented)
        return .tips(tips)
    }

    private static func tip(_ node: Node, path: String) throws(TableError) -> Tip {
        var table = try TableReader(node, path: path)
        var tip = Tip()
        tip.title = try table.string("title", default: tip.title)
        tip.summary = try table.string("summary", default: tip.summary)
        tip.image = try table.string("image")
        try table.finish()
        return tip
    }
}
