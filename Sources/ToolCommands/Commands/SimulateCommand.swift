import Codec
import Commands
import Glibc
import Interactions
import Manual
import Platform
import Protocol
import RecordingFiles
import Recordings
import Sessions
import Simulation

extension Command {
    static let simulate = Command(
        name: "simulate", arguments: "FILE…",
        summary: "Run a recording on virtual time and print the updates",
        details: """
            Needs no daemon. Prints the updates that a subscriber of all topics would get, one
            {"topic":…,"body":…} a line, but for those under frame/, which tell the same states
            once more. The same file always gives the same bytes. FILE is any recording that replay
            accepts; - is standard input. Where a recording names no scene for a session, and
            neither does --scene, the session gets the scene phone, and standard error says so.

            With --format csv it prints a table of the states alone, for spreadsheets: a row for
            each view of each state, with the columns t (milliseconds), session, component, phase,
            view, x, y, w, h (points), rotation (radians), scale, alpha, z and cut. A state without
            views is one row. With --field its columns are t, session and the fields, which are
            empty where their view is absent; its rows are the instants that change one of them.
            With --format parquet the same table is written as Parquet, to the file of --output or
            to standard output, by the Python package gestured (extra tables).

            With --expect it compares the run with a file of expectations instead, prints every
            difference, and exits with 1 if there is one. With a folder, each recording FILE has
            its expectations in FOLDER/NAME.expect.toml; FILE may be a folder too.
            docs/testing.md explains the file, which may name the scene. --update changes only what
            differs, but writes a list of transitions anew: it drops each "..." and the entries that
            no longer match, with their tolerances and comments.

            With --seeds it runs the recording once with each seed, on all processors, and prints a
            row for each: when the last update was published, the number of updates, transitions
            and refused events, and a word that is the same for runs of the same bytes. --field
            adds the last value of each field, and its spread below. With --expect it says which
            seeds are not as expected.
            """,
        usesDaemon: false,
        options: [
            Option("--until", "MS", "end this many milliseconds after the first event"),
            Option("--frame-rate", "N", "30, 60 or 120, if the scene names none (default 60)"),
            Option("--format", "json|csv|parquet", "all updates, or a table of states"),
            Option("--output", "FILE", "with parquet: the file (default: standard output)"),
            Option("--field", "F,…", "with a table: only these, such as toss.item.x,toss.phase"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
            Option("--seed", "N", "the seed, instead of the recording's"),
            Option("--seeds", "N|A..B", "run it with each seed from 1 to N, or A to B"),
            Option("--expect", "FILE|DIR", "compare with expectations; exit with 1 if one fails"),
            Option("--junit", "FILE", "with --expect: write a report for a CI server"),
            Option("--update", nil, "with --expect: write the actual values into the file"),
            Option("--verbose", nil, "with --expect: print the expectations that are met, too"),
            Option("--quiet", nil, "with --expect: print those alone that are not"),
        ] + sourceOptions,
        examples: [
            (
                "gesturectl simulate toss.jsonl > toss.updates",
                "save the updates that a client would get"
            ),
            (
                "gesturectl simulate --until 500 --frame-rate 120 toss.jsonl",
                "print the first half second at 120 states a second"
            ),
            (
                "gesturectl simulate wheel.json --component reader",
                "print the reader's response to a wheel"
            ),
            (
                "gesturectl simulate toss.jsonl --format csv --field toss.item.x,toss.item.y",
                "print the way of a thrown view as a table"
            ),
        ]
    ) { context throws(Failure) in
        let arguments = context.arguments
        if arguments.has("--seeds"), arguments.has("--seed") {
            throw .usage("--seed does not go with --seeds")
        }
        if arguments.has("--expect") {
            if arguments.positionals.isEmpty { throw .usage("FILE is missing") }
            for name in ["--format", "--field", "--output"] where arguments.has(name) {
                throw .usage("\(name) does not go with --expect")
            }
            try ExpectationRun(arguments).run()
            return
        }
        for name in ["--junit", "--update", "--verbose", "--quiet"] where arguments.has(name) {
            throw .usage("\(name) needs --expect")
        }
        try arguments.requirePositionals(["FILE"])
        if arguments.has("--seeds") {
            let scenes = try scenesToName(arguments)
            let recording = try seededRecording(arguments, scenes)
            try SeedSweep(arguments, recording, scenes: scenes).summarize()
            return
        }
        let until = try arguments.number("--until", in: 0...Recording.spanMillisecondsMax)
        let frameRate = try frameRate(arguments)
        let format = arguments.values["--format"] ?? "json"
        guard ["json", "csv", "parquet"].contains(format) else {
            throw .usage("--format must be json, csv or parquet, not '\(format)'")
        }
        let isTable = format != "json"
        let fields = try fieldNames(arguments)
        if fields != nil && !isTable { throw .usage("--field needs --format csv") }
        let scenes = try scenesToName(arguments)
        let recording = try seededRecording(arguments, scenes)
        var outside = OutsideCount()
        var lines = LineSink()
        var table = TableSink(fields, to: try tableOutput(arguments, format))
        do throws(Rejection) {
            var simulator = try Simulator(
                recording, scenes: scenes, frameRate: frameRate, until: until)
            if isTable {
                simulator.run(into: &table)
            } else {
                simulator.run(into: &lines)
            }
            outside = simulator.outside
        } catch {
            throw sceneFailure(error, recording, arguments, scenes)
        }
        if isTable { try table.finish() } else { try lines.finish() }
        outside.warn()
    }
}

/// Where a command's table goes. Throws for a terminal, which cannot show Parquet.
func tableOutput(_ arguments: Arguments, _ format: String) throws(Failure) -> TableOutput {
    let path = arguments.values["--output"]
    guard format == "parquet" else {
        if path != nil { throw .usage("--output needs --format parquet") }
        return TableOutput()
    }
    if path == nil && Console.outputIsTerminal {
        throw .usage("--format parquet is no text: name a file by -o FILE")
    }
    return try TableOutput(parquetTo: path)
}

/// Prints every message as one line. `finish` throws the first failure to write.
private final class LineSink: MessageSink {
    private var scratch = ByteBuffer()
    private var failure: Failure?

    let isFull = false

    func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        guard failure == nil else { return }
        scratch.removeAll()
        scratch.append("{\"topic\":")
        scratch.json(topic.text)
        scratch.append(",\"body\":")
        body(&scratch)
        scratch.append("}")
        do throws(Failure) {
            try Console.printJSON(scratch.array())
        } catch {
            failure = error
        }
    }

    func finish() throws(Failure) {
        if let failure { throw failure }
    }
}
