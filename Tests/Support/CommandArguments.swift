package import Notation

extension [Node.Member] {
    /// The arguments of a command: those that are given, then all other `members`.
    package static func of(
        index: Int? = nil, kind: String? = nil, screen: String? = nil, transition: String? = nil,
        members: [Node.Member] = []
    ) -> [Node.Member] {
        let texts = [("kind", kind), ("screen", screen), ("transition", transition)]
        return [index.map { Node.Member("index", Node(.integer($0))) }].compactMap { $0 }
            + texts.compactMap { name, text in text.map { Node.Member(name, Node(.string($0))) } }
            + members
    }
}
