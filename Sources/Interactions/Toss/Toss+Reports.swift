extension TossParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [
                TransitionReport("toss"), TransitionReport("return"),
                .tap(tells: [.item], item: "item"),
            ],
            phases: ["resting", "dragging", "thrown", "returning"],
            commands: [CommandReport("reset")])
    }
}
