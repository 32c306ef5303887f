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

    /// The same object with other values of members: as if each were set by itself, in one pass.
    package func setting(_ values: [Member]) -> Node {
        var changed = members ?? []
        var places: [String: Int] = [:]
        for (place, member) in changed.enumerated() { places[member.name] = place }
        for member in values {
            if let place = places[member.name] {
                changed[place].value = member.value
            } else {
                places[member.name] = changed.count
                changed.append(Member(member.name, member.value))
            }
        }
        return Node(.object(changed), line: line)
    }
}
