import Commands
import Pictures
import RecordingFiles
import Recordings

func plot(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    try arguments.requirePositionals(["FILE"])
    let path = try PictureFile.path(arguments)
    let ending = PictureFile.ending(of: path)
    guard ["svg", "png"].contains(ending) else {
        throw PictureFile.unknownEnding(path, known: [".svg", ".png"])
    }
    guard let fields = try fieldNames(arguments) else {
        throw .usage("--field is missing: the fields to plot, such as toss.item.x")
    }
    let seconds = 0...Recording.spanMillisecondsMax / 1_000
    let from = try arguments.number("--from", in: seconds) ?? 0
    let to = try arguments.number("--to", in: seconds)
    let frameRate = try frameRate(arguments)
    let theme = try PictureFile.theme(arguments)
    let scale =
        try arguments.number("--scale", in: 0.05...16) ?? (ending == "svg" ? 1 : 2)
    let film = try FilmSource(arguments).film(frameRate: frameRate)
    let (first, last) = try PictureFile.range(from: from, to: to, end: film.end)
    let bytes: [UInt8]
    do throws(PictureError) {
        let course = try Course(
            film, session: arguments.values["--session"], fields: fields,
            frameRate: frameRate)
        let title = inputName(arguments.positionals[0]).split(separator: "/").last ?? ""
        let plot = Plot(
            course, title: String(title), from: first, to: last, theme: theme, scale: scale)
        bytes = try plot.drawn(isVector: ending == "svg").encoded()
    } catch {
        throw .usage("\(error.message)")
    }
    try OutputFile.replace(path, with: bytes)
}
