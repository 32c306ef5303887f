import Commands
import Pictures
import Recordings

func render(_ context: Context) throws(Failure) {
    try context.arguments.requirePositionals(["FILE"])
    let request = try RenderRequest(context.arguments)
    let film = try FilmSource(context.arguments).film(
        hasTouches: context.arguments.has("--touches"))
    try OutputFile.replace(request.path, with: try request.bytes(of: film))
}

/// The options of `render`, checked before anything is run.
private struct RenderRequest {
    enum Kind { case png, svg, webp }

    let path: String
    private let kind: Kind
    /// Rising seconds; empty: the span from `from` to `to`.
    private let at: [Double]
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
        at = try Self.times(arguments)
        from = try arguments.number("--from", in: seconds) ?? 0
        to = try arguments.number("--to", in: seconds)
        panels = try arguments.whole("--frames", in: 1...Screening.panelsMax) ?? 8
        ghosts = try arguments.whole("--skins", in: 0...Screening.ghostsMax) ?? 4
        rate = try arguments.number("--rate", in: 1...60) ?? 30
        speed = try arguments.number("--speed", in: 0.01...100) ?? 1
        loops = try arguments.whole("--loops", in: 0...65_535) ?? 0
        quality = try arguments.number("--quality", in: 0...100) ?? 75
        session = arguments.values["--session"]
        scale = try arguments.number("--scale", in: 0.05...16) ?? (at.count == 1 ? 2 : 1)
        theme = try PictureFile.theme(arguments)
        hasCaptions = arguments.has("--captions")
        try checkUse(of: arguments)
    }

    /// The seconds of `--at`; empty without it.
    private static func times(_ arguments: Arguments) throws(Failure) -> [Double] {
        guard let text = arguments.values["--at"] else { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let times = words.map { Double($0) ?? .nan }
        guard times.count <= Screening.panelsMax,
            times.allSatisfy({ (0...Recording.spanMillisecondsMax / 1_000).contains($0) }),
            zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw .usage(
                "--at must be seconds from 0 on, at most \(Screening.panelsMax) that rise, as 0.6 "
                    + "or 0.2,0.4, not '\(text)'")
        }
        return times
    }

    /// Throws where an option would change nothing.
    private func checkUse(of arguments: Arguments) throws(Failure) {
        let animation = ["--rate", "--speed", "--loops", "--quality"]
        let span = ["--from", "--to", "--frames"]
        let (unused, what): ([String], String) =
            switch (kind, at.count) {
            case (.webp, 0): (["--frames", "--skins"], "an animation")
            case (_, 0): (animation, "a filmstrip")
            case (_, 1): (animation + span + ["--skins"], "a still (--at)")
            default: (animation + span, "a filmstrip of chosen times (--at)")
            }
        if let name = unused.first(where: { arguments.has($0) }) {
            throw .usage("\(name) means nothing for \(ShownText(what))")
        }
        if kind == .webp && at.count > 1 {
            throw .usage("--at must be one time for a .webp; .png and .svg have strips")
        }
    }

    func bytes(of film: Film) throws(Failure) -> [UInt8] {
        let (first, last) = try range(of: film)
        do throws(PictureError) {
            let screening = try Screening(
                film, session: session, scale: scale, theme: theme, hasCaptions: hasCaptions,
                photos: PhotoFolder.photos())
            if kind == .webp {
                return try screening.animation(
                    from: first, to: last, rate: rate, speed: speed, loops: loops,
                    quality: quality)
            }
            if at.count == 1 {
                return try screening.still(at: first, isVector: kind == .svg).encoded()
            }
            let times =
                at.isEmpty
                ? Screening.times(from: first, to: last, count: panels) : at.map { $0 * 1_000 }
            return try screening.strip(at: times, ghosts: ghosts, isVector: kind == .svg)
                .encoded()
        } catch {
            throw .usage("\(error.message)")
        }
    }

    /// Where the picture begins and ends, in milliseconds; both within the recording.
    private func range(of film: Film) throws(Failure) -> (Double, Double) {
        if let last = at.last {
            let (time, _) = try PictureFile.range(at: last, from: 0, to: nil, end: film.end)
            return (at.count == 1 ? time : at[0] * 1_000, time)
        }
        return try PictureFile.range(from: from, to: to, end: film.end)
    }
}
