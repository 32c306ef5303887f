package import Notation

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
    /// The whole body, of commands that change a world; empty of all others.
    package var members: [Node.Member]

    package init(
        _ name: String, index: Int? = nil, kind: String? = nil, screen: String? = nil,
        transition: String? = nil, members: [Node.Member] = []
    ) {
        self.name = name
        self.index = index
        self.kind = kind
        self.screen = screen
        self.transition = transition
        self.members = members
    }
}
