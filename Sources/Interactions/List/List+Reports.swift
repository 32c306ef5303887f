extension ListParameters {
    package var reports: KindReports {
        let row: TransitionReport.Reader = { transition in
            transition.row.map { .whole($0.number) }
        }
        return KindReports(
            transitions: [
                TransitionReport("open", tells: [.row: row]),
                TransitionReport("close", tells: [.row: row]),
                TransitionReport(
                    "action",
                    tells: [.row: row, .item: { $0.row?.action.map { .text($0) } }]),
            ],
            phases: ["closed", "opening", "open", "closing"],
            commands: [
                CommandReport("action")
                    .taking("action", menu.isEmpty ? .name : .choice(menu.map(\.id))),
                CommandReport("scroll-to-top"),
            ])
    }
}
