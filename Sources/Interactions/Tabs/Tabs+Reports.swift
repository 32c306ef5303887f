extension TabsParameters {
    package var reports: KindReports {
        let ids = items.map(\.id)
        let indexes = ValueForm.whole(0...max(1, ids.count) - 1)
        @Sendable func selected(_ transition: Transition) -> Int? {
            guard case .index(let index) = transition.to, ids.indices.contains(index) else {
                return nil
            }
            return index
        }
        return KindReports(
            transitions: [
                TransitionReport(
                    "select", ends: indexes,
                    tells: [
                        .index: { selected($0).map { .whole($0) } },
                        .item: { selected($0).map { .text(ids[$0]) } },
                    ], as: [.index: indexes, .item: .choice(ids)]),
                TransitionReport("bubble-show"), TransitionReport("bubble-hide"),
            ],
            phases: ["resting", "moving"],
            commands: [
                CommandReport("select").requiring("index", indexes),
                CommandReport("glow").requiring("index", indexes),
                CommandReport("unglow").requiring("index", indexes),
                CommandReport("show").requiring("index", indexes), CommandReport("hide"),
            ],
            parts: [PartReport(.selected, item: .choice(ids))])
    }
}
