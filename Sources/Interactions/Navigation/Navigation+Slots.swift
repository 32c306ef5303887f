package import Geometry
import Notation

extension NavigationParameters {
    package static var clips: Bool { true }

    /// Each screen by its name, and every name is a screen.
    package func slotSize(_ name: String, viewport: Size) -> Size? {
        Name.isValid(name) ? viewport : nil
    }
}

extension Navigation {
    /// While a transition runs it takes everything.
    package var reach: Reach { isTransitioning ? .closed : .views }

    /// It has no recognizers: what its screens hold takes part alone.
    package func takesLanding(at point: Vector) -> Bool { false }
}
