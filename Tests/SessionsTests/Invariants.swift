import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport

/// Rules for every look of a component, at any time.
struct Invariants: StateSink {
    private(set) var faults: [String] = []
    private let component: String
    private var depth = 0
    private var numbers: [String: Int] = [:]
    private var selectedItems = 0
    private var stack: [String]?

    /// Takes down what a component of the scene `phone` shows, and judges it.
    init(_ component: String, _ shown: some Presentable) {
        self.component = component
        shown.model(into: &self)
        shown.views(into: &self)
        judge()
    }

    private mutating func judge() {
        switch component {
        case "tabs":
            if selectedItems != 1 { faults.append("\(selectedItems) tabs are selected") }
            check("selected", within: 0..<5)
        case "navigation":
            let stack = stack ?? []
            if stack.first != "dashboard" { faults.append("\(stack) does not stand on its root") }
            if Set(stack).count != stack.count { faults.append("a screen twice in \(stack)") }
        case "reader":
            check("index", within: 0..<10)
            check("page", within: 0..<10)
            if numbers["incoming"] != nil { check("incoming", within: 0..<10) }
        case "list":
            if numbers["row"] != nil { check("row", within: 0..<20) }
            if numbers["selected"] != nil { check("selected", within: 0..<20) }
        default: break
        }
    }

    private mutating func check(_ name: String, within range: Range<Int>) {
        guard let number = numbers[name], range.contains(number) else {
            faults.append("\(component): \(name) is \(String(describing: numbers[name]))")
            return
        }
    }

    // MARK: What is told

    mutating func field(_ name: StaticString, _ value: Int) {
        field(named: name.description, value)
    }
    mutating func field(named name: String, _ value: Int) {
        if depth == 0 { numbers[name] = value }
    }
    mutating func field(_ name: StaticString, _ value: Bool) {
        if name.description == "selected" && value { selectedItems += 1 }
    }
    mutating func field(_ name: StaticString, _ value: String?) {}
    mutating func field(_ name: StaticString, _ values: StrideThrough<Int>) {}
    mutating func field(_ name: StaticString, _ values: [String]) {
        if name.description == "stack" { stack = values }
    }
    mutating func field(_ name: StaticString, points: Double) {
        if !points.isFinite { faults.append("\(component): \(name) is \(points)") }
    }
    mutating func field(_ name: StaticString, frame: Rect) {
        let isSound = frame.center.isFinite && frame.size.width > 0 && frame.size.height > 0
        if !isSound { faults.append("\(component): \(name) is \(frame)") }
    }
    mutating func open(_ name: StaticString) { depth += 1 }
    mutating func close() { depth -= 1 }
    mutating func openList(_ name: StaticString) { depth += 1 }
    mutating func openElement() { depth += 1 }
    mutating func closeList() { depth -= 1 }
    mutating func null(_ name: StaticString) {}
    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) { view(name, state) }
    mutating func view(_ name: StaticString, id: String, _ state: ViewState) { view(name, state) }
    mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }
    mutating func view(named name: String, _ state: ViewState) {
        let isSound =
            state.center.isFinite && state.rotation.isFinite && state.scale.isFinite
            && state.scale > 0 && state.alpha >= 0 && state.alpha <= 1
            && state.center.length < 1e8 && state.size.width > 0 && state.size.height > 0
        if !isSound { faults.append("\(component): \(name) is \(state)") }
    }
}

/// The last stamp of each topic: each number follows the one before, and time never runs back.
struct StampCheck {
    private(set) var last: [String: Stamp] = [:]
    fileprivate(set) var faults: [String] = []

    mutating func take(_ topic: String, _ stamp: Stamp) {
        if let former = last[topic] {
            if stamp.seq != former.seq + 1 { faults.append("\(topic): \(former) then \(stamp)") }
            if stamp.instant < former.instant { faults.append("\(topic) runs back") }
        } else if stamp.seq != 1 {
            faults.append("\(topic) begins with \(stamp)")
        }
        last[topic] = stamp
    }

    mutating func find(_ fault: String) { faults.append(fault) }
}

/// A sink that checks the stamp of each update.
protocol StampCheckingSink: UpdateSink {
    var stamps: StampCheck { get set }
}

extension StampCheckingSink {
    var isFull: Bool { false }
    var faults: [String] { stamps.faults }

    mutating func check(_ topic: String, _ stamp: Stamp) { stamps.take(topic, stamp) }

    mutating func session(
        _ identity: SessionIdentity, _ event: SessionEvent, _ stamp: Stamp
    ) { check("session", stamp) }

    mutating func transition(
        _ identity: SessionIdentity, component: String, _ transition: Transition, _ stamp: Stamp
    ) { check("transition/\(component)", stamp) }

    mutating func variables(
        _ identity: SessionIdentity, _ variables: VariablePicture, _ stamp: Stamp
    ) {
        check("variables", stamp)
    }

    mutating func badge(_ identity: SessionIdentity, _ badges: BadgeLedger, _ stamp: Stamp) {
        check("badge", stamp)
    }

    mutating func scene(
        _ identity: SessionIdentity, _ scene: SceneDescription, _ stamp: Stamp
    ) { check("scene", stamp) }

    mutating func frame(_ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp) {
        check("frame", stamp)
    }

    mutating func rejected(
        _ identity: SessionIdentity, _ report: RejectionReport, _ stamp: Stamp
    ) { check("rejected", stamp) }
}

/// Checks each update as it comes: its number follows, and what it shows is sound.
struct CheckingSink: StampCheckingSink {
    var stamps = StampCheck()
    var last: [String: Stamp] { stamps.last }

    mutating func state(
        _ identity: SessionIdentity, component: String, _ machine: inout any Machine,
        _ notes: StateNotes, _ stamp: Stamp
    ) {
        check("state/\(component)", stamp)
        for fault in Invariants(component, machine).faults { stamps.find(fault) }
    }
}
