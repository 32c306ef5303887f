import Foundation
import Testing

@testable import Codec

struct SceneFolderTests {
    private static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "gestured-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func aReactionThatNamesASceneOfNoFileIsTold() throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let start = """
            viewport = [320, 568]
            [[components]]
            id = "go"
            kind = "button"
            [[reactions]]
            when = { component = "go", transition = "tap" }
            do = [
                { component = "go", command = "turn", on = true },
                { session = "update", scene = "menu" },
            ]
            [[reactions]]
            when = { idle = 60 }
            do = { session = "update", scene = "strat" }
            """
        try start.write(toFile: "\(folder)/start.toml", atomically: true, encoding: .utf8)
        try start.replacingOccurrences(of: "strat", with: "start")
            .write(toFile: "\(folder)/menu.toml", atomically: true, encoding: .utf8)
        let survey = SceneFolder.survey(folder)
        #expect(Array(survey.scenes.keys) == ["menu"])
        #expect(
            survey.errors.map(\.description) == [
                "\(folder)/start.toml:13: reaction 2, do, key scene: there is no scene \"strat\", "
                    + "known ones are start, menu"
            ])
    }

    /// Also where something else is wrong with the scene, and in the order of its lines.
    @Test func aWrongSceneTellsItToo() throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let start = """
            viewport = [320, 568]
            [[components]]
            id = "go"
            kind = "button"
            enbled = true
            [[reactions]]
            when = { component = "go", transition = "tap" }
            do = { session = "update", scene = "strat" }
            [[reactions]]
            when = { component = "go", transition = "tapp" }
            do = { session = "update", scene = "a b" }
            """
        try start.write(toFile: "\(folder)/start.toml", atomically: true, encoding: .utf8)
        let told = SceneFolder.survey(folder).errors.map(\.description)
        let errors = [
            "5: component go: unknown key \"enbled\"",
            "8: reaction 1, do, key scene: there is no scene \"strat\", known ones are start",
            "10: reaction 2, when, key transition: unknown transition of button \"tapp\"",
            "11: reaction 2, do, key scene: must be a name",
        ]
        #expect(told.count == errors.count, "\(told)")
        for (error, found) in zip(errors, told) {
            #expect(found.hasPrefix("\(folder)/start.toml:\(error)"), "\(found)")
        }
    }

    @Test func aSceneThatIsNoFileIsNamed() throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(unsafe mkfifo("\(folder)/one.toml", 0o600) == 0)
        let error = #expect(throws: SceneError.self) { try SceneFolder.read(folder) }
        #expect(error?.description == "\(folder)/one.toml: cannot be read: it is no file")
    }
}
