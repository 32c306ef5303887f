import Geometry
package import Notation

/// Spoils trees as somebody would who wants to see the daemon fall.
package struct Spoiler {
    private var random: SplitMix64

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static let numbers = [
        0, -1, 1, 2, 7, 1e9, -1e9, 1e12, 1e15, 1e18, 9e15, 1e60, -1e60, 1e300, -1e308, 1e-300,
        1e-9, 0.5, 3, 255, 256, 32_767, 65_536, 2_147_483_647, 4_294_967_295, 1e38, 3.4e38, 1e39,
        -1e39,
    ]

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[random.whole(in: 0...elements.count - 1)]
    }

    /// The same tree with one place spoiled.
    package mutating func spoiled(_ node: Node) -> Node {
        switch node.value {
        case .array(var nodes) where !nodes.isEmpty:
            let place = random.whole(in: 0...nodes.count - 1)
            switch random.whole(in: 0...19) {
            case 0: nodes.remove(at: place)
            case 1: nodes.append(nodes[place])
            case 2: nodes.swapAt(place, 0)
            case 3: nodes = []
            default: nodes[place] = spoiled(nodes[place])
            }
            return Node(.array(nodes))
        case .object(var members) where !members.isEmpty:
            let place = random.whole(in: 0...members.count - 1)
            switch random.whole(in: 0...29) {
            case 0: members.remove(at: place)
            case 1: members[place].value = members[random.whole(in: 0...members.count - 1)].value
            case 2: members[place].value = Node(.null)
            default: members[place].value = spoiled(members[place].value)
            }
            return Node(.object(members))
        case .bool(let truth): return Node(.bool(!truth))
        case .string(let text):
            return Node(.string(pick(["", text + "x", "inf", "nan", "-1", "a", "zz"])))
        case .null, .integer, .unsigned, .number, .array, .object:
            let number = pick(Self.numbers)
            if let whole = Int(exactly: number) { return Node(.integer(whole)) }
            return Node(.number(number))
        }
    }
}
