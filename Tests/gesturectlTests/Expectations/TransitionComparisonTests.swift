import Testing

@testable import ToolCommands

/// Transitions by one letter each: `a`, `b` …; `.` is a gap and `*` any transition.
@Suite struct TransitionComparisonTests {
    private func comparison(_ expected: String, _ came: String) -> TransitionComparison {
        TransitionComparison(
            expected.map { letter in
                letter == "."
                    ? ExpectedTransition(isGap: true)
                    : ExpectedTransition(name: letter == "*" ? nil : String(letter))
            },
            came.enumerated().map { index, letter in
                ObservedRun.Transition(
                    time: Double(index), component: "c", name: String(letter), event: "began")
            }, first: 0)
    }

    @Test(arguments: [
        ("", "", true), ("", "a", false), ("ab", "ab", true), ("ab", "ba", false),
        ("ab", "abc", false), ("abc", "ab", false), (".", "", true), (".", "abc", true),
        ("a.", "abc", true), (".c", "abc", true), ("a.c", "abc", true), ("a.c", "ac", true),
        ("a.c", "acb", false), (".b.", "abc", true), (".ab.", "aab", true), ("a.a", "a", false),
        (".ab.bc.", "abbc", true), (".ab.bc.", "abc", false), ("a..b", "ab", true),
        ("*b", "ab", true),
        ("*", "", false),
    ])
    func gapsStandForAnyNumberOfOthers(expected: String, came: String, isMet: Bool) {
        #expect(comparison(expected, came).isMet == isMet)
    }

    @Test func differencesStandWhereTheyBelong() {
        let rows = comparison("abd", "acd").rows
        #expect(rows.map(\.mark) == [.same, .missing, .extra, .same])
        #expect(rows.map(\.time) == [0, nil, 1, 2])
        #expect(comparison("a.x", "abc").rows.map(\.mark) == [.same, .missing, .gap, .gap])
    }
}
