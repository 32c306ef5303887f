extension PanelParameters {
    package var reports: KindReports {
        let names = ValueForm.choice(anchors.map(\.name))
        return KindReports(
            transitions: [TransitionReport("settle", ends: names)],
            phases: ["resting", "dragging", "settling"],
            commands: [
                CommandReport("go").requiring("to", names).taking("animated", .truth),
                CommandReport("toggle"),
            ])
    }
}
