import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Whatever comes whenever, the tables hold, nothing jumps, and all comes to rest.
@Suite struct MachineStormTests {
    @Test func tipsStandIt() throws { try storm(over: Tables.tips(), seeds: 0..<160) }
    @Test func tossStandsIt() throws { try storm(over: Tables.toss(), seeds: 0..<160) }
    @Test func navigationStandsIt() throws { try storm(over: Tables.navigation(), seeds: 0..<200) }
    @Test func profileStandsIt() throws { try storm(over: Tables.profile(), seeds: 0..<320) }
    @Test func listStandsIt() throws { try storm(over: Tables.list(), seeds: 0..<360) }
    @Test func readerStandsIt() throws { try storm(over: Tables.reader(), seeds: 0..<240) }
    @Test func tabsStandIt() throws { try storm(over: Tables.tabs(), seeds: 0..<300) }
    @Test func dynamicsStandsIt() throws { try storm(over: Tables.dynamics(), seeds: 0..<200) }
    @Test func labelStandsIt() throws { try storm(over: Tables.label(), seeds: 0..<120) }
    @Test func panelStandsIt() throws { try storm(over: Tables.panel(), seeds: 0..<300) }
    @Test func buttonStandsIt() throws { try storm(over: Tables.button(), seeds: 0..<200) }

    /// Every event of the table occurs in every state, many with arguments of other kinds.
    private func storm<Kind>(over table: Table<Kind>, seeds: Range<UInt64>) throws {
        let expected = ExpectedAnswers(table.grid())
        var seen: Set<ExpectedAnswers.Place> = []
        for seed in seeds {
            var faults: [String] = []
            run(table, expected: expected, seed: seed, seen: &seen, faults: &faults)
            #expect(faults.isEmpty, "\(table.kind), seed \(seed): \(faults.prefix(3))")
        }
        let missed = expected.answers.keys.filter { !seen.contains($0) && $0.event.group != "time" }
        #expect(missed.isEmpty, "\(table.kind) was never told: \(missed.prefix(5))")
    }

    private func run<Kind>(
        _ table: Table<Kind>, expected: ExpectedAnswers, seed: UInt64,
        seen: inout Set<ExpectedAnswers.Place>,
        faults: inout [String]
    ) {
        var storm = MachineStorm(table.events, seed: seed)
        // Begun in the midst of things, for some states are rare; first where events are missing.
        let lacking = Set(expected.answers.keys.filter { !seen.contains($0) }.map(\.state))
        let rare = table.columns.filter { lacking.contains(table.state(Trial($0.stage))) }
        var trial = Trial(storm.pick(rare.isEmpty ? table.columns : rare).stage)
        for _ in 0..<24 {
            let state = table.state(trial)
            func place(_ stimulus: Stimulus) -> ExpectedAnswers.Place {
                ExpectedAnswers.Place(state: state, event: stimulus.name)
            }
            let stimulus = storm.stimulus { !seen.contains(place($0)) }
            let place = place(stimulus)
            seen.insert(place)
            var found = play(stimulus, at: place, of: table, expected: expected, on: &trial)
            trial.settle()
            for _ in 0..<storm.pause() { trial.step() }
            trial.settle()
            if !expected.states.contains(table.state(trial)) {
                found.append("reached \(table.state(trial))")
            }
            faults += found.map { "\(place.state), \(stimulus): \($0)" }
        }
        var steps = 0
        while !trial.isResting, steps < Trial<Kind>.patienceSteps {
            trial.step()
            steps += 1
        }
        if !trial.isResting { faults.append("never rests, but is \(trial.machine.phase)") }
    }

    /// Tells a machine one thing, and says what is wrong with the answer.
    private func play<Kind>(
        _ stimulus: Stimulus, at place: ExpectedAnswers.Place, of table: Table<Kind>,
        expected: ExpectedAnswers,
        on trial: inout Trial<Kind>
    ) -> [String] {
        let before = trial
        let allowed = expected.answers[place]
        var faults: [String] = []
        do throws(Rejection) {
            try trial.play(stimulus)
        } catch {
            if trial.machine != before.machine || !trial.isUntouched(since: before) {
                faults.append("changed by what it refused")
            }
            if allowed?.codes.contains(error.code) != true {
                faults.append("\(error.code), which the table does not know")
            }
            return faults
        }
        if allowed?.isEverAccepted != true { faults.append("accepted, against the table") }
        let (former, shown) = (Picture(before.machine), Picture(trial.machine))
        if !shown.isFinite { faults.append("shows what is no number") }
        let jumping = table.jumping(stimulus)
        for (name, view) in shown.views where !jumping.contains(name) {
            guard let was = former.views[name], view.cut == was.cut else { continue }
            if let jump = jump(from: was, to: view) { faults.append("\(name) jumps, \(jump)") }
        }
        return faults
    }

    /// Where a view is shown otherwise than it was; a turn around is none.
    private func jump(from was: ViewState, to view: ViewState) -> String? {
        let far = max(1, was.center.length)
        if (view.center - was.center).length > 1e-9 * far {
            return "from \(was.center) to \(view.center)"
        }
        if turn(from: was.rotation, to: view.rotation) > 1e-9 {
            return "by \(view.rotation - was.rotation) radians"
        }
        if abs(view.scale - was.scale) > 1e-9 { return "in scale" }
        if abs(view.alpha - was.alpha) > 1e-9 { return "in alpha" }
        return view.size == was.size ? nil : "in size"
    }
}
