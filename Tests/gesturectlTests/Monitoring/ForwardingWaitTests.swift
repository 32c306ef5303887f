import Testing

@testable import ToolCommands

@Suite struct ForwardingWaitTests {
    /// Whether the daemon was full at each time, in milliseconds, and whether that is said.
    @Test(
        arguments: [
            [(0, true, false), (499, true, false), (500, false, false), (600, true, false)],
            [(0, true, false), (500, true, true), (510, true, false), (2_000, true, false)],
            [
                (0, true, false), (700, true, true), (710, false, false), (720, true, false),
                (1_219, true, false), (1_220, true, true),
            ],
        ] as [[(Int, Bool, Bool)]])
    func onlyAWaitThatLastsIsSaidAndOnce(timeline: [(Int, Bool, Bool)]) {
        var wait = ForwardingWait()
        let start = ContinuousClock.now
        for (time, isStuck, isSaid) in timeline {
            let now = start + .milliseconds(time)
            #expect(wait.isWorthSaying(isStuck: isStuck, at: now) == isSaid, "\(time) ms")
        }
    }
}
