/// A part of a component that conditions of a scene name.
package enum ComponentPart: Hashable, Sendable {
    /// Counted from 0.
    case row(Int)
    case item(String)
}

/// A state that parts of some kinds are in.
package enum PartState: String, Hashable, Sendable, CaseIterable {
    case selected, open
}

extension Machine {
    package func isIn(_ state: PartState, _ part: ComponentPart) -> Bool { false }
}
