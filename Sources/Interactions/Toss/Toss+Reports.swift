extension TossParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [TransitionReport("toss"), TransitionReport("return")],
            phases: ["resting", "dragging", "thrown", "returning"],
            commands: [CommandReport("reset")])
    }
}
