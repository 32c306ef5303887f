import Geometry
import Testing

@testable import Notation

/// Names that an error about an unknown one tells.
@Suite struct KnownNamesTests {
    @Test func oneThatIsNearIsSuggested() {
        let keys = ["frame_rate", "threshold", "to_offset", "fade_duration", "x"]
        #expect(nearestName(to: "framerate", among: keys) == "frame_rate")
        #expect(nearestName(to: "thresold", among: keys) == "threshold")
    }

    /// A suggestion that misleads is worse than none.
    @Test func oneThatIsFarIsNot() {
        let keys = ["to_offset", "from_offset", "kind", "id"]
        #expect(nearestName(to: "motor_speed", among: keys) == nil)
        #expect(nearestName(to: "color", among: ["frame", "id", "in"]) == nil)
        #expect(nearestName(to: String(repeating: "a", count: 500), among: keys) == nil)
        #expect(nearestName(to: "y", among: ["x"]) == nil)
        #expect(nearestName(to: "", among: []) == nil)
    }

    @Test func allAreListedTheNearestFirst() {
        #expect(listedNames(nearestTo: "newss", among: ["home", "news"]) == "news, home")
        #expect(
            listedNames(nearestTo: "duration", among: ["id", "fade_duration", "kind"])
                == "fade_duration, id, kind")
        #expect(listedNames(nearestTo: "qqqqqq", among: ["b", "a", "b"]) == "b, a")
        #expect(knownNames(nearestTo: "x", among: []) == "there is none")
        let many = (0..<20).map { "name\($0)" }
        #expect(listedNames(nearestTo: "q", among: many).hasSuffix(" and 8 more"))
        let most = (0..<10_000).lazy.map { "name\($0)" }
        let listed = listedNames(nearestTo: "nam7", among: most)
        #expect(listed.hasPrefix("name7, ") && listed.hasSuffix(" and 9988 more"))
    }

    /// The bits give what the table of the definition gives.
    @Test func editsAreCountedAsInTheTable() {
        var random = SplitMix64(seed: 42)
        func word() -> String {
            let count = Int(random.next() % 12)
            return String((0..<count).map { _ in "abcä".randomElement(using: &random) ?? "a" })
        }
        for _ in 0..<5_000 {
            let (one, other) = (word(), word())
            #expect(
                EditDistances(to: one)[other]
                    == Self.distance(Array(one.unicodeScalars), Array(other.unicodeScalars)),
                "\(one) \(other)")
        }
        let long = String(repeating: "ab", count: 32)
        #expect(EditDistances(to: long)[long] == 0)
        #expect(EditDistances(to: long)[String(long.dropFirst())] == 1)
    }

    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var table = Array(repeating: Array(0...b.count), count: a.count + 1)
        for i in 0...a.count { table[i][0] = i }
        for i in a.indices {
            for j in b.indices {
                var best = min(table[i][j + 1], table[i + 1][j]) + 1
                best = min(best, table[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, table[i - 1][j - 1] + 1)
                }
                table[i + 1][j + 1] = best
            }
        }
        return table[a.count][b.count]
    }
}
