import Interactions
import Manual
import Pictures
import Recordings
import Sessions

extension Command {
    /// The options for reading the recording of a picture: all but those that pictures use in
    /// another way.
    static let filmOptions = sourceOptions.filter { !["--session", "--scale"].contains($0.name) }
}

/// A recording that is to be run for pictures.
struct FilmSource {
    private let arguments: Arguments
    private let path: String

    init(_ arguments: Arguments) {
        path = arguments.positionals[0]
        self.arguments = arguments.without(["--session", "--scale"])
    }

    func film(frameRate: Int = 60, hasTouches: Bool = false) throws(Failure) -> Film {
        let source = try RecordingSource(arguments)
        let scenes = try scenesToName(arguments)
        let recording = try source.read { source.viewport(of: scenes) }.recording
        try recording.checkScenes(file: inputName(path), arguments, scenes)
        recording.warnOfMissingScene(file: inputName(path), scenes)
        do throws(FilmError) {
            return try Film(
                recording, scenes: scenes, frameRate: frameRate, hasTouches: hasTouches)
        } catch {
            switch error {
            case .rejected(let rejection):
                throw sceneFailure(rejection, recording, arguments, scenes)
            case .tooLong:
                throw .file(
                    "\(inputName(path)): too long: more than \(Film.bytesMax) bytes of updates")
            }
        }
    }
}

/// Why a recording cannot be run: its scene is unknown or bad.
func sceneFailure(
    _ rejection: Rejection, _ recording: Recording, _ arguments: Arguments,
    _ scenes: [String: Scene]
) -> Failure {
    // A scene from the command line is no fault of the file's first line.
    let isNamed = !arguments.has("--scene") && recording.scene != nil
    let place: ShownText = isNamed ? "\(inputName(arguments.positionals[0])):1: " : ""
    let hint = foldersHint(rejection, arguments, scenes)
    return .file("\(place)\(rejection.code.rawValue): \(rejection.message)\(hint)")
}

/// Where scenes were looked for, if none is known.
func foldersHint(
    _ rejection: Rejection, _ arguments: Arguments, _ scenes: [String: Scene]
) -> ShownText {
    scenes.isEmpty && rejection.code == .unknownScene
        ? "; looked for scenes in \(sceneFolders(arguments).joined(separator: ", "))" : ""
}
