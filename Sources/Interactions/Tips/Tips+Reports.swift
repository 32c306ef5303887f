package import Notation

extension TipsParameters {
    package var reports: KindReports {
        let indexes = ValueForm.whole(0...(tips.isEmpty ? Tips.tipsMax : tips.count) - 1)
        return KindReports(
            transitions: [
                TransitionReport("present"), TransitionReport("dismiss"),
                TransitionReport("page", ends: indexes), .tap(tells: [.item, .index], item: "tip"),
            ],
            phases: [
                "dismissed", "presenting", "entering", "resting", "dragging", "returning",
                "leaving", "dismissing",
            ],
            commands: [
                CommandReport("present").taking("tips", .any), CommandReport("dismiss"),
            ])
    }
    package func trial(of deed: Node, among deeds: [Node]) -> CommandTrial? {
        guard deed["command"]?.string == "present", let tips = deed["tips"] else { return nil }
        return CommandTrial(of: "tips", [.init("tips", tips)])
    }
}
