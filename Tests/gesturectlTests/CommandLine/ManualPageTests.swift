import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Manual
@testable import ToolCommands

@Suite struct ManualPageTests {
    @Test func everyCommandOptionAndExampleIsOnThePage() {
        let page = Tool.program.page
        for command in Command.all {
            #expect(page.contains(".SS \"gesturectl \(Roff.escaped(command.described.heading))\""))
            for option in command.options {
                #expect(page.contains("\\fB\(Roff.escaped(option.name))\\fR"), "\(option.name)")
            }
            #expect(!command.examples.isEmpty, "\(command.name) has no example")
            for (line, effect) in command.examples {
                #expect(page.contains(Roff.escaped(line)) && !effect.isEmpty, "\(line)")
                #expect(line.contains("gesturectl"), "\(line)")
                #expect(Help.of(command).contains("  \(line)\n"))
            }
        }
        for option in Command.commonOptions {
            #expect(page.contains("\\fB\(Roff.escaped(option.name))\\fR"), "\(option.name)")
        }
    }

    /// Examples are typed as they stand: their options must be the command's.
    @Test(arguments: Command.all.map(\.name))
    func examplesNameOptionsThatThereAre(name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        let known = (Command.all.flatMap(\.options) + Command.commonOptions).map(\.name)
        for (line, _) in command.examples {
            for word in line.split(separator: " ") where word.hasPrefix("--") {
                #expect(known.contains(String(word)), "\(line): \(word)")
            }
        }
    }

    /// Where one of the formatters is installed, it has nothing to complain about.
    @Test(arguments: [
        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8"],
        ["mandoc", "-Tlint", "-W", "warning"],
    ])
    func noFormatterComplains(command: [String]) throws {
        guard isInstalled(command[0]) else {
            print("\(command[0]) is not installed: the pages are not checked with it")
            return
        }
        let file = try String(
            contentsOf: repositoryURL("config/gestured.toml"), encoding: .utf8)
        let pages = [
            Tool.program.page, Program.gestured.page, try ConfigurationPage.page(from: file),
        ]
        for page in pages {
            #expect(try warnings(of: command, about: page) == "")
        }
    }
}

private func isInstalled(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
}

/// Warnings come on standard error of the one, and standard output of the other.
private func warnings(of command: [String], about page: String) throws -> String {
    let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("gestured-page-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(page.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command + [file.path]
    let pipe = Pipe()
    let isMan = command[0] == "man"
    process.standardOutput = isMan ? FileHandle.nullDevice : pipe
    process.standardError = pipe
    try process.run()
    let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
}
