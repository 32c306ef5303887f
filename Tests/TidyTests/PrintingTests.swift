import Testing

/// A peer's text reaches a terminal only through the types that show its controls by number.
struct PrintingTests {
    /// Calls that write to a terminal, and the files that may make them.
    private var writers: [(what: String, pattern: Regex<Substring>, files: Set<String>)] {
        [
            (
                "print",
                /(?:^|[^.\w])(?:print|debugPrint|dump|f?puts|f?putc|putchar|fwrite|[vfd]?printf)\(/,
                []
            ),
            (
                "a file handle", /(?:^|\W)FileHandle\b|\.standard(?:Output|Error)\b/,
                ["Supervision/StandardStreams.swift"]
            ),
            (
                "a call of the system", /(?:^|\W)Glibc\.write\(|(?:^|\W)writev?\(\w*[dD]escriptor/,
                ["gesturectl/Terminal/Console.swift", "gesturectl/Terminal/Terminal.swift"]
            ),
            (
                "the console's own write", /(?:^|\W)writeAll\(/,
                ["gesturectl/Terminal/Console.swift", "gesturectl/Files/OutputFile.swift"]
            ),
            (
                "the log's own write", /(?:^|\W)gs_write_unless_full\(/,
                ["Daemon/Operations/Log.swift"]
            ),
            (
                "standard output or error", /(?:^|\W)STD(?:OUT|ERR)_FILENO/,
                [
                    "gesturectl/Terminal/Console.swift", "gesturectl/Terminal/Terminal.swift",
                    "gesturectl/Terminal/Style.swift", "gesturectl/Files/OutputFile.swift",
                    "gesturectl/Files/OutputFile+Replace.swift", "Daemon/Operations/Log.swift",
                    "Daemon/Operations/Journal.swift",
                ]
            ),
            (
                "text that is taken for a literal", /(?:^|\W)stringLiteral:/,
                []
            ),
            (
                "text that is taken for the tool's own", /(?:^|\W)ShownText\(\s*ownLines:/,
                [
                    "gesturectl/CommandLine/Tool.swift", "gesturectl/Commands/ManualCommand.swift",
                    "gesturectl/Commands/CompletionCommand.swift",
                    "gesturectl/Commands/SchemaCommand.swift",
                ]
            ),
        ]
    }

    @Test func nothingIsPrintedAroundTheTypesThatShowControls() throws {
        var met: [String: Set<String>] = [:]
        for file in Repository.files(under: "Sources", endings: [".swift"]) {
            let name = String(file.dropFirst("Sources/".count))
            for (number, line) in try Repository.lines(of: file).enumerated() {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                for (what, pattern, files) in writers where code.contains(pattern) {
                    met[what, default: []].insert(name)
                    #expect(files.contains(name), "\(file):\(number + 1) uses \(what): \(line)")
                }
            }
        }
        // A pattern that finds nothing where it should would find nothing elsewhere either.
        for (what, _, files) in writers { #expect(met[what, default: []] == files) }
    }
}
