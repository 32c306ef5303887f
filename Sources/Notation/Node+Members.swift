extension Node {
    /// The same object without a member.
    package func without(_ name: String) -> Node {
        Node(.object((members ?? []).filter { $0.name != name }), line: line)
    }

    /// The same object with another value of a member.
    package func setting(_ name: String, _ value: Node) -> Node {
        var changed = members ?? []
        guard let place = changed.lastIndex(where: { $0.name == name }) else {
            return Node(.object(changed + [Member(name, value)]), line: line)
        }
        changed[place].value = value
        return Node(.object(changed), line: line)
    }
}
