package import Commands
package import Interactions
package import Recordings
package import Sessions

/// Why a recording cannot be run: its scene is unknown or bad.
package func sceneFailure(
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
