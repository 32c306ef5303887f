import Testing

@testable import Commands

@Suite struct ToolPartTests {
    @Test(arguments: [
        ("/usr/bin/gesturectl", ["/usr/bin", "/usr/lib/gestured"]),
        ("/usr/local/bin/gesturectl", ["/usr/local/bin", "/usr/local/lib/gestured"]),
        ("/src/.build/release/gesturectl", ["/src/.build/release", "/src/.build/lib/gestured"]),
    ])
    func aPartIsLookedForFromTheToolsOwnFolder(program: String, folders: [String]) {
        #expect(ToolPart.folders(besides: program) == folders)
    }

    @Test func commandsOfAPartAreDescribedWithoutIt() throws {
        let bridges: [Command] = [.bridgeTUIO, .bridgeEvdev, .bridgeMQTT, .bridgeBadge]
        for command in [Command.render, .plot] + bridges {
            #expect(command.run == nil && !command.examples.isEmpty)
            #expect(command.part(Arguments(positionals: [])) != nil)
        }
        let drawing = try Arguments(parsing: ["--draw"], options: Command.watch.options)
        #expect(Command.watch.part(drawing) == .pictures)
        #expect(Command.watch.part(Arguments(positionals: [])) == nil)
    }
}
