import Geometry
import Notation
import Sessions
import Testing

@testable import Daemon

struct HeavySessionsTests {
    @Test func eachThatIsDueHasItsTurnBeforeAnyHasTwo() {
        let heavy = HeavySessions()
        let sessions = ["anna", "berta", "clara"].map { ActiveSession.empty($0, wake: 1) }
        for session in sessions { heavy.insert(session) }
        var turns: [String] = []
        for _ in 0..<7 {
            guard let next = heavy.take(dueAt: Step(5)) else { break }
            turns.append(next.session.id)
            heavy.putBack(next)
        }
        #expect(
            turns == ["anna", "berta", "clara", "anna", "berta", "clara", "anna"], "\(turns)")
        sessions[1].wake = nil
        sessions[2].wake = Step(9)
        for _ in 0..<3 {
            let next = heavy.take(dueAt: Step(5))
            #expect(next === sessions[0])
            if let next { heavy.putBack(next) }
        }
        #expect(heavy.count == 2 && heavy.earliestWake == Step(1))
        sessions[0].wake = Step(7)
        #expect(heavy.take(dueAt: Step(5)) == nil && heavy.earliestWake == Step(7))
    }

    @Test func theLimitFallsWhileAPassTakesLongAndRisesWhenNoneStepsAside() {
        let heavy = HeavySessions()
        let most = heavy.limit
        heavy.passed(nanoseconds: Limits.passMicrosecondsMax * 1_000)
        #expect(heavy.limit == most)
        for _ in 0..<20 { heavy.passed(nanoseconds: Limits.passMicrosecondsMax * 1_000 + 1) }
        #expect(heavy.limit == Limits.lookMicrosecondsMin * 1_000)
        heavy.insert(ActiveSession.empty("anna", wake: 1))
        heavy.passed(nanoseconds: 0)
        #expect(heavy.limit == Limits.lookMicrosecondsMin * 1_000)
        let others = HeavySessions()
        others.passed(nanoseconds: .max)
        others.passed(nanoseconds: 0)
        #expect(others.limit == most)
    }
}
