import Geometry
import Notation
import Testing

@testable import Protocol

/// Something of everything that state is made of.
private struct Chest: Codable, Equatable {
    enum Lock: Codable, Equatable {
        case open
        case shut(Int, key: String)
    }

    var double = 0.1 + 0.2
    var small = 3 * Double.leastNonzeroMagnitude
    var zero = -0.0
    var float: Float = 0.1
    var truth = true
    var text = "grüße \"x\"\n"
    var int = -(1 << 53 - 1)
    var word = UInt64.max
    var wide = Int64.min
    var none: Int?
    var some: Int? = 3
    var locks = [Lock.open, .shut(4, key: "k")]
    var range = -1.5...2.5
    var place = Vector(1, -2)
    var step = Step(77)
    var tree = Node(.object([.init("a", Node(.array([Node(.null), Node(.bool(false))])))]))
}

@Suite struct NodeCodingTests {
    @Test func anEncodedValueDecodesFromItsNodeAndItsText() throws {
        let chest = Chest()
        let node = Node(encoding: chest)
        #expect(try node.decode(Chest.self) == chest)
        let read = try Document.json(node.json())
        let back = try read.decode(Chest.self)
        #expect(back == chest)
        // Equality does not tell a zero from its negative.
        #expect(back.zero.bitPattern == chest.zero.bitPattern)
        #expect(back.small.bitPattern == chest.small.bitPattern)
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func everyDoubleComesBackToTheBit(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let numbers = (0..<200).map { _ in Double(bitPattern: random.next()) }
            .filter(\.isFinite)
        let read = try Document.json(Node(encoding: numbers).json())
        let back = try read.decode([Double].self)
        #expect(back.map(\.bitPattern) == numbers.map(\.bitPattern), "seed \(seed)")
    }

    @Test func nonFiniteNumbersAreTextAndRefusedUnlessAllowed() throws {
        let numbers = [Double.infinity, -.infinity, .nan]
        let node = try Document.json(Node(encoding: numbers).json())
        #expect(throws: NodeError(path: "0", message: "must be a finite number")) {
            try node.decode([Double].self)
        }
        let back = try node.decode([Double].self, isFinite: false)
        #expect(back[0] == .infinity && back[1] == -.infinity && back[2].isNaN)
    }

    /// A number that single precision would make infinite is refused as an infinity is.
    @Test func aNumberBeyondSinglePrecisionIsRefused() throws {
        let most = Double(Float.greatestFiniteMagnitude)
        #expect(try Node(encoding: [most, -most, 1e-300]).decode([Float].self).count == 3)
        for number in [most * 1.000_001, -1e39, 1e300] {
            #expect(throws: NodeError(path: "0", message: "must be a number of single precision")) {
                try Node(encoding: [number]).decode([Float].self)
            }
        }
    }

    /// A changed member, and the beginning of the error.
    @Test(arguments: [
        ("double", Node(.string("1")), "double: must be a finite number"),
        ("truth", Node(.integer(1)), "truth: must be true or false"),
        ("text", Node(.null), "text: must be a string"),
        ("int", Node(.number(1e18)), "int: must be a whole number of 64 bits"),
        ("int", Node(.string("3")), "int: must be a whole number of 64 bits"),
        ("word", Node(.integer(-1)), "word: must be a whole number of 64 bits"),
        ("word", Node(.string("18446744073709551616")), "word: must be a whole number"),
        ("locks", Node(.bool(true)), "locks: must be a list"),
        ("locks", Node(.array([Node(.integer(1))])), "locks.0: must be a table"),
        ("place", Node(.array([Node(.integer(1))])), "place: must have more than 1 entries"),
        ("step", Node(.integer(-1)), "step: must be a step"),
    ])
    func aDecodingErrorNamesThePlaceAndTheReason(name: String, value: Node, said: String) throws {
        var members = try #require(Node(encoding: Chest()).members)
        let place = try #require(members.firstIndex { $0.name == name })
        members[place].value = value
        #expect {
            try Node(.object(members)).decode(Chest.self)
        } throws: { error in
            let isSaid = "\(error)".hasPrefix(said)
            if !isSaid { print("said \(error)") }
            return isSaid
        }
    }

    @Test func aMissingMemberIsNamed() throws {
        let members = try #require(Node(encoding: Chest()).members).filter { $0.name != "locks" }
        #expect(throws: NodeError(path: "locks", message: "is required")) {
            try Node(.object(members)).decode(Chest.self)
        }
    }
}
