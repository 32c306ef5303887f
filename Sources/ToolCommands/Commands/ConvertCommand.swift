import Commands
import Glibc
import Manual
import Notation
import RecordingFiles
import Recordings

extension Command {
    static let convert = Command(
        name: "convert", arguments: "FILE",
        summary: "Write any kind of recording as one of this project's",
        details: """
            FILE is any recording that replay accepts; - is standard input. The result is JSON
            Lines, on standard output or in the file of --output. The same file always gives the
            same bytes. An existing file is replaced once the new one is complete. Needs no daemon.
            Standard error lists what was repaired or left out.
            """,
        usesDaemon: false,
        options: [
            Option("--output", "FILE", "the file to write"),
            Option("--scenes", "DIR", "the folder of scenes that the recording may name"),
        ] + sourceOptions,
        examples: [
            (
                "gesturectl convert touch.events -o touch.jsonl",
                "convert a touchscreen's contacts, to keep them"
            ),
            (
                "gesturectl convert phone.txt --screen 1080x1920",
                "convert the output of a phone's getevent -lt"
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
        let text = ShownJSON(lines: recording.text())
        if let path = context.arguments.values["--output"], path != "-" {
            try OutputFile.replace(path, with: text)
        } else {
            try Console.printLines(text)
        }
    }
}
