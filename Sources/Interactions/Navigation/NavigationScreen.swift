package import Geometry
package import Notation

extension Navigation {
    /// The transitions that lead out of a screen, to the one below. Raw values are the wire's.
    package enum Departure: String, Hashable, Sendable, CaseIterable, Codable {
        case viaScale = "out-via-scale"
        case toBottom = "out-to-bottom"
        case toTop = "out-to-top"
        case toLeft = "out-to-left"
        case toRight = "out-to-right"

        var style: Style {
            switch self {
            case .viaScale: .outViaScale
            case .toBottom: .outToBottom
            case .toTop: .outToTop
            case .toLeft: .outToLeft
            case .toRight: .outToRight
            }
        }
    }
}

/// A screen as a scene describes it.
package struct NavigationScreen: Hashable, Sendable {
    package var name: String
    /// As UINavigationItem's; nil: none.
    package var title: SceneText?
    /// How `back` leads out of it.
    package var back = Navigation.Departure.viaScale
    /// The point in the component's frame from which it grows and to which it shrinks; nil: the
    /// middle.
    package var origin: Vector?

    package init(_ name: String, title: SceneText? = nil) {
        self.name = name
        self.title = title
    }
}

extension NavigationScreen: ParameterEntry {
    package static var idKey: String { "name" }
    package var uniqueID: String? { name }

    package init() { self.init("") }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        try table.require("name")
        try table.name("name", &name)
        try table.text("title", &title)
        try table.choice("back", &back)
        try table.point("origin", &origin)
    }
}

extension NavigationParameters {
    /// Whether there is a screen of a name. Where a scene describes none, any name is one.
    package func hasScreen(_ name: String) -> Bool {
        screens.isEmpty || screens.contains { $0.name == name }
    }

    package var screenNames: [String] { screens.map(\.name) }

    /// The place of a screen's description; nil: there is none.
    func index(ofScreen name: String) -> Int? { screens.firstIndex { $0.name == name } }

    func back(from screen: String) -> Navigation.Departure {
        index(ofScreen: screen).map { screens[$0].back } ?? .viaScale
    }

    func origin(of screen: String) -> Vector? {
        index(ofScreen: screen).flatMap { screens[$0].origin }
    }
}
