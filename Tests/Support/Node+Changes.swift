package import Notation

/// Copies of documents with one value changed, to damage a saved state on purpose.
extension Node {
    /// The same with what stands at a place, as `machines.0.touching`, made another.
    package func changed(_ path: String, _ change: (Node) -> Node) -> Node {
        changed(path.split(separator: ".").map(String.init)[...], change)
    }

    private func changed(_ path: ArraySlice<String>, _ change: (Node) -> Node) -> Node {
        guard let key = path.first else { return change(self) }
        if case .array(var nodes) = value, let place = Int(key), nodes.indices.contains(place) {
            nodes[place] = nodes[place].changed(path.dropFirst(), change)
            return Node(.array(nodes))
        }
        guard case .object(var members) = value,
            let place = members.firstIndex(where: { $0.name == key })
        else { preconditionFailure("there is no \(key)") }
        members[place].value = members[place].value.changed(path.dropFirst(), change)
        return Node(.object(members))
    }

    /// The list with its last entry once more, changed.
    package func repeating(_ change: (Node) -> Node = { $0 }) -> Node {
        guard let nodes = array, let last = nodes.last else { return self }
        return Node(.array(nodes + [change(last)]))
    }

    package func adding(_ count: Int) -> Node { Node(.integer((int ?? 0) + count)) }
    package func with(_ path: String, _ value: Int) -> Node {
        changed(path) { _ in Node(.integer(value)) }
    }
}
