package import Geometry
package import Interactions

/// The views of a component at one instant, in the order in which it tells them.
package struct Look: Sendable {
    package struct View: Sendable {
        package var name: String
        package var state: ViewState

        package init(_ name: String, _ state: ViewState) {
            self.name = name
            self.state = state
        }
    }

    package var views: [View] = []

    package init() {}

    package init(_ shown: some Presentable) { shown.views(into: &self) }

    package subscript(name: String) -> ViewState? {
        views.first { $0.name == name }?.state
    }
}

extension Look: ViewSink {
    package mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }

    package mutating func view(named name: String, _ state: ViewState) {
        views.append(View(name, state))
    }

    package mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        views.append(View("\(name)\(number)", state))
    }

    package mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        views.append(View("\(name)\(id)", state))
    }
}
