import Geometry
import Gestures
import Interactions
import Notation
import Sessions

/// Collects a session's frames as values.
struct FrameSink: UpdateSink {
    var frames: [Frame] = []
    var isFull: Bool { false }

    mutating func frame(_ identity: SessionIdentity, _ picture: SessionPicture, _ stamp: Stamp) {
        var frame = Frame(
            time: Double(stamp.instant.nanoseconds) / 1e6, states: [], transitions: [],
            counts: picture.badges.map(\.counts.byKind),
            variables: picture.variables.map(\.byName), rows: [])
        picture.forEachState { component, machine, notes in
            frame.states.append(ComponentState(component, machine, notes))
        }
        picture.forEachTransition { component, transition in
            frame.transitions.append(FrameTransition(component, transition))
        }
        picture.forEachRows { component, rows in
            frame.rows.append(ComponentRows(component, rows))
        }
        frames.append(frame)
    }

    mutating func session(_: SessionIdentity, _: SessionEvent, _: Stamp) {}
    mutating func transition(
        _: SessionIdentity, component: String, _: Transition, _: Stamp
    ) {}
    mutating func badge(_: SessionIdentity, _: BadgeLedger, _: Stamp) {}
    mutating func state(
        _: SessionIdentity, component: String, _: inout any Machine, _: StateNotes, _: Stamp
    ) {}
    mutating func variables(_: SessionIdentity, _: VariablePicture, _: Stamp) {}
    mutating func scene(_: SessionIdentity, _: SceneDescription, _: Stamp) {}
    mutating func rejected(_: SessionIdentity, _: RejectionReport, _: Stamp) {}
}

extension ComponentRows {
    fileprivate init(_ component: String, _ told: ToldRows) {
        self.init(
            component: component, version: told.version, count: told.count, from: told.from,
            rows: told.rows.map { row in
                Row(
                    id: row.id, content: row.content.map { Value($0) } ?? [:],
                    menu: row.menu?.map { Value($0.node) })
            })
    }
}

extension BadgeCounts {
    var byKind: [String: Int] {
        Dictionary(entries.map { ($0.kind, $0.count) }, uniquingKeysWith: { first, _ in first })
    }
}

extension VariablePicture {
    fileprivate var byName: [String: Value] {
        var values: [String: Value] = [:]
        forEach { values[$0] = Value($1.node) }
        return values
    }
}

extension ComponentState {
    init(_ component: String, _ machine: any Machine, _ notes: StateNotes) {
        var model = ValueSink()
        machine.model(into: &model)
        if let recognizer = notes.recognizer { model.field("recognizer", recognizer.rawValue) }
        var views = ViewList(cutFloor: notes.cutFloor)
        machine.views(into: &views)
        self.init(
            component: component, phase: machine.phase, model: .table(model.members),
            views: views.views)
    }
}

/// Collects the views of a component.
private struct ViewList: ViewSink {
    let cutFloor: Int
    var views: [View] = []

    init(cutFloor: Int) { self.cutFloor = cutFloor }

    mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }

    mutating func view(named name: String, _ state: ViewState) {
        views.append(View(name, state, cutFloor: cutFloor))
    }

    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        view(named: "\(name)\(number)", state)
    }

    mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        view(named: "\(name)\(id)", state)
    }
}

/// Builds a table from the fields of a component's model.
private struct ValueSink: StateSink {
    /// The members of the table that is open.
    private(set) var members: [(name: String, value: Value)] = []
    /// Around it are open: tables' members or lists' elements, and the names they will have.
    private var outer: [Level] = []

    private enum Level {
        case table([(name: String, value: Value)], name: String)
        case list([Value], [(name: String, value: Value)], name: String)
    }

    private mutating func add(_ name: String, _ value: Value) { members.append((name, value)) }

    private mutating func add(_ name: StaticString, _ value: Value) {
        add(name.description, value)
    }

    mutating func field(_ name: StaticString, _ value: Int) { add(name, .whole(value)) }
    mutating func field(named name: String, _ value: Int) { add(name, .whole(value)) }
    mutating func field(_ name: StaticString, _ value: Bool) { add(name, .bool(value)) }
    mutating func field(_ name: StaticString, _ value: String?) {
        add(name, value.map { .text($0) } ?? .null)
    }
    mutating func field(_ name: StaticString, _ values: StrideThrough<Int>) {
        add(name, .list(values.map { .whole($0) }))
    }
    mutating func field(_ name: StaticString, _ values: [String]) {
        add(name, .list(values.map { .text($0) }))
    }
    mutating func field(_ name: StaticString, points: Double) { add(name, .number(points)) }
    mutating func field(_ name: StaticString, frame: Rect) {
        let sides = [frame.origin.x, frame.origin.y, frame.size.width, frame.size.height]
        add(name, .list(sides.map { .number($0) }))
    }
    mutating func field(_ name: StaticString, content: Node) { add(name, Value(content)) }
    mutating func null(_ name: StaticString) { add(name, .null) }

    mutating func open(_ name: StaticString) {
        outer.append(.table(members, name: name.description))
        members = []
    }

    mutating func close() {
        let inner = Value.table(members)
        switch outer.popLast() {
        case .table(let around, let name):
            members = around
            add(name, inner)
        case .list(var elements, let around, let name):
            elements.append(inner)
            members = []
            outer.append(.list(elements, around, name: name))
        case nil: break
        }
    }

    mutating func openList(_ name: StaticString) {
        outer.append(.list([], members, name: name.description))
        members = []
    }

    mutating func openElement() { members = [] }

    mutating func closeList() {
        guard case .list(let elements, let around, let name) = outer.popLast() else { return }
        members = around
        add(name, .list(elements))
    }

    mutating func view(_ name: StaticString, _ state: ViewState) {}
    mutating func view(named name: String, _ state: ViewState) {}
    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {}
    mutating func view(_ name: StaticString, id: String, _ state: ViewState) {}
}
