import Notation

extension NavigationParameters {
    package var reports: KindReports {
        let styles = Navigation.Style.allCases.map(\.rawValue)
        let screen = screens.isEmpty ? ValueForm.name : .choice(screenNames)
        return KindReports(
            transitions: (styles + ["pop"]).map { TransitionReport($0, ends: screen) },
            phases: ["resting", "transitioning"],
            commands: [
                CommandReport("present").requiring("screen", screen)
                    .requiring("transition", .choice(styles)).taking(
                        "duration", .number(.duration)),
                CommandReport("back").taking("duration", .number(.duration)).taking(
                    "transition", .choice(Navigation.Departure.allCases.map(\.rawValue))),
            ])
    }
}
