extension ListParameters {
    package var reports: KindReports {
        let row: TransitionReport.Reader = { transition in
            transition.row.map { .whole($0.number) }
        }
        var transitions = ["open", "close"].map { TransitionReport($0, tells: [.row: row]) }
        if !menu.isEmpty {
            transitions.append(
                TransitionReport(
                    "action",
                    tells: [.row: row, .item: { $0.row?.action.map { .text($0) } }]))
        }
        return KindReports(
            transitions: transitions,
            phases: ["closed", "opening", "open", "closing"],
            commands: [
                CommandReport("action")
                    .taking("action", menu.isEmpty ? .name : .choice(menu.map(\.id))),
                CommandReport("scroll-to-top"),
            ])
    }
}
