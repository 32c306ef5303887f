import Manual
import Pictures
import Recordings

extension Command {
    static let render = Command(
        name: "render", arguments: "FILE",
        summary: "Draw a recording as a picture, a filmstrip or an animation",
        details: """
            Runs a recording on virtual time, as simulate does, and draws what a client would show.
            The ending of the output's name says what is made: .png and .svg a still (--at) or a
            filmstrip (--frames), whose panels show faintly where the views were before; .webp an
            animation, or a still with --at. Needs no daemon. The same file always gives the same
            bytes, with the same fonts. FILE is any recording that replay accepts; - is standard
            input.

            At most 64 panels, 3600 frames, and pictures of 16384 pixels a side.
            """,
        usesDaemon: false,
        options: [
            Option("--output", "FILE", "the picture to write: .png, .svg or .webp (also -o)"),
            Option("--at", "SECONDS", "one still, so long after the first event"),
            Option("--frames", "N", "a strip of so many stills (default 8)"),
            Option("--skins", "N", "a strip: ghosts of earlier moments in each (default 4)"),
            Option("--from", "SECONDS", "where strip and animation begin (default 0)"),
            Option("--to", "SECONDS", "where they end (default: the recording's end)"),
            Option("--rate", "N", "an animation's frames a second, 1 to 60 (default 30)"),
            Option("--speed", "X", "times as fast as the recording (default 1)"),
            Option("--loops", "N", "how often an animation plays (default 0: for ever)"),
            Option("--quality", "N", "an animation's, 0 to 100 (default 75)"),
            Option("--session", "SESSION", "draw this one (default: the one that is played)"),
            Option("--scale", "X", "pixels of a point (default 2; a strip, an animation: 1)"),
            Option("--background", "light|dark", "the color around the screen (default light)"),
            Option("--captions", nil, "show the recording's captions below"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
        ] + filmOptions,
        examples: [
            ("gesturectl render toss.jsonl --at 0.6 -o toss.png", "draw one moment"),
            (
                "gesturectl render toss.jsonl --from 0.3 --to 1.4 --frames 6 -o toss.svg",
                "draw a throw as six moments, with what lies between them"
            ),
            (
                "gesturectl render tour.jsonl --captions --rate 15 -o tour.webp",
                "make an animation of the tour"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["FILE"])
        let request = try RenderRequest(context.arguments)
        let film = try FilmSource(context.arguments).film()
        try OutputFile.replace(request.path, with: try request.bytes(of: film))
    }
}

/// The options of `render`, checked before anything is run.
private struct RenderRequest {
    enum Kind { case png, svg, webp }

    let path: String
    private let kind: Kind
    private let at: Double?
    private let from: Double
    private let to: Double?
    private let panels: Int
    private let ghosts: Int
    private let rate: Double
    private let speed: Double
    private let loops: Int
    private let quality: Double
    private let session: String?
    private let scale: Double
    private let theme: Theme
    private let hasCaptions: Bool

    init(_ arguments: Arguments) throws(Failure) {
        path = try PictureFile.path(arguments)
        switch PictureFile.ending(of: path) {
        case "png": kind = .png
        case "svg": kind = .svg
        case "webp": kind = .webp
        default: throw PictureFile.unknownEnding(path, known: [".png", ".svg", ".webp"])
        }
        let seconds = 0...Recording.spanMillisecondsMax / 1_000
        at = try arguments.number("--at", in: seconds)
        from = try arguments.number("--from", in: seconds) ?? 0
        to = try arguments.number("--to", in: seconds)
        panels = try arguments.whole("--frames", in: 1...Screening.panelsMax) ?? 8
        ghosts = try arguments.whole("--skins", in: 0...Screening.ghostsMax) ?? 4
        rate = try arguments.number("--rate", in: 1...60) ?? 30
        speed = try arguments.number("--speed", in: 0.01...100) ?? 1
        loops = try arguments.whole("--loops", in: 0...65_535) ?? 0
        quality = try arguments.number("--quality", in: 0...100) ?? 75
        session = arguments.values["--session"]
        scale = try arguments.number("--scale", in: 0.05...16) ?? (at == nil ? 1 : 2)
        theme = try PictureFile.theme(arguments)
        hasCaptions = arguments.has("--captions")
        try checkUse(of: arguments)
    }

    /// Throws where an option would change nothing.
    private func checkUse(of arguments: Arguments) throws(Failure) {
        let strip = ["--frames", "--skins"]
        let animation = ["--rate", "--speed", "--loops", "--quality"]
        let unused =
            at != nil
            ? strip + animation + ["--from", "--to"] : kind == .webp ? strip : animation
        if let name = unused.first(where: { arguments.has($0) }) {
            let what =
                at != nil ? "a still (--at)" : kind == .webp ? "an animation" : "a filmstrip"
            throw .usage("\(name) means nothing for \(ShownText(what))")
        }
    }

    func bytes(of film: Film) throws(Failure) -> [UInt8] {
        let (first, last) = try range(of: film)
        do throws(PictureError) {
            let screening = try Screening(
                film, session: session, scale: scale, theme: theme, hasCaptions: hasCaptions)
            if kind == .webp {
                return try screening.animation(
                    from: first, to: last, rate: rate, speed: speed, loops: loops,
                    quality: quality)
            }
            let canvas =
                at == nil
                ? try screening.strip(
                    from: first, to: last, panels: panels, ghosts: ghosts, isVector: kind == .svg)
                : try screening.still(at: first, isVector: kind == .svg)
            return try canvas.encoded()
        } catch {
            throw .usage("\(error.message)")
        }
    }

    /// Where the picture begins and ends, in milliseconds; both within the recording.
    private func range(of film: Film) throws(Failure) -> (Double, Double) {
        try PictureFile.range(at: at, from: from, to: to, end: film.end)
    }
}
