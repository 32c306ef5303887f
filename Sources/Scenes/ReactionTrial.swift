import Geometry
import Interactions
package import Notation
import Sessions

/// A component as a command of a reaction would write into it, to be read before that happens.
package struct ReactionTrial {
    /// The reaction's number, and which of its actions it is: `reaction 1, do`.
    let path: String
    /// The line of the reaction's `do` in a file.
    let line: Int?
    /// The command's argument that is tried.
    let argument: String
    /// The component's table, in nothing that holds it.
    let component: Node
    /// The room in which the component stands.
    let viewport: Space
    /// The keys of the scene to which the component's texts refer: its variables and its language.
    let textKeys: [Node.Member]
    /// Keys whose values are told when something happens. They are not in the table.
    let told: Set<String>
    /// Errors of the component that no reading tells.
    package let faults: [TableError]

    /// A scene of that component alone, with the values that its texts name.
    package var scene: Node {
        func list(_ numbers: [Double]) -> Node { Node(.array(numbers.map { Node(.number($0)) })) }
        let (size, insets) = (viewport.size, viewport.insets)
        let members: [Node.Member] = [
            .init("viewport", list([size.width, size.height])),
            .init("insets", list([insets.top, insets.left, insets.bottom, insets.right])),
            .init("components", Node(.array([component]))),
        ]
        return Node(.object(members + textKeys))
    }

    /// Whether a key is missing only because its value is told when something happens.
    package func isTold(_ fault: TableError) -> Bool {
        fault.isAbsence && fault.key.map(told.contains) == true
    }

    /// The error of the reaction, for an error of the component. `value` stands at the error's key.
    package func error(_ fault: TableError, value: Node?) -> TableError {
        var fault = fault
        if let value, fault.message.hasPrefix("must ") {
            fault.message = "\(value.shown) \(fault.message)"
        }
        if fault.path.isEmpty, let key = fault.key {
            return TableError(
                path: path, key: key, line: fault.line ?? line, message: fault.message)
        }
        return TableError(
            path: path, key: argument, line: fault.line ?? line, message: fault.description)
    }
}
