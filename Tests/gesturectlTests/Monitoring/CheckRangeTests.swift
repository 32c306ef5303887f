import Testing

@testable import ToolCommands

@Suite struct CheckRangeTests {
    /// The examples of the monitors' guide, with values that raise the alarm and that do not.
    @Test(
        arguments: [
            ("10", [-1, 10.1], [0, 10]), ("10:", [9.9], [10, 1e9]), ("~:10", [10.1], [-1e9, 10]),
            ("10:20", [9, 21], [10, 20]), ("@10:20", [10, 15, 20], [9, 21]), ("0", [1, -1], [0]),
        ] as [(String, [Double], [Double])])
    func rangesAreThoseOfOtherPlugins(text: String, bad: [Double], good: [Double]) throws {
        let range = try #require(CheckRange(text))
        for value in bad { #expect(range.alarms(at: value), "\(value)") }
        for value in good { #expect(!range.alarms(at: value), "\(value)") }
    }

    @Test(arguments: ["", ":", "a", "5:1", "1:2:3", "nan", "inf", "0x1", " 1", "@"])
    func otherTextsAreNone(text: String) {
        #expect(CheckRange(text) == nil)
    }
}
