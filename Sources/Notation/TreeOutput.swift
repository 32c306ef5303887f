extension Node {
    /// A value as a tree, by its own `Codable`: `decode` makes the same of it, to the bit.
    package init(encoding value: some Encodable) {
        let output = TreeOutput()
        ValueEncoder.encode(value, into: output)
        self = output.node
    }
}

/// Builds a tree from the parts of a value.
private final class TreeOutput: EncodingOutput {
    private struct Container {
        /// Where its values begin in `values`.
        let start: Int
        /// Its own name, if it is a member.
        let name: String
    }

    /// The values that no container holds yet, outermost first.
    private var values: [Node.Member] = []
    private var containers: [Container] = []
    /// The name of the next value, if it is a member.
    private var name = ""

    /// The tree, once it is complete.
    var node: Node {
        precondition(containers.isEmpty && values.count == 1, "the tree is not complete")
        return values[0].value
    }

    private func add(_ value: Node.Value) {
        values.append(Node.Member(name, Node(value)))
        name = ""
    }

    private func open() {
        containers.append(Container(start: values.count, name: name))
        name = ""
    }

    /// Takes the values of the innermost container, and leaves its name for `add`.
    private func close() -> [Node.Member] {
        guard let container = containers.popLast() else {
            preconditionFailure("no container is open")
        }
        let members = Array(values[container.start...])
        values.removeSubrange(container.start...)
        name = container.name
        return members
    }

    func openTable() { open() }
    func openList() { open() }

    func closeTable() {
        let members = close()
        add(.object(members))
    }

    func closeList() {
        let elements = close().map(\.value)
        add(.array(elements))
    }

    func startMember(_ name: String, isFirst: Bool) { self.name = name }
    func startElement(isFirst: Bool) { name = "" }

    func writeNull() { add(.null) }
    func write(_ truth: Bool) { add(.bool(truth)) }
    func write(_ text: String) { add(.string(text)) }
    func write(_ number: Double) { add(.number(number)) }
    func write(_ whole: Int) { add(.integer(whole)) }

    func write(_ tree: Node) { add(tree.value) }
}
