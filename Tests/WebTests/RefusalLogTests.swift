import Testing

@testable import Web

struct RefusalLogTests {
    private static let minute = 60_000_000_000

    @Test func theSameRefusalIsToldOnceInAWhile() {
        var log = RefusalLog()
        let told = (0..<100).compactMap { log.line("a page", at: $0 * 1_000_000_000) }
        #expect(told == ["a page"])
        let again = log.line("a page", at: RefusalLog.repeatNanoseconds)
        #expect(again == "a page")
    }

    @Test func aFloodIsCounted() {
        var log = RefusalLog()
        let lines = (0..<1_000).compactMap { log.line("page \($0)", at: $0) }
        #expect(lines.count == RefusalLog.linesPerMinuteMax && lines[0] == "page 0")
        let next = log.line("another", at: Self.minute)
        let untold = 1_000 - RefusalLog.linesPerMinuteMax
        #expect(next == "another (\(untold) other refusals before it are not told)")
        let last = log.line("the last", at: Self.minute + 1)
        #expect(last == "the last")
    }

    @Test func whatIsRememberedIsBounded() {
        var log = RefusalLog()
        for number in 0...RefusalLog.linesMax {
            _ = log.line("page \(number)", at: number * Self.minute / RefusalLog.linesPerMinuteMax)
        }
        let now = (RefusalLog.linesMax + 10) * Self.minute / RefusalLog.linesPerMinuteMax
        let (oldest, newest) = (
            log.line("page 0", at: now), log.line("page \(RefusalLog.linesMax)", at: now)
        )
        #expect(oldest == "page 0" && newest == nil)
    }

    @Test func whatARequestSaysCommandsNoTerminal() {
        #expect(RefusalLog.shown("http://a\u{1B}[31m\u{202E}b") == "\"http://a?[31m?b\"")
        #expect(RefusalLog.shown(String(repeating: "a", count: 5_000)).count == 103)
    }
}
