import Interactions
import Notation
import Testing

@testable import Interactions

struct ViewCutsTests {
    private struct Holder: Codable, Equatable {
        var cuts = ViewCuts()
    }

    @Test func eachNameCountsFromZero() {
        var cuts = ViewCuts()
        #expect(cuts["tip"] == 0 && cuts.isEmpty)
        cuts.grow("tip")
        cuts.grow("tip")
        cuts.grow("backdrop")
        #expect(cuts["tip"] == 2 && cuts["backdrop"] == 1 && cuts["other"] == 0)
    }

    @Test func noCountFallsWhereTheOldestIsForgotten() {
        var cuts = ViewCuts()
        for _ in 0..<3 { cuts.grow("first") }
        for number in 0..<Limits.viewCutsMax { cuts.grow("s\(number)") }
        #expect(cuts["first"] >= 3)
        #expect(cuts["new"] == 3)
        cuts.grow("first")
        #expect(cuts["first"] == 4)
    }

    @Test func theFormatListsNamesFromTheOldest() throws {
        var holder = Holder()
        for name in ["first", "second", "third", "second", "third", "fourth"] {
            holder.cuts.grow(name)
        }
        let cuts = try #require(Node(encoding: holder)["cuts"])
        let entries = try #require(cuts["entries"]?.array)
        #expect(entries.map { $0["name"]?.string } == ["first", "second", "third", "fourth"])
        #expect(entries.map { $0["count"]?.int } == [1, 2, 2, 1])
        #expect(cuts["floor"]?.int == 0)
        #expect(try Node(encoding: holder).decode(Holder.self) == holder)
    }

    @Test func aComponentWithoutCutsWritesNoneAndReadsNone() throws {
        #expect(Node(encoding: Holder()) == Node(.object([])))
        #expect(try Node(.object([])).decode(Holder.self) == Holder())
        var holder = Holder()
        holder.cuts.grow("tip")
        #expect(try Node(encoding: holder).decode(Holder.self) == holder)
    }
}
