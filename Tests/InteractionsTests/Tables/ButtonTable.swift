import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

extension Tables {
    static func button() throws -> Table<Button> {
        let place = Vector(50, 20)
        var pressed = buttonStage()
        pressed.touch(.down(place))
        var away = pressed
        away.touch(.moved(Vector(300, 20)))
        var spent = pressed
        try spent.press(.began, place, isOfContact: true)
        var spentAway = spent
        spentAway.touch(.moved(Vector(300, 20)))
        var held = buttonStage()
        try held.press(.began)
        var heldAway = held
        try heldAway.press(.changed, Vector(300, 20))
        var ignoring = pressed
        try ignoring.command("disable")
        let touched = ignoring
        try ignoring.command("enable")
        let columns: [(String, ButtonStage)] = [
            ("resting", buttonStage()), ("resting, ignores a contact", ignoring),
            ("resting, a contact is away", away),
            ("resting, a contact is away after a long press", spentAway),
            ("resting, a long press is away", heldAway),
            ("highlighted", pressed), ("highlighted after a long press", spent),
            ("highlighted by a long press", held),
            ("disabled", buttonStage { $0.isEnabled = false }), ("disabled, touched", touched),
        ]
        return Table(
            kind: "button",
            remark: """
                A button that does not repeat. Near is within 70 points of it. A `longpress` of a \
                contact was recognised in the contact that is down; any other one is a publisher's.
                """,
            phases: ["resting", "highlighted", "disabled"],
            columns: columns.map { .init(name: $0, stage: $1) },
            rows: contacts(at: place) + presses(at: place)
                + [
                    .init(.command("tap")), .init(.command("enable")), .init(.command("disable")),
                    .init(.command("turn", ["on": true]), "to on"),
                    .init(.command("turn", ["on": false]), "to off"),
                    .init(.command("turn"), "without `on`"), .init(.time),
                ],
            state: { state(of: $0) })
    }

    private static func contacts(at place: Vector) -> [Grid.Row.Event] {
        [
            .init(.touch(.down(place))), .init(.touch(.moved(place)), "near"),
            .init(.touch(.moved(Vector(300, 20))), "away"), .init(.touch(.up)),
            .init(.tap(.point(place)), "near"), .init(.tap(.point(Vector(300, 20))), "away"),
            .init(.tap(.row(1)), "on a row"),
        ]
    }

    private static func presses(at place: Vector) -> [Grid.Row.Event] {
        Phase.allCases.flatMap { phase in
            [(place, "near"), (Vector(300, 20), "away")].map { location, words in
                Grid.Row.Event(
                    .gesture(.longpress(LongPress(phase: phase, location: location))), words)
            } + [
                Grid.Row.Event(
                    .gesture(
                        .longpress(
                            LongPress(phase: phase, location: place, isOfContact: true))),
                    "of a contact")
            ]
        }
    }

    /// The phase, with what else its next answers depend on: found by trying them.
    private static func state(of trial: Trial<Button>) -> String {
        let (phase, near, away) = (trial.machine.phase, Vector(50, 20), Vector(300, 20))
        let taps = trial.tapping(at: near) == .taps
        let isTouched = trial.tapping(at: away) != .refused
        var back = trial
        _ = try? back.play(.touch(.moved(near)))
        if phase == "disabled" { return isTouched ? "disabled, touched" : "disabled" }
        let isHeld = trial.machine.nextTimer != nil
        if phase == "highlighted" {
            if isHeld { return "highlighted by a long press" }
            return taps ? "highlighted" : "highlighted after a long press"
        }
        if isHeld { return "resting, a long press is away" }
        guard isTouched else { return "resting" }
        guard back.machine.phase == "highlighted" else { return "resting, ignores a contact" }
        return "resting, a contact is away" + (taps ? "" : " after a long press")
    }
}

private enum TapAnswer { case taps, refused, nothing }

extension Trial<Button> {
    fileprivate func tapping(at point: Vector) -> TapAnswer {
        var trial = self
        let before = effects.transitions.count
        do throws(Rejection) { try trial.play(.tap(.point(point))) } catch { return .refused }
        return trial.effects.transitions.count > before ? .taps : .nothing
    }
}
