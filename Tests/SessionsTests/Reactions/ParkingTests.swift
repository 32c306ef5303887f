import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// When the waits of its reactions let a session leave memory.
@Suite struct ParkingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reactions: [Reaction]
        /// The first step at which it may go.
        let step: Int

        init(_ name: String, _ reactions: [Reaction], _ step: Int) {
            testDescription = name
            self.reactions = reactions
            self.step = step
        }
    }

    private static let used = Reaction.Cause.notification(kind: "spare")
    /// The session counts as unused from here on; the last use was before.
    private static let unused = Step(36)

    private static func add(_ cause: Reaction.Cause, after: Double = 0) -> Reaction {
        Reaction(cause, "badges", "add", ["kind": .string("n")], after: after)
    }

    static let rows: [Row] = [
        Row("nothing waits", [add(used)], 36),
        Row("one wait", [add(used, after: 1)], 120),
        Row("two waits", [add(used, after: 1), add(used, after: 1.2)], 144),
        Row(
            "two actions of one reaction",
            [
                Reaction(
                    [used],
                    [1, 1.2].map { seconds in
                        Reaction.Action(add(used).actions[0].deed, after: seconds)
                    })
            ], 144),
        Row(
            "a wait that another one leads to",
            [
                .select(used, .integer(2), after: 1),
                add(.transition("tabs", "select", to: .whole(2)), after: 1),
            ], 240),
        Row("every alone, until it has happened", [add(.every(seconds: 0.5))], 60),
        Row(
            "every, long before the last wait", [add(.every(seconds: 0.4)), add(used, after: 1)],
            120),
        Row("idle, until it has happened", [add(.idle(seconds: 1.5))], 180),
        Row("idle behind a wait", [add(.idle(seconds: 1.5)), add(used, after: 1)], 180),
        Row("idle that has happened before", [add(.idle(seconds: 0.2))], 36),
        Row("a wait of every", [add(.every(seconds: 0.5), after: 0.25)], 90),
    ]

    @Test(arguments: rows)
    func itMayGoWhenItsWaitsHaveEnded(row: Row) {
        var theater = Theater(.reacting(row.reactions))
        theater.notify("spare")
        theater.session.advance(to: Self.unused)
        while !mayBeParked(theater), theater.session.clock.count < 600 {
            theater.session.advance(to: theater.session.clock + 1)
        }
        #expect(theater.session.clock.count == row.step)
    }

    private func mayBeParked(_ theater: Theater) -> Bool {
        theater.session.mayBeParked(at: theater.session.clock, unusedSince: Self.unused)
    }

    /// Two that bring each other about would keep it for ever.
    @Test func waitsWithoutEndKeepItForAnHour() {
        var theater = Theater(.circle(after: 0.5))
        theater.command("tabs", "select", index: 1)
        theater.session.advance(to: Self.unused)
        let end = Self.unused.after(seconds: 3_600)
        var kept = true
        while theater.session.clock + 1_200 < end {
            theater.session.advance(to: theater.session.clock + 1_200)
            if mayBeParked(theater) { kept = false }
        }
        #expect(kept && !theater.session.reacting.waits.isEmpty)
        theater.session.advance(to: end)
        #expect(!theater.session.reacting.waits.isEmpty)
        #expect(mayBeParked(theater))
    }

    /// At rest its clock stands where something came last; its record tells what is left now.
    @Test func aRecordTellsWhatIsLeftLater() throws {
        var theater = Theater(
            .reacting([
                Self.add(.idle(seconds: 60)), Self.add(.every(seconds: 50)),
                Self.add(Self.used, after: 55),
            ]))
        theater.step(120)
        theater.notify("spare")
        theater.touch(.began, 5, 5)
        theater.touch(.ended, 5, 5)
        let session = theater.session
        func left(at step: Step) throws -> [Int?] {
            try #require(session.recordWithoutComponents(generation: 0, at: step)).waits.map(
                \.steps)
        }
        let now = try left(at: .zero)
        #expect(now == [7_200, 5_880, 6_600])
        let later = try left(at: session.clock + 4_800)
        #expect(later == [2_400, 1_080, 1_800])
        let late = try left(at: session.clock + 100_000)
        #expect(late == [1, 1, 1])
    }
}
