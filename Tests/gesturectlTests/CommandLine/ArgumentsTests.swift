import Manual
import Testing

@testable import Commands
@testable import ToolCommands

private let options =
    [Option("--count", "N", ""), Option("--json", nil, "")] + Command.commonOptions

@Suite struct ArgumentsTests {
    /// The typed words, and the positionals and values that they mean.
    @Test(
        arguments: [
            ([], [], [:]),
            (["a", "b"], ["a", "b"], [:]),
            (["--count", "3", "a"], ["a"], ["--count": "3"]),
            (["a", "--count=3"], ["a"], ["--count": "3"]),
            (["--count=", "a"], ["a"], ["--count": ""]),
            (["--count=a=b"], [], ["--count": "a=b"]),
            (["--count", "1", "--count", "2"], [], ["--count": "2"]),
            (["--count", "--json"], [], ["--count": "--json"]),
            (["--json", "a"], ["a"], ["--json": ""]),
            (["t", "-"], ["t", "-"], [:]),
            (["--", "--json", "--"], ["--json", "--"], [:]),
            (["-h"], [], ["--help": ""]),
            (["-n", "3", "a"], ["a"], ["--count": "3"]),
            (["-n3", "a"], ["a"], ["--count": "3"]),
            (["-n=3"], [], ["--count": "3"]),
            (["-jh", "a"], ["a"], ["--json": "", "--help": ""]),
            (["-jn3", "a"], ["a"], ["--json": "", "--count": "3"]),
            (["-jn", "3", "a"], ["a"], ["--json": "", "--count": "3"]),
            (["-n", "-j"], [], ["--count": "-j"]),
        ] as [([String], [String], [String: String])])
    func wordsBecomeArguments(words: [String], positionals: [String], values: [String: String])
        throws
    {
        let arguments = try Arguments(parsing: words, options: options)
        #expect(arguments.positionals == positionals)
        #expect(arguments.values == values)
    }

    @Test(arguments: [
        (["--coutn", "3"], "unknown option --coutn; did you mean --count?"),
        (["--count"], "--count needs a value: N"),
        (["--json=yes"], "--json takes no value"),
        (["-x"], "unknown option -x"),
        (["-jx"], "unknown option -x in -jx"),
        (["-n"], "-n needs a value: N"),
        (["-jn"], "-n needs a value: N"),
        (["-o", "f"], "unknown option -o"),
    ])
    func wrongArgumentsAreNamed(words: [String], message: String) {
        let failure = #expect(throws: Failure.self) {
            try Arguments(parsing: words, options: options)
        }
        guard case .usage(let said)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(said.text.hasPrefix(message))
    }

    @Test(arguments: ["", "x", "0", "11", "1.5", "nan", " 3"])
    func aNumberOutOfItsRangeIsRefused(text: String) throws {
        let arguments = try Arguments(parsing: ["--count", text], options: options)
        #expect(throws: Failure.self) { try arguments.whole("--count", in: 1...10) }
        if text != "1.5" {
            #expect(throws: Failure.self) { try arguments.number("--count", in: 0.5...10) }
        }
    }

    @Test func anErrorNamesTheExactRange() throws {
        let arguments = try Arguments(parsing: ["--count", "0"], options: options)
        #expect(throws: Failure.usage("--count must be a number from 0.000001 to 4, not '0'")) {
            try arguments.number("--count", in: 0.000_001...4)
        }
    }

    /// A letter that no command knows would be a promise that nobody keeps.
    @Test func everyLetterMeansAnOptionOfSomeCommand() {
        let names = (Command.all.flatMap(\.options) + Command.commonOptions).map(\.name)
        for (letter, name) in Option.shortNames where !Self.elsewhere.contains(name) {
            #expect(names.contains(name), "-\(letter)")
        }
    }

    private static let elsewhere = [Command.version.name, "--port"]

    @Test func positionalsAreCounted() throws {
        let arguments = try Arguments(parsing: ["a", "b"], options: [])
        #expect(throws: Failure.usage("C is missing")) {
            try arguments.requirePositionals(["A", "B", "C"])
        }
        #expect(throws: Failure.usage("'b' is one argument too many")) {
            try arguments.requirePositionals(["A"])
        }
        try arguments.requirePositionals(["A", "B", "C"], optional: 1)
    }

    @Test(arguments: [
        (["hello"], 0), (["--control", "x", "hello"], 2), (["--control=x", "hello"], 1),
        (["-i", "left", "hello"], 2), (["-ileft", "hello"], 1), (["-h", "hello"], 1),
        (["--help"], nil), (["--timeout", "3"], nil), ([], nil),
    ])
    func theCommandIsFoundBehindOptions(words: [String], place: Int?) {
        #expect(Tool.commandPlace(in: words) == place)
    }

    @Test(arguments: [
        (0, "0"), (-0.0, "0"), (1, "1"), (0.5, "0.5"), (-12.3456, "-12.346"), (1e6, "1000000"),
        (0.0004, "0"), (-0.0006, "-0.001"), (99.9996, "100"), (0.05, "0.05"), (1e300, "1e+300"),
    ])
    func numbersAreShort(value: Double, text: String) {
        #expect(short(value) == text)
    }

    @Test(arguments: Command.all.map(\.name))
    func everyCommandExplainsItself(name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        #expect(Help.of(command).contains("Usage: gesturectl \(name)"))
        #expect(Help.overview(Command.all).contains("\n  \(name)"))
        #expect(Help.of(command).split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
}
