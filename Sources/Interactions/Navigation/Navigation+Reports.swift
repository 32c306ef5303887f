import Notation

extension NavigationParameters {
    package var reports: KindReports {
        let styles = Navigation.Style.allCases.map(\.rawValue)
        return KindReports(
            transitions: (styles + ["pop"]).map { TransitionReport($0, ends: .name) },
            phases: ["resting", "transitioning"],
            commands: [
                CommandReport("present").requiring("screen", .name)
                    .requiring("transition", .choice(styles)).taking(
                        "duration", .number(.duration)),
                CommandReport("back").taking("duration", .number(.duration)),
            ])
    }
}
