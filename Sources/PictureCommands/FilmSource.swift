import Commands
import Interactions
import Manual
import Pictures
import RecordingFiles
import Recordings
import Sessions

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
