import Foundation

/// A folder with a configuration and one scene, gone with the test.
final class ConfigurationFolder {
    let path = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
    var file: String { path + "/gestured.toml" }

    init(_ configuration: String, scene: String = ConfigurationFolder.scene) throws {
        try FileManager.default.createDirectory(
            atPath: path + "/scenes", withIntermediateDirectories: true)
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        try scene.write(
            toFile: path + "/scenes/phone.toml", atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static let scene = """
        viewport = [320, 568]
        [[components]]
        id = "toss"
        kind = "toss"
        """
}
