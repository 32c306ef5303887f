import Notation

extension WorldParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [
                TransitionReport("wake"), TransitionReport("rest"),
                TransitionReport(
                    "contact",
                    tells: [
                        .item: { $0.meeting?.items.first.map { .text($0) } },
                        .boundary: { $0.meeting?.boundary.map { .text($0) } },
                        .with: { meeting in
                            meeting.meeting.flatMap {
                                $0.items.count > 1 ? .text($0.items[1]) : nil
                            }
                        },
                    ]),
                .tap(tells: [.item]),
            ],
            phases: ["resting", "moving", "dragging"],
            commands: [
                CommandReport("add-item").requiring("item", .table),
                CommandReport("remove-item").requiring("item", .name),
                CommandReport("add-behavior").requiring("behavior", .table),
                CommandReport("remove-behavior").requiring("behavior", .name),
                CommandReport("set").taking("item", .name).taking("behavior", .name)
                    .requiring("values", .table),
                CommandReport("add-velocity").requiring("item", .name)
                    .requiring("dx", .number(.coordinate)).requiring("dy", .number(.coordinate))
                    .taking("angular", .number(.coordinate)),
            ])
    }
}
