extension ProfileParameters {
    package var reports: KindReports {
        KindReports(
            transitions: [
                TransitionReport("pull"), TransitionReport("collapse"), TransitionReport("title"),
            ],
            phases: ["pulled", "expanded", "collapsed", "titled"], commands: [])
    }
}
