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
        for dated in session.outgoing.transitions {
            let parameters = session.scene.components[dated.component].parameters
            let transition = dated.transition
            let report = try #require(
                parameters.reports.transition(transition.name),
                "\(parameters.kind) does not report \(transition.name)")
            told.insert("\(parameters.kind) \(transition.name)")
            for placeholder in Placeholder.allCases {
                let value = report.value(placeholder, of: transition)
                let form = report.form(of: placeholder)
                // An item meets a boundary or another item.
                let mayLack = placeholder == .boundary || placeholder == .with
                #expect(
                    (value == nil) == (form == nil) || (mayLack && value == nil),
                    "\(transition.line) \(placeholder)")
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

    /// The seven kinds, and the list with a menu.
    private static var withMenu: Scene {
        var scene = Scene.phone()
        var list = ListParameters(rows: 20)
        list.menu = [ListParameters.Action(id: "reply")]
        scene.components[Scene.index("list")].parameters = .init(list)
        return scene
    }

    /// Slides from all sides, a pop, an action: storms do not come to these.
    private func playRareOnes(_ told: inout Set<String>) throws {
        var theater = Theater(Self.withMenu)
        func pass(_ payload: Event.Payload) throws {
            #expect(theater.receive(payload) == .applied, "\(payload)")
            for _ in 0..<90 {
                try check(theater.session, &told)
                theater.flush()
                theater.session.advance(to: theater.session.clock + 1)
            }
        }
        let slides = theater.session.scene.components[Scene.index("navigation")].parameters.reports
        for (number, slide) in slides.transitions.map(\.name).enumerated() where slide != "pop" {
            let arguments = [Node.Member].of(screen: "s\(number)", transition: slide)
            try pass(.command(component: "navigation", ComponentCommand("present", arguments)))
        }
        for (phase, x) in [(Phase.began, 5.0), (.changed, 200), (.ended, 260)] {
            let pan = Pan(phase: phase, location: Vector(x, 300))
            try pass(.gesture(component: "navigation", .pan(pan)))
        }
        try pass(.gesture(component: "toss", .tap(.point(Vector(160, 223)))))
        try pass(.gesture(component: "tips", .tap(.point(Vector(160, 284)))))
        let swipe = Swipe(direction: .left, target: .row(2))
        try pass(.gesture(component: "list", .swipe(swipe)))
        let action = [Node.Member("action", Node(.string("reply")))]
        try pass(.command(component: "list", ComponentCommand("action", action)))
    }

    /// Storms see each transition and phase of each kind of the scene, and no other.
    @Test func everyKindNamesItsTransitionsAndPhases() throws {
        var told: Set<String> = []
        try playRareOnes(&told)
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
        for component in Self.withMenu.components {
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
