import Notation
import Testing

struct TextsTests {
    @Test(arguments: [
        ("", ""), ("a\"b\"", "a&quot;b&quot;"), ("\"\"", "&quot;&quot;"), ("none", "none"),
    ])
    func eachOfACharacterIsReplaced(text: String, expected: String) {
        #expect(text.replacingEach("\"", with: "&quot;") == expected)
    }

    @Test(arguments: [
        ("a://b", "://", 1), ("://", "://", 0), ("aab", "ab", 1), ("b", "ab", nil), ("", "a", nil),
        ("abc", "", 0), ("ab", "abc", nil), ("xyab", "ab", 2),
    ])
    func theFirstPlaceOfATextIsFound(text: String, other: String, place: Int?) {
        let range = text.range(ofFirst: other)
        #expect(range.map { text.distance(from: text.startIndex, to: $0.lowerBound) } == place)
        #expect(range.map { text[$0] == other } ?? true)
        #expect(text.holds(other) == (place != nil))
    }

    @Test(arguments: [
        ("1..2", ["1", "2"]), ("..", ["", ""]), ("1...2", ["1", ".2"]), ("1....2", ["1", "", "2"]),
        ("1.2", ["1.2"]), ("", [""]), ("a..", ["a", ""]),
    ])
    func aTextIsCutBetweenMarks(text: String, parts: [Substring]) {
        #expect(text.parts(between: "..") == parts)
        #expect(text.dropFirst(0).parts(between: "..") == parts)
    }
}
