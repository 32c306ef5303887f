import Notation
import Sessions
import Testing

@testable import Daemon

struct EffortTests {
    private let limit = 4_000_000

    @Test func onlyTheProcessorsTimeMakesASessionHeavy() {
        var effort = Effort()
        #expect(effort.weight == .suspect && effort.stepsMax == Limits.stepsUnmeasuredMax)
        effort.noteProcessor(20_000, steps: 2, limit: limit)
        #expect(effort.weight == .light && effort.stepsMax == Limits.stepsMadeUpMax)
        effort.noteWall(limit + 1, limit: limit)
        #expect(effort.weight == .suspect)
        effort.noteProcessor(20_000, steps: 2, limit: limit)
        #expect(effort.weight == .light)
    }

    @Test func aHeavySessionMakesAsManyStepsAsFitAPiece() {
        var effort = Effort()
        effort.noteProcessor(6_000_000, steps: 2, limit: limit)
        #expect(effort.weight == .heavy && effort.stepsMax == 1)
        effort.noteProcessor(600_000, steps: 1, limit: limit)
        #expect(effort.weight == .heavy && effort.stepsMax == 3, "it does not go to and fro")
        effort.noteProcessor(400_000, steps: 1, limit: limit)
        #expect(effort.weight == .light)
        effort = Effort()
        effort.noteProcessor(6_000_000, steps: 2, limit: limit)
        effort.rested()
        #expect(effort.weight == .suspect)
    }
}
