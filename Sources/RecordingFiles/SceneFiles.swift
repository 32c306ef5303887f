import Codec
package import Commands
package import Notation
import Platform
import Protocol
package import Sessions

/// Reads the scenes of the named folder, or of the first one found. None is no error: a recording
/// may contain its own scene.
package func scenesToName(_ arguments: Arguments) throws(Failure) -> [String: Scene] {
    let folders = sceneFolders(arguments)
    let found = folders.first { File.isThere($0) }
    // A folder that the person named must exist.
    guard let folder = found ?? (folders.count == 1 ? folders[0] : nil) else { return [:] }
    do throws(SceneError) {
        return try SceneFolder.read(folder)
    } catch {
        throw .file("\(error)")
    }
}

/// The folders in which scenes may be, the first that exists counts: the named one alone, or
/// `$GESTURED_SCENES` alone, or the project's near here or near the program, then the system's.
func sceneFolders(_ arguments: Arguments) -> [String] {
    if let folder = arguments.values["--scenes"] ?? environment("GESTURED_SCENES") {
        return [folder]
    }
    var candidates = ["config/scenes"]
    var folder = File.target(ofLink: "/proc/self/exe") ?? CommandLine.arguments[0]
    while folder.contains("/"), folder != "/" {
        folder = Folder.above(folder)
        candidates.append(folder == "/" ? "/config/scenes" : "\(folder)/config/scenes")
    }
    return candidates + ["/etc/gestured/scenes"]
}

/// A scene's name, or the scene in a file, checked as the daemon checks it.
package func sceneNode(_ word: String) throws(Failure) -> Node {
    let isTOML = word.hasSuffix(".toml")
    guard isTOML || word.hasSuffix(".json") else { return Node(.string(word)) }
    let bytes = try readFile(word)
    let node: Node
    do throws(DocumentError) {
        node = try isTOML ? Document.toml(bytes) : Document.jsonFile(bytes)
    } catch {
        let place = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
        throw .file("\(word)\(place): \(error.message)")
    }
    do throws(SceneError) {
        _ = try SceneReader.scene(from: node, fallbackName: nil)
    } catch {
        var error = error
        error.file = word
        throw .file("\(error)")
    }
    return node
}
