package import Notation

/// The values that a command of a reaction would write into a component, as a small table of that
/// component: it is read before anything happens, and shows what the component would refuse.
package struct CommandTrial: Sendable {
    /// The command's argument that is tried.
    package var argument: String
    /// Keys of the component beside `id`, `kind` and `frame`.
    package var keys: [Node.Member]
    /// The things that are wrong and that no reading tells. Their paths begin in the component.
    package var faults: [TableError]

    package init(of argument: String, _ keys: [Node.Member] = [], faults: [TableError] = []) {
        self.argument = argument
        self.keys = keys
        self.faults = faults
    }
}
