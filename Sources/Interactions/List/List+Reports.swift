extension ListParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [TransitionReport("open"), TransitionReport("close")],
            phases: ["closed", "opening", "open", "closing"],
            commands: [
                CommandReport("action").taking("action", .name), CommandReport("scroll-to-top"),
            ])
    }
}
