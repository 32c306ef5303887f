import Geometry
import Interactions

/// All views of a component, by their names.
struct ViewList: ViewSink {
    private(set) var views: [(name: String, view: ViewState)] = []

    mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }

    mutating func view(named name: String, _ state: ViewState) { views.append((name, state)) }

    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        views.append(("\(name)\(number)", state))
    }

    mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        views.append(("\(name)\(id)", state))
    }

    /// From front to back, in exact reverse of painting: of equal `z` the last is in front.
    var fromTheFront: [(name: String, view: ViewState)] {
        views.enumerated().sorted {
            ($0.element.view.z, $0.offset) > ($1.element.view.z, $1.offset)
        }
        .map(\.element)
    }
}

/// Finds one view by its name. It allocates nothing, since it runs for each sample of a contact.
struct ViewFinder: ViewSink {
    let slot: Slot
    private(set) var found: ViewState?

    init(_ slot: Slot) { self.slot = slot }

    mutating func view(_ name: StaticString, _ state: ViewState) {
        if slot.isNamed(name) { found = state }
    }

    mutating func view(named name: String, _ state: ViewState) {
        if name == slot.name { found = state }
    }

    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        if slot.isNamed(name, number) { found = state }
    }

    mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        if slot.isNamed(name, id: id) { found = state }
    }
}
