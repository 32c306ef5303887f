extension ListParameters {
    package var reports: KindReports {
        let row: TransitionReport.Reader = { transition in
            transition.row.map { .whole($0.number) }
        }
        let rows = ValueForm.whole(0...max(1, self.rows) - 1)
        var transitions = ["open", "close"].map {
            TransitionReport($0, tells: [.row: row], as: [.row: rows])
        }
        if !menu.isEmpty {
            transitions.append(
                TransitionReport(
                    "action",
                    tells: [.row: row, .item: { $0.row?.action.map { .text($0) } }],
                    as: [.row: rows, .item: .choice(menu.map(\.id))]))
        }
        return KindReports(
            transitions: transitions,
            phases: ["closed", "opening", "open", "closing"],
            commands: [
                CommandReport("action")
                    .taking("action", .choice(menu.map(\.id))),
                CommandReport("scroll-to-top"),
            ])
    }
}
