import Glibc
import Manual
import Notation
import Recordings

extension Command {
    static let convert = Command(
        name: "convert", arguments: "FILE",
        summary: "Write any kind of recording as one of this project's",
        details: """
            FILE is what replay takes; - is standard input. The result is JSON Lines, on standard
            output or in the file of --output; the same file gives the same bytes, always. A file
            that is there is replaced once the new one is whole. Needs no daemon. What was mended
            or left out is told on standard error.
            """,
        options: [
            Option("--output", "FILE", "write it there (also -o)"),
            Option("--scenes", "DIR", "the folder of scenes that the recording may name"),
        ] + sourceOptions,
        examples: [
            ("gesturectl convert touch.events -o touch.jsonl", "a touchscreen's, to keep"),
            (
                "gesturectl convert phone.txt --screen 1080x1920",
                "a phone's, as getevent -lt wrote it"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["FILE"])
        let source = try RecordingSource(context.arguments)
        let scenes = try scenesToName(context.arguments)
        let reading = try source.read { source.viewport(of: scenes) }
        var recording = reading.recording
        if reading.format != .ours && recording.scene == nil {
            recording.scene = Node(.string("phone"))
        }
        let text = recording.text()
        if let path = context.arguments.values["--output"], path != "-" {
            try OutputFile.replace(path, with: text)
        } else {
            try Console.write(text)
        }
    }
}
