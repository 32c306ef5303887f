import Notation

extension WorldParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [
                TransitionReport("wake"), TransitionReport("rest"),
                TransitionReport(
                    "contact", tells: [.item: { $0.meeting?.items.first.map { .text($0) } }]),
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
