import Manual
import Pictures
import Recordings

extension Command {
    static let plot = Command(
        name: "plot", arguments: "FILE",
        summary: "Draw how fields of a recording's states change over time",
        details: """
            Runs a recording on virtual time, as simulate does, and draws the wanted fields: one
            panel for each unit (pt, rad, none) over the time in seconds, transitions as bands
            behind the lines, phases as a row below them. Needs no daemon. FILE is any recording
            that replay accepts; - is standard input.

            A field is COMPONENT.VIEW.NUMBER with x, y, w, h, rotation, scale, alpha or z as its
            number, or COMPONENT.model.NAME. A line ends where its view is absent.
            """,
        usesDaemon: false,
        options: [
            Option("--field", "F,…", "the fields, at most 32, such as toss.item.x,toss.item.y"),
            Option("--output", "FILE", "the picture to write: .svg or .png"),
            Option("--from", "SECONDS", "where the plot begins (default 0)"),
            Option("--to", "SECONDS", "where it ends (default: the recording's end)"),
            Option("--session", "SESSION", "plot this one (default: the first with the field)"),
            Option("--frame-rate", "N", "30, 60 or 120, if the scene names none (default 60)"),
            Option("--scale", "X", "pixels of a point (default 1; .png: 2)"),
            Option("--theme", "light|dark", "the color behind (default light)"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
        ] + filmOptions,
        examples: [
            (
                "gesturectl plot toss.jsonl --field toss.item.x,toss.item.rotation -o toss.svg",
                "see how a thrown view flies, turns and returns"
            ),
            (
                "gesturectl plot profile.jsonl --field profile.model.offset -o scroll.png",
                "see how a scroll slows down and springs back"
            ),
        ]
    ) { context throws(Failure) in
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
}

/// The names of `--field`; nil without the option.
func fieldNames(_ arguments: Arguments) throws(Failure) -> [String]? {
    guard let text = arguments.values["--field"] else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= Fields.namesMax, !names.contains("") else {
        throw .usage(
            "--field must be 1 to \(Fields.namesMax) names between commas, not '\(text)'")
    }
    return names
}

/// The frames a second of a scene that names none.
func frameRate(_ arguments: Arguments) throws(Failure) -> Int {
    let rate = try arguments.number("--frame-rate", in: 30...120) ?? 60
    guard [30, 60, 120].contains(rate) else {
        throw .usage("--frame-rate must be 30, 60 or 120")
    }
    return Int(rate)
}
