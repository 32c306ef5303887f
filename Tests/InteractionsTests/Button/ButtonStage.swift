import Geometry
import Gestures
import Interactions
import Notation
import TestSupport

typealias ButtonStage = Stage<Button>

/// A button of 100 by 40.
func buttonStage(_ change: (inout ButtonParameters) -> Void = { _ in }) -> ButtonStage {
    var parameters = ButtonParameters(viewport: .phone)
    change(&parameters)
    return Stage(Button(parameters, viewport: Size(100, 40), tracker: .uikit))
}

extension Stage<Button> {
    var isOn: Bool { field("on") == .flag(true) }

    /// Transitions so far, as `12 tap`, with whether the button was on; their ends are left out.
    var heard: [String] {
        zip(told, transitions).filter { $1.event == .began }.map { line, transition in
            let step = line.prefix { $0 != " " }
            return "\(step) \(transition.name) \(transition.isOn == true ? "on" : "off")"
        }
    }

    mutating func tap(_ x: Double, _ y: Double) throws(Rejection) {
        try gesture(.tap(.point(Vector(x, y))))
    }

    /// A sample of a long press, by a publisher's own recognition or a contact's.
    mutating func press(
        _ phase: Phase, _ location: Vector? = nil, isOfContact: Bool = false
    ) throws(Rejection) {
        try gesture(
            .longpress(LongPress(phase: phase, location: location, isOfContact: isOfContact)))
    }

    mutating func turn(_ isOn: Bool) throws(Rejection) {
        try command("turn", members: [.init("on", Node(.bool(isOn)))])
    }
}
