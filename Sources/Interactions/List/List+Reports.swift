package import Notation

extension ListParameters {
    package var reports: KindReports {
        let row: TransitionReport.Reader = { transition in
            transition.row.map { .whole($0.number) }
        }
        // Commands change the number of rows with ids, and bring menus.
        let rows = ValueForm.whole(0...(listed == nil ? max(1, self.rows) - 1 : List.rowsMax - 1))
        let actions = listed == nil ? ValueForm.choice(menu.map(\.id)) : .name
        let places = ValueForm.whole(0...List.listedRowsMax)
        let ends = ["open", "close"].map {
            TransitionReport($0, tells: [.row: row], as: [.row: rows])
        }
        let item: TransitionReport.Reader = { transition in
            transition.row?.item.map { .text($0) }
        }
        let select = TransitionReport(
            "select", tells: listed == nil ? [.row: row] : [.row: row, .item: item],
            as: [.row: rows])
        // Also without a menu: a list of an open session may get one.
        let action = TransitionReport(
            "action", tells: [.row: row, .item: { $0.row?.action.map { .text($0) } }],
            as: [.row: rows, .item: actions])
        return KindReports(
            transitions: ends + [select, action],
            phases: ["closed", "opening", "open", "closing"],
            commands: [
                CommandReport("action").taking("action", actions),
                selectCommand(rows),
                CommandReport("deselect"),
                CommandReport("scroll-to-top"),
                CommandReport("insert").requiring("item", .table).taking("at", places),
                CommandReport("remove").requiring("item", .name),
                CommandReport("move").requiring("item", .name).requiring("at", places),
            ],
            parts: PartState.allCases.map {
                PartReport($0, row: rows, item: listed == nil ? nil : .name)
            })
    }

    private func selectCommand(_ rows: ValueForm) -> CommandReport {
        let report = CommandReport("select")
        return listed == nil
            ? report.requiring("row", rows) : report.taking("row", rows).taking("item", .name)
    }

    package func trial(of deed: Node, among deeds: [Node]) -> CommandTrial? {
        guard deed["command"]?.string == "insert", let item = deed["item"], listed != nil else {
            return nil
        }
        return CommandTrial(of: "item", [.init("rows", Node(.array([item])))])
    }
}
