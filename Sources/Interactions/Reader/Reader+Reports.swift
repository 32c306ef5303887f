extension ReaderParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [
                TransitionReport("header-loaded"), TransitionReport("header-unloaded"),
                TransitionReport("footer-loaded"), TransitionReport("footer-unloaded"),
                TransitionReport("page", ends: .whole(0...pages.count - 1)),
            ],
            phases: ["resting", "dragging", "returning", "paging"],
            commands: [CommandReport("next"), CommandReport("previous")])
    }
}
