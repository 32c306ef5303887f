import Commands
import Manual
import Pictures

/// The options that all pictures share.
enum PictureFile {
    static func path(_ arguments: Arguments) throws(Failure) -> String {
        guard let path = arguments.values["--output"], !path.isEmpty else {
            throw .usage("--output is missing: the picture's file, such as -o picture.png")
        }
        return path
    }

    /// The letters behind the last dot of a file's name, in small ones.
    static func ending(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    static func unknownEnding(_ path: String, known: [String]) -> Failure {
        let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
        return .usage("--output must end in \(list), not '\(path)'")
    }

    static func theme(_ arguments: Arguments) throws(Failure) -> Theme {
        guard let name = arguments.values["--theme"] else { return .light }
        guard let theme = Theme(rawValue: name) else {
            throw .usage("--theme must be light or dark, not '\(name)'")
        }
        return theme
    }

    /// Seconds of the command line as milliseconds of a film; throws where the film is shorter.
    static func range(
        at: Double? = nil, from: Double, to: Double?, end: Double
    ) throws(Failure) -> (Double, Double) {
        let length = short(end / 1_000)
        for (name, time) in [("--at", at), ("--from", from), ("--to", to)] {
            if let time, time * 1_000 > end {
                throw .usage("\(name) \(short(time)): the recording ends at \(length) s")
            }
        }
        if let at { return (at * 1_000, at * 1_000) }
        let last = to ?? end / 1_000
        guard from <= last else {
            throw .usage("--from \(short(from)) is behind --to \(short(last))")
        }
        return (from * 1_000, last * 1_000)
    }
}
