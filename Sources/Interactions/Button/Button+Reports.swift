extension ButtonParameters {
    package var reports: KindReports {
        let on: TransitionReport.Reader = { transition in transition.isOn.map { .truth($0) } }
        return KindReports(
            transitions: ["tap", "long-press"].map { TransitionReport($0, tells: [.on: on]) },
            phases: ["resting", "highlighted", "disabled"],
            commands: [
                CommandReport("tap"), CommandReport("enable"), CommandReport("disable"),
                CommandReport("turn").requiring("on", .truth),
            ])
    }
}
