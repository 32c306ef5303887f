import Interactions
import Notation
import Sessions

extension NavigationParameters {
    static let reader = ComponentReader(kind: "navigation") {
        (table, _) throws(TableError) in
        try table.require("root")
        var navigation = NavigationParameters(root: try table.name("root") ?? "")
        navigation.duration = try table.number(
            "duration", default: navigation.duration, in: .duration)
        navigation.startDelay = try table.number(
            "start_delay", default: navigation.startDelay, in: .duration)
        // A screen that goes at once needs no lead; the default yields to a short duration.
        let lead = try table.number("removal_lead", in: .duration)
        navigation.removalLead = lead ?? min(navigation.removalLead, navigation.duration)
        guard navigation.removalLead <= navigation.duration else {
            throw table.error("removal_lead", "must not be above duration")
        }
        navigation.scaleInFrom = try table.number(
            "scale_in_from", default: navigation.scaleInFrom, in: .distance)
        navigation.scaleOutTo = try table.number(
            "scale_out_to", default: navigation.scaleOutTo, in: .distance)
        navigation.queue = try table.whole(
            "queue", default: navigation.queue, in: 0...Limits.navigationQueueMax)
        return .navigation(navigation)
    }
}
