/// What of a component outlives the process: where it would settle if nothing more came.
///
/// A drag in flight is gone from it, a page that is being left for is there.
package enum SavedState: Hashable, Sendable {
    case tips(index: Int, isPresented: Bool)
    /// It always comes home.
    case toss
    /// Never empty, the shown screen last.
    case navigation(stack: [String])
    /// In points, within the content.
    case profile(offset: Double)
    case list(selected: Int?)
    case reader(index: Int)
    /// `bubble` is the item that it stands over.
    case tabs(selected: Int, glows: [Bool], bubble: Int?)
    /// All its bodies and behaviors at rest: a world is of its scene only at first.
    case dynamics(SavedWorld)

    /// The kind of component, by its name in scenes.
    package var kind: String {
        switch self {
        case .tips: "tips"
        case .toss: "toss"
        case .navigation: "navigation"
        case .profile: "profile"
        case .list: "list"
        case .reader: "reader"
        case .tabs: "tabs"
        case .dynamics: "dynamics"
        }
    }
}

extension Machine {
    /// What was kept belongs to another kind of component.
    static func mismatch(_ durable: SavedState) -> Never {
        preconditionFailure("\(Self.self) cannot be restored from \(durable)")
    }
}
