import Foundation
import Testing

@testable import Codec

struct SceneFolderTests {
    @Test func aSceneThatIsNoFileIsNamed() throws {
        let folder = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(unsafe mkfifo("\(folder)/one.toml", 0o600) == 0)
        let error = #expect(throws: SceneError.self) { try SceneFolder.read(folder) }
        #expect(error?.description == "\(folder)/one.toml: cannot be read: it is no file")
    }
}
