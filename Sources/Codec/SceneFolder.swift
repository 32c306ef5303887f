import Notation
import Platform
import Protocol
import Scenes
package import Sessions

/// Reads a folder of scene files: every `*.toml` is a scene, named after its file unless it has a
/// `name`.
package enum SceneFolder {
    /// The scenes of a folder, and all that is wrong with them.
    package struct Survey {
        package var scenes: [String: Scene] = [:]
        package var errors: [SceneError] = []
        /// The names of its scenes, also of those with errors.
        package var names: Set<String> = []
        /// The file of each good scene.
        var files: [String: String] = [:]
        /// The files of the others, and what stands there as far as it can be read.
        fileprivate var wrong: [(file: String, node: Node)] = []
    }

    package static func read(_ folder: String) throws(SceneError) -> [String: Scene] {
        let survey = survey(folder)
        if let first = survey.errors.first { throw first }
        return survey.scenes
    }

    package static func survey(_ folder: String) -> Survey {
        var survey = Survey()
        do throws(SceneError) {
            let names = try names(in: folder)
            for name in names { read(name, in: folder, &survey) }
            for id in survey.files.keys.sorted() { checkUpdates(of: id, &survey) }
            for (file, node) in survey.wrong { noteUpdates(in: node, file, &survey) }
        } catch {
            survey.errors.append(error)
        }
        return survey
    }

    /// Notes the reactions of a scene that name a scene which is not there.
    private static func checkUpdates(of id: String, _ survey: inout Survey) {
        guard let scene = survey.scenes[id], let file = survey.files[id],
            !scene.scenesToBecome.isSubset(of: survey.names),
            let bytes = try? PlainFile.read(file, bytesMax: Limits.fileBytesMax),
            let node = try? Document.toml(bytes)
        else { return }
        survey.scenes[id] = nil
        noteUpdates(in: node, file, &survey)
    }

    /// Errors of a file stand in the order of its lines.
    private static func noteUpdates(in node: Node, _ file: String, _ survey: inout Survey) {
        let more = SceneTable.faults(ofUpdatesIn: node, among: survey.names.sorted())
        guard !more.isEmpty else { return }
        let place = survey.errors.firstIndex { $0.file == file } ?? survey.errors.endIndex
        var errors = survey.errors.filter { $0.file == file }
        survey.errors.removeAll { $0.file == file }
        errors += more.map { SceneError($0, file: file) }
        survey.errors.insert(
            contentsOf: errors.sorted { ($0.line ?? 0) < ($1.line ?? 0) }, at: place)
    }

    private static func read(_ name: String, in folder: String, _ survey: inout Survey) {
        let file = "\(folder)/\(name)"
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(file, bytesMax: Limits.fileBytesMax)
        } catch {
            return survey.errors.append(SceneError(file: file, message: error.reason))
        }
        let ownName = String(name.dropLast(5))
        let scene: Scene
        do throws(SceneError) {
            scene = try SceneReader.scene(toml: bytes, file: file, fallbackName: ownName)
        } catch {
            let errors = SceneFaults.found(in: bytes, file: file)
            survey.errors += errors.isEmpty ? [error] : errors
            let node = try? Document.toml(bytes, takesDates: true)
            survey.names.insert(node?["name"]?.string ?? ownName)
            if let node { survey.wrong.append((file, node)) }
            return
        }
        guard let id = scene.name, Name.isValid(id) else {
            let message = "key name: must be \(Name.rule), for the file's name is none"
            return survey.errors.append(SceneError(file: file, message: message))
        }
        guard survey.names.insert(id).inserted else {
            let message = "another file has the scene \"\(id)\""
            return survey.errors.append(SceneError(file: file, message: message))
        }
        survey.scenes[id] = scene
        survey.files[id] = file
    }

    private static func names(in folder: String) throws(SceneError) -> [String] {
        guard let all = Folder.names(in: folder) else {
            throw SceneError(file: folder, message: "the folder of scenes cannot be read")
        }
        let names = all.filter { $0.hasSuffix(".toml") }.sorted()
        guard names.count <= Limits.sceneFilesMax else {
            throw SceneError(
                file: folder,
                message: "has \(names.count) files *.toml; a folder of scenes has at most "
                    + "\(Limits.sceneFilesMax)")
        }
        return names
    }
}

extension Limits {
    /// Files of a folder of scenes: all are read at a start and at each reload, and a reply lists
    /// them.
    package static let sceneFilesMax = 1_024
}
