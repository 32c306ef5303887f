import Commands
import Testing

@testable import ToolCommands

@Suite struct JUnitReportTests {
    @Test func textsAreEscapedAndControlsAreReplaced() {
        #expect(JUnitReport.escaped("<a b=\"c\">&\n\t") == "&lt;a b=&quot;c&quot;&gt;&amp;\n\t")
        #expect(JUnitReport.escaped("\u{1B}\u{0}\u{FFFE}é") == "\u{FFFD}\u{FFFD}\u{FFFD}é")
    }

    @Test func aFaultIsAnError() {
        var result = ExpectationResult(recording: "a.jsonl", file: "a.expect.toml")
        result.fault = "a.expect.toml:3: no"
        let text = String(decoding: JUnitReport([result]).bytes, as: UTF8.self)
        #expect(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""))
        #expect(text.contains("<error message=\"a.expect.toml:3: no\" type=\"file\"/>"))
    }
}
