import Commands
import GesturedClient
import Testing

@testable import ToolCommands

@Suite struct UpdateTemplateTests {
    private func line(_ template: String, _ body: String) throws -> String {
        let update = try #require(
            ReceivedUpdate(topic: Array("state/alice/toss".utf8), body: Array(body.utf8)))
        return try UpdateTemplate(template)
            .line(update, received: WallTime(milliseconds: update.time + 1.5)).text
    }

    @Test func fieldsAreFilledAndRounded() throws {
        let body = #"{"epoch":"e","seq":7,"t":1500.25,"phase":"on","v":[{"x":-1.005}],"n":null}"#
        #expect(try line("%s %c %k %n %e %U %D", body) == "alice toss state 7 e 1.500 1.500")
        #expect(
            try line("[%8.1{v.0.x}][%-4{phase}][%.1{phase}][%{n}]", body)
                == "[    -1.0][on  ][o][]")
        #expect(try line(#"%%\n\t\\%.0D"#, body) == "%\n\t\\2")
    }

    /// A publisher cannot command the reader's terminal.
    @Test func controlsOfAPeerAreShownByNumber() throws {
        let body = #"{"epoch":"e","seq":1,"t":0,"phase":"a\u001b[31m\nb"}"#
        #expect(try line("%{phase}", body) == #"a\u{1b}[31m\u{a}b"#)
    }

    @Test(arguments: [
        (0, 3, "0.000"), (1.5, 0, "2"), (-0.04, 1, "0.0"), (12.345678, 6, "12.345678"),
    ])
    func decimalsAreFixed(value: Double, decimals: Int, text: String) {
        #expect(UpdateTemplate.fixed(value, decimals) == text)
    }
}
