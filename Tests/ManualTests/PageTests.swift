import Foundation
import Testing

@testable import Manual

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

@Suite struct PageTests {
    @Test func roffControlCharactersAreEscaped() {
        #expect(Roff.escaped(#"--a \n 'b' … ~^"#) == #"\-\-a \en \(aqb\(aq ... \(ti\(ha"#)
        var roff = Roff(name: "x", section: 1, manual: "M")
        roff.line(".TH is no macro here")
        #expect(roff.text.hasSuffix("\n\\&.TH is no macro here\n"))
    }

    @Test(arguments: [false, true])
    func everyOptionOfAServerIsOnItsPageAndInItsHelp(isWeb: Bool) {
        let program = isWeb ? Program.gestureWeb : .gestured
        let page = program.page
        let help = Help.text(of: program)
        for option in program.options {
            #expect(page.contains("\\fB\(Roff.escaped(option.name))\\fR"))
            #expect(help.contains("  \(option.heading) "))
        }
        for example in program.examples {
            #expect(page.contains(Roff.escaped(example.line)))
            #expect(help.contains("  \(example.line)\n"))
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func everyKeyOfTheConfigurationIsOnItsPage() throws {
        let file = try String(
            contentsOf: root.appendingPathComponent("config/gestured.toml"), encoding: .utf8)
        let page = try ConfigurationPage.page(from: file)
        var table = ""
        var count = 0
        for line in file.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                table = line.dropFirst().prefix { $0 != "]" } + "."
                continue
            }
            count += 1
            let key = table + line.prefix { $0 != " " }
            #expect(page.contains(".TP\n\\fB\(Roff.escaped(key))\\fR\n"), "\(key)")
            let value = line.split(separator: "=", maxSplits: 1)[1].drop { $0 == " " }
            #expect(page.contains("Default: \(Roff.escaped(String(value)))\n"), "\(key)")
        }
        #expect(count > 10)
    }

    @Test func aKeyThatNothingExplainsIsNamedByItsLine() {
        #expect(throws: ConfigurationPage.Flaw(line: 3, message: "nothing explains b")) {
            try ConfigurationPage.page(from: "# Explains a.\na = 1\nb = 2\n")
        }
        #expect(throws: ConfigurationPage.Flaw.self) { try ConfigurationPage.page(from: "what\n") }
    }
}
