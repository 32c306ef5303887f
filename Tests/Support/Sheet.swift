package import Notation

/// A tree as it is written in tests: `["id": "ball", "center": [10, 20]]`.
package struct Sheet: Hashable, Sendable, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    package var node: Node

    package init(_ node: Node) { self.node = node }
    package init(_ number: Double) { node = Node(.number(number)) }
    package init(_ text: String) { node = Node(.string(text)) }
    package init(_ list: [Sheet]) { node = Node(.array(list.map(\.node))) }

    package init(dictionaryLiteral elements: (String, Sheet)...) {
        node = Node(.object(elements.map { Node.Member($0.0, $0.1.node) }))
    }

    package init(arrayLiteral elements: Sheet...) { self.init(elements) }
    package init(stringLiteral text: String) { self.init(text) }
    package init(floatLiteral number: Double) { self.init(number) }
    package init(integerLiteral whole: Int) { node = Node(.integer(whole)) }
    package init(booleanLiteral truth: Bool) { node = Node(.bool(truth)) }

    package var members: [Node.Member] { node.members ?? [] }

    /// A table's entry; setting it writes it last.
    package subscript(key: String) -> Sheet? {
        get { node[key].map { Sheet($0) } }
        set {
            let rest = members.filter { $0.name != key }
            node = Node(.object(rest + (newValue.map { [Node.Member(key, $0.node)] } ?? [])))
        }
    }
}
