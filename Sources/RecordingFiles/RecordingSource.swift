import Codec
package import Commands
import Geometry
import Interactions
import Manual
package import Notation
import Protocol
package import Recordings
package import Sessions
package import Simulation

/// A recording's file, with the options for reading it.
package struct RecordingSource {
    private let path: String
    package var options = ReadingOptions()
    private let isViewportGiven: Bool

    package init(_ arguments: Arguments) throws(Failure) {
        path = arguments.positionals[0]
        if let name = arguments.values["--session"], !Name.isValidSession(name) {
            throw .usage("--session must be \(Name.sessionRule), not '\(name)'")
        }
        // Without a component the session finds out who is meant.
        if let name = arguments.values["--component"], !name.isEmpty, !Name.isValid(name) {
            throw .usage("--component must be \(Name.rule), not '\(name)'")
        }
        options.session = arguments.values["--session"]
        options.component = arguments.values["--component"]
        if let word = arguments.values["--scene"] { options.scene = try sceneNode(word) }
        let viewport = try Self.size("--viewport", "320x568", most: 1_000_000, arguments)
        isViewportGiven = viewport != nil
        if let viewport { options.viewport = viewport }
        options.scale = try arguments.number("--scale", in: 0.000_001...1_000_000)
        if let size = try Self.size("--screen", "1080x1920", most: 1_000_000_000, arguments) {
            guard size.width >= 2, size.height >= 2, let width = Int(exactly: size.width),
                let height = Int(exactly: size.height)
            else {
                throw .usage("--screen must be whole units, at least 2x2")
            }
            options.screen = (width, height)
        }
        options.keepsGoing = arguments.has("--keep-going")
        if let path = arguments.values["--device"] {
            let bytes = try readFileOrInput(path)
            options.device = try parsed { () throws(RecordingError) in
                try Axes(parsing: bytes, file: inputName(path))
            }
        }
    }

    /// The viewport of the wanted scene, if the scene is known here.
    package func viewport(of scenes: [String: Scene]) -> (width: Double, height: Double)? {
        if let node = options.scene, node.members != nil { return pair(node["viewport"]) }
        let scene = scenes[options.scene?.string ?? "phone"]
        return scene.map { ($0.viewport.width, $0.viewport.height) }
    }

    /// The bytes of the file, kept because standard input can be read only once.
    package struct Content {
        var bytes: [UInt8]
        /// The name in messages.
        var name: String
        var format: RecordingFormat
    }

    package func content() throws(Failure) -> Content {
        let bytes = try readFileOrInput(path)
        let name = inputName(path)
        let format = try parsed { () throws(RecordingError) in
            try RecordingFormat(of: bytes, file: name)
        }
        return Content(bytes: bytes, name: name, format: format)
    }

    /// Whether the file must be mapped to a viewport that no option gives.
    package func needsViewport(for content: Content) -> Bool {
        !isViewportGiven && content.format.fillsViewport
    }

    /// Reads the whole recording; a nil viewport means that of the scene `phone`.
    package func reading(
        of content: Content, viewport: (width: Double, height: Double)?
    ) throws(Failure) -> Reading {
        var options = options
        if let viewport { options.viewport = viewport }
        return try parsed { () throws(RecordingError) in
            try Reading(content.bytes, file: content.name, options: options)
        }
    }

    /// Reads the whole recording and prints its notes.
    ///
    /// `viewport` is called where the file needs one that no option gives.
    package func read(
        viewport: () throws(Failure) -> (width: Double, height: Double)?
    ) throws(Failure) -> Reading {
        let content = try content()
        let reading = try reading(
            of: content, viewport: needsViewport(for: content) ? try viewport() : nil)
        reading.printNotes()
        return reading
    }

    private static func size(
        _ name: String, _ example: String, most: Double, _ arguments: Arguments
    ) throws(Failure) -> (width: Double, height: Double)? {
        guard let text = arguments.values[name] else { return nil }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
            .map { Double($0) ?? .nan }
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 <= most }) else {
            throw .usage("\(name) must be WxH, as \(example), not '\(text)'")
        }
        return (sides[0], sides[1])
    }
}

extension Reading {
    /// Prints on standard error what was left out or repaired.
    package func printNotes() {
        for note in notes { Console.printWarning("\(note)") }
    }
}

extension Recording {
    /// Throws where an `open` names a scene that is not known here or that is wrong: the next event
    /// would open its session with another scene than its author saw.
    package func checkScenes(
        file: String, _ arguments: Arguments, _ scenes: [String: Scene]
    ) throws(Failure) {
        let decoder = EventDecoder()
        for event in events where event.topic.starts(with: "command/".utf8) {
            guard let topic = try? Topic(event.topic), case .command(_, component: nil) = topic,
                (try? Document.json(event.body))?["command"]?.string == "open"
            else { continue }
            let rejection: Rejection
            do throws(DecodingFailure) {
                let decoded = try decoder.decode(event, topic)
                guard let scene = decoded.sceneName, scenes[scene] == nil else { continue }
                rejection = .unknown(scene: scene, among: scenes.keys.sorted())
            } catch {
                rejection = error.rejection
            }
            let hint = foldersHint(rejection, arguments, scenes)
            let what: ShownText = "open of session \(topic.session)"
            let reason: ShownText = "\(rejection.code.rawValue): \(rejection.message)"
            throw .file("\(file):\(event.line): \(what): \(reason)\(hint)")
        }
    }

    /// Says on standard error that sessions get the default scene, which may be another app's.
    package func warnOfMissingScene(file: String, _ scenes: [String: Scene]) {
        // Where there is none, that is an error.
        guard scene == nil, scenes["phone"] != nil else { return }
        let sessions = sessionsOpenedUnasked
        guard let session = sessions.first else { return }
        let others = sessions.count - 1
        let who = others > 0 ? "\(session) and \(others) more" : session
        Console.printWarning(
            "\(file) names no scene for \(who): it is played in \"phone\"; --scene SCENE|FILE "
                + "names another")
    }
}

extension Event {
    /// The name of the scene with which it opens its session; nil: it names none.
    fileprivate var sceneName: String? {
        switch payload {
        case .open(.named(let name)), .replace(.named(let name)): name
        case .open, .replace, .change, .gesture, .command, .notification, .assign, .close: nil
        }
    }
}

extension OutsideCount {
    /// Says on standard error that contacts touch nothing.
    package func warn() {
        guard let first else { return }
        let (place, viewport) = (first.place, first.viewport)
        let what = count == 1 ? "1 contact begins" : "\(count) contacts begin"
        Console.printWarning(
            "\(what) outside of the viewport of \(short(viewport.width))x"
                + "\(short(viewport.height)), "
                + "where nothing can be touched; the first at \(short(place.x)),\(short(place.y))")
    }
}

/// A list of two numbers.
package func pair(_ node: Node?) -> (width: Double, height: Double)? {
    let sides = (node?.array ?? []).compactMap(\.double)
    return sides.count == 2 ? (sides[0], sides[1]) : nil
}

private func parsed<Result>(
    _ body: () throws(RecordingError) -> Result
) throws(Failure) -> Result {
    do throws(RecordingError) {
        return try body()
    } catch {
        throw .file("\(error)")
    }
}
