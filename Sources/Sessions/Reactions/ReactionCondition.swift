package import Interactions
import Notation

/// Something that must hold, or must not, for a reaction to be performed.
package struct Condition: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// A component, by its index in the scene, is in a phase.
        case phase(component: Int, phase: String)
        /// The count of a kind; 0 for one that never occurred.
        case count(kind: String, CountTest)
        /// A variable, by its index in the scene.
        case variable(Int, VariableTest)
        /// A part of a component, by its index in the scene, is in a state.
        case part(component: Int, ComponentPart, PartState)
    }

    package var test: Test
    /// Whether the test must fail.
    package var isNegated = false

    package init(_ test: Test, isNegated: Bool = false) {
        (self.test, self.isNegated) = (test, isNegated)
    }
}

/// A test of a count.
package struct CountTest: Hashable, Sendable {
    package var equals: Int?
    package var above: Int?
    package var below: Int?

    package init(equals: Int? = nil, above: Int? = nil, below: Int? = nil) {
        (self.equals, self.above, self.below) = (equals, above, below)
    }

    func passes(_ count: Int) -> Bool {
        equals.map { count == $0 } ?? true && above.map { count > $0 } ?? true
            && below.map { count < $0 } ?? true
    }
}

extension Session {
    /// Whether all conditions of a reaction hold now.
    func holds(_ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { passes($0.test) != $0.isNegated }
    }

    private func passes(_ test: Condition.Test) -> Bool {
        switch test {
        case .phase(let component, let phase): machines[component].phase == phase
        case .count(let kind, let test): test.passes(badges.counts[kind])
        case .variable(let index, let test):
            badges.variables.map { test.passes($0.values[index]) } ?? false
        case .part(let component, let part, let state):
            machines[component].isIn(state, part)
        }
    }
}
