extension LabelParameters {
    package var reports: KindReports {
        KindReports(
            transitions: ["show", "hide", "change"].map { TransitionReport($0) },
            phases: ["hidden", "showing", "shown", "hiding"],
            commands: [CommandReport("show"), CommandReport("hide")])
    }
}
