/// A programmatic action on one component, with every argument that any of them takes.
package struct Command: Hashable, Sendable {
    /// As on the wire: `present`, `select`, `reset` …; a kind rejects what it does not know.
    package var name: String
    /// `index`, of tabs' commands.
    package var index: Int?
    /// `kind`, of the badges' `clear`.
    package var kind: String?
    /// `screen` and `transition`, of the navigation's `present`.
    package var screen: String?
    package var transition: String?

    package init(
        _ name: String, index: Int? = nil, kind: String? = nil, screen: String? = nil,
        transition: String? = nil
    ) {
        self.name = name
        self.index = index
        self.kind = kind
        self.screen = screen
        self.transition = transition
    }
}
