import Glibc
import Testing

/// A peer's text reaches a terminal only through the types that show its controls by number.
struct PrintingTests {
    /// Code that writes to a terminal, and the files that may have it.
    private struct Writer {
        var what: String
        /// The pattern matches only a line that contains one of these: a plain search is a hundred
        /// times as fast.
        var words: [String]
        var pattern: Regex<Substring>
        var files: Set<String>

        init(
            _ what: String, _ words: [String], _ pattern: Regex<Substring>, _ files: Set<String>
        ) {
            (self.what, self.words, self.pattern, self.files) = (what, words, pattern, files)
        }

        func mayMatch(_ text: String) -> Bool {
            words.contains { unsafe strstr(text, $0) != nil }
        }
    }

    private let writers = [
        Writer(
            "print",
            ["print(", "Print(", "dump(", "puts(", "putc(", "putchar(", "fwrite(", "printf("],
            /(?:^|[^.\w])(?:print|debugPrint|dump|f?puts|f?putc|putchar|fwrite|[vfd]?printf)\(/,
            []),
        Writer(
            "a file handle", ["FileHandle", ".standard"],
            /(?:^|\W)FileHandle\b|\.standard(?:Output|Error)\b/,
            []),
        Writer(
            "a call of the system", ["Glibc.write(", "write(", "writev("],
            /(?:^|\W)Glibc\.write\(|(?:^|\W)writev?\(\w*[dD]escriptor/,
            [
                "Commands/Terminal/Console.swift", "Commands/Terminal/Terminal.swift",
                "Platform/File.swift",
            ]),
        Writer(
            "the console's own write", ["writeAll("], /(?:^|\W)writeAll\(/,
            [
                "Commands/Terminal/Console.swift", "Commands/Files/OutputFile.swift",
                "Platform/File.swift", "Supervision/StandardStreams.swift",
            ]),
        Writer(
            "the log's own write", ["gs_write_unless_full("], /(?:^|\W)gs_write_unless_full\(/,
            ["Daemon/Operations/Log.swift"]),
        Writer(
            "standard output or error", ["_FILENO"], /(?:^|\W)STD(?:OUT|ERR)_FILENO/,
            [
                "Commands/Terminal/Console.swift", "Commands/Terminal/Terminal.swift",
                "Commands/Terminal/TerminalStyle.swift", "Commands/Files/OutputFile.swift",
                "Commands/Files/OutputFile+Replace.swift", "Daemon/Operations/Log.swift",
                "Daemon/Operations/Journal.swift", "Supervision/StandardStreams.swift",
            ]),
        Writer(
            "text that is taken for a literal", ["stringLiteral:"], /(?:^|\W)stringLiteral:/, []),
        Writer(
            "text that is taken for the tool's own", ["ownLines:"],
            /(?:^|\W)ShownText\(\s*ownLines:/,
            [
                "Commands/CommandLine/Tool.swift", "ToolCommands/Commands/ManualCommand.swift",
                "ToolCommands/Commands/CompletionCommand.swift",
                "ToolCommands/Commands/SchemaCommand.swift",
            ]),
    ]

    @Test func nothingIsPrintedAroundTheTypesThatShowControls() throws {
        var met: [String: Set<String>] = [:]
        for file in Repository.files(under: "Sources", endings: [".swift"]) {
            let name = String(file.dropFirst("Sources/".count))
            let text = try Repository.text(of: file)
            let suspects = writers.filter { $0.mayMatch(text) }
            if suspects.isEmpty { continue }
            for (number, line) in try Repository.lines(of: file).enumerated() {
                let line = String(line)
                for writer in suspects where writer.mayMatch(line) {
                    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
                    guard code.contains(writer.pattern) else { continue }
                    met[writer.what, default: []].insert(name)
                    #expect(
                        writer.files.contains(name),
                        "\(file):\(number + 1) uses \(writer.what): \(line)")
                }
            }
        }
        // A pattern that finds nothing where it should would find nothing elsewhere either.
        for writer in writers { #expect(met[writer.what, default: []] == writer.files) }
    }
}
