import Geometry

/// The views that a component shows, to find those that a change of its scene placed anew.
struct ShownViews: ViewSink {
    /// A view's name, as it is written to a sink.
    enum Name: Hashable {
        case plain(String)
        case numbered(String, Int)
        case identified(String, id: String)
    }

    private var views: [(name: Name, view: ViewState)] = []

    init(_ shown: some Presentable) { shown.views(into: &self) }

    mutating func view(_ name: StaticString, _ state: ViewState) {
        view(named: name.description, state)
    }

    mutating func view(named name: String, _ state: ViewState) {
        views.append((.plain(name), state))
    }

    mutating func view(_ name: StaticString, number: Int, _ state: ViewState) {
        views.append((.numbered(name.description, number), state))
    }

    mutating func view(_ name: StaticString, id: String, _ state: ViewState) {
        views.append((.identified(name.description, id: id), state))
    }

    /// The names of the views that are elsewhere in `later`, or gone, in their order.
    func placedAnew(in later: ShownViews) -> [Name] {
        let there = Dictionary(
            later.views.map { ($0.name, $0.view) }, uniquingKeysWith: { first, _ in first })
        return views.compactMap { name, view in
            there[name].map { Self.isInPlace($0, view) } == true ? nil : name
        }
    }

    /// Computing in another order changes the last bits.
    private static func isInPlace(_ view: ViewState, _ former: ViewState) -> Bool {
        func isNear(_ a: Double, _ b: Double) -> Bool {
            (a - b).magnitude <= 1e-9 * max(1, b.magnitude)
        }
        return isNear(view.center.x, former.center.x) && isNear(view.center.y, former.center.y)
            && isNear(view.rotation, former.rotation) && isNear(view.scale, former.scale)
            && isNear(view.alpha, former.alpha)
    }
}
