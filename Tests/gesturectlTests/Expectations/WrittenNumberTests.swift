import Testing

@testable import ToolCommands

@Suite struct WrittenNumberTests {
    @Test(arguments: [
        ("160 ± 0.5", "160", 0), ("-1.5e3", "-1.5e3", 0), ("a +2E-1b", "+2E-1", 2), ("1e", "1", 0),
        ("--3", "-3", 1), ("1e+x", "1", 0), ("±.5", ".5", 1), ("e5", "5", 1), ("\"7\"", "7", 1),
    ])
    func theFirstNumberOfATextIsFound(text: String, number: String, place: Int) throws {
        let range = try #require(WrittenNumber.range(in: text))
        #expect(text[range] == number)
        #expect(text.distance(from: text.startIndex, to: range.lowerBound) == place)
    }

    @Test(arguments: ["", "-", "e", "+-", "absent"])
    func aTextWithoutDigitsHasNoNumber(text: String) {
        #expect(WrittenNumber.range(in: text) == nil)
    }

    @Test(arguments: [(" a b\n", "a b"), ("", ""), ("\t ", ""), ("x", "x")])
    func blanksAroundATextAreTakenAway(text: String, trimmed: Substring) {
        #expect(text.trimmed == trimmed)
    }
}
