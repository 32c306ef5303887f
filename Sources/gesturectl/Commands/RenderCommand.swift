import Geometry
import Manual
import Notation
import Pictures
import Recordings

extension Command {
    static let render = Command(
        name: "render", arguments: "FILE",
        summary: "Draw a recording as a picture",
        usesDaemon: false,
        options: [
            Option("--output", "FILE", "the file to write (also -o)"),
            Option("--at", "SECONDS", "a still at this time"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
        ] + sourceOptions,
        examples: [("gesturectl render toss.jsonl --at 0.6 -o toss.png", "draw one moment")]
    ) { context throws(Failure) in
        let arguments = context.arguments
        try arguments.requirePositionals(["FILE"])
        guard let path = arguments.values["--output"] else { throw .usage("--output is missing") }
        let at = try arguments.number("--at", in: 0...1e6) ?? 0
        let source = try RecordingSource(arguments)
        let scenes = try scenesToName(arguments)
        let recording = try source.read { source.viewport(of: scenes) }.recording
        guard let film = try? Film(recording, scenes: scenes) else { throw .file("no film") }
        do throws(PictureError) {
            var projector = Projector(film)
            projector.advance(to: at * 1_000)
            guard let session = film.session(at: at * 1_000),
                let picture = projector.picture(of: session)
            else { throw PictureError("nothing to draw") }
            let canvas = try Pictures.Canvas(picture.viewport, scale: 2)
            Painter(picture, on: canvas).paint()
            let bytes = try canvas.encoded()
            try! OutputFile.replace(path, with: bytes)
        } catch {
            throw .file("\(error.message)")
        }
    }
}
