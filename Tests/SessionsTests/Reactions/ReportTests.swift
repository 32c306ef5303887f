import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// The reports of each kind, beside what the kind does.
@Suite struct ReportTests {
    @Test func everyKindNamesItsCommands() {
        for component in Scene.phone().components {
            let reports = component.parameters.reports
            let machine = component.parameters.machine(viewport: .phone, tracker: .uikit)
            #expect(
                Set(reports.commands.map(\.name)) == Set(type(of: machine).commands),
                "\(component.id)")
            #expect(reports.phases.contains(machine.phase), "\(component.id)")
        }
    }

    /// Looks at every transition and phase of a session.
    private func check(_ session: Session, _ told: inout Set<String>) throws {
        for passage in session.outgoing.transitions {
            let parameters = session.scene.components[passage.component].parameters
            let transition = passage.transition
            let report = try #require(
                parameters.reports.transition(transition.name),
                "\(parameters.kind) does not report \(transition.name)")
            told.insert("\(parameters.kind) \(transition.name)")
            for placeholder in Placeholder.allCases {
                let value = report.value(placeholder, of: transition)
                let form = report.form(of: placeholder)
                #expect((value == nil) == (form == nil), "\(transition.line) \(placeholder)")
                if let value, let form {
                    #expect(form.rule(refusing: value.node) == nil, "\(transition.line)")
                }
            }
        }
        for (index, machine) in session.machines.enumerated() {
            let parameters = session.scene.components[index].parameters
            #expect(parameters.reports.phases.contains(machine.phase), "\(machine.phase)")
            told.insert("\(parameters.kind) \(machine.phase)")
        }
    }

    /// Storms see each transition and phase of each kind of the scene, and no other.
    @Test func everyKindNamesItsTransitionsAndPhases() throws {
        var told: Set<String> = []
        for seed in 0..<24 as Range<UInt64> {
            var theater = Theater(.phone(seed: seed))
            var storm = Storm(seed: seed)
            // No storm lets go as quickly as a throw takes.
            theater.pan("toss", .began, 160, 223)
            theater.pan("toss", .ended, 160, 223, velocity: Vector(4_000, 0))
            for _ in 0..<60 {
                theater.receive(storm.payload())
                for _ in 0..<storm.pause() {
                    try check(theater.session, &told)
                    theater.flush()
                    theater.session.advance(to: theater.session.clock + 1)
                }
            }
        }
        var named: Set<String> = []
        for component in Scene.phone().components {
            let reports = component.parameters.reports
            let names = reports.transitions.map(\.name) + reports.phases
            named.formUnion(names.map { "\(component.parameters.kind) \($0)" })
        }
        #expect(named.subtracting(told).sorted() == [], "these never came")
    }

    @Test func aWorldNamesItsTransitionsAndPhases() throws {
        var told: Set<String> = []
        let parameters = try WorldParameters(WorldStorm.scene.node)
        for seed in 0..<4 as Range<UInt64> {
            var theater = Theater(.single("world", .init(parameters)))
            var storm = WorldStorm(random: SplitMix64(seed: seed))
            for _ in 0..<60 {
                theater.receive(storm.payload())
                for _ in 0..<storm.random.whole(in: 1...30) {
                    try check(theater.session, &told)
                    theater.flush()
                    theater.session.advance(to: theater.session.clock + 1)
                }
            }
        }
        #expect(told.contains("dynamics contact") && told.contains("dynamics dragging"))
        let commands = parameters.reports.commands.map(\.name)
        #expect(Set(commands) == Set(World.commands))
    }
}
