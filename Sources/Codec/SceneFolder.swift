import Foundation
import Notation
package import Sessions

/// Reads a folder of scene files: every `*.toml` is a scene, named after its file unless it has a
/// `name`.
package enum SceneFolder {
    package static func read(_ folder: String) throws(SceneError) -> [String: Scene] {
        var scenes: [String: Scene] = [:]
        let names = try names(in: folder)
        guard names.count <= Limits.sceneFilesMax else {
            throw SceneError(
                file: folder,
                message: "has \(names.count) files *.toml; a folder of scenes has at most "
                    + "\(Limits.sceneFilesMax)")
        }
        for name in names {
            let file = "\(folder)/\(name)"
            let bytes: [UInt8]
            do throws(PlainFile.Failure) {
                bytes = try PlainFile.read(file)
            } catch {
                throw SceneError(file: file, message: error.reason)
            }
            let scene = try SceneReader.scene(
                toml: bytes, file: file, fallbackName: String(name.dropLast(5)))
            guard let id = scene.name, Name.isValid(id) else {
                throw SceneError(file: file, message: "a scene needs a name of a topic's form")
            }
            guard scenes.updateValue(scene, forKey: id) == nil else {
                throw SceneError(file: file, message: "another file has the scene \"\(id)\"")
            }
        }
        return scenes
    }

    private static func names(in folder: String) throws(SceneError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".toml") }.sorted()
        } catch {
            throw SceneError(file: folder, message: "the folder of scenes cannot be read")
        }
    }
}

extension Limits {
    /// Files of a folder of scenes: all are read at a start and at each reload, and a reply lists
    /// them.
    package static let sceneFilesMax = 1_024
}
