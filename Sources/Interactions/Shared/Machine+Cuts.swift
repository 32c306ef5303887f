import Notation

extension Machine {
    /// At least the `cut` of each of its views, also of those that are absent.
    ///
    /// It is looked up in what an export says of the machine: rarely asked for, it is worth no
    /// field in each kind.
    package var cutMax: Int { Node(encoding: self).highestCut }
}

extension Node {
    /// The highest count in any ``ViewCuts`` or ``RowCuts`` in it.
    fileprivate var highestCut: Int {
        switch value {
        case .array(let elements): return elements.reduce(0) { max($0, $1.highestCut) }
        case .object(let members):
            return members.reduce(0) { highest, member in
                let isCount = member.name == "count" || member.name == "floor"
                let own = isCount ? member.value.int ?? 0 : member.value.highestCut
                return max(highest, own)
            }
        case .null, .bool, .integer, .unsigned, .number, .string: return 0
        }
    }
}
