import Foundation
import Testing

@testable import Commands
@testable import RecordingFiles

/// A scene that a person wrote as JSON is refused by file, line and key, as one in TOML is.
@Suite struct SceneFileTests {
    @Test(arguments: [
        (
            """
            {
              "viewport": [390, 844],
              "components": [
                {"id": "toss", "kind": "toss",
                 "frictoin": 5}
              ]
            }
            """, ":5: component toss: unknown key \"frictoin\", did you mean \"friction\"?"
        ),
        (
            """
            {"viewport": [390, 844],
             "components": [
               {"id": "toss",
                "kind": "tos"}]}
            """, ":4: component toss, key kind: unknown kind \"tos\", known"
        ),
        ("{\"viewport\": [390, 844],\n \"components\": []}", ":2: key components: must have"),
        ("{\n\"viewport\": [390 844]}", ":2: not JSON: a comma or ] is missing"),
        ("{\"viewport\":\n [390, 844],}", ":2: not JSON: a name in quotes is missing"),
        ("{\n\"viewport\" 3}", ":2: not JSON: a colon is missing after the name"),
        ("{\n}}", ":2: not JSON: the text goes on after its value"),
        ("[\n", ":1: not JSON: a value or ] is missing"),
        ("\n\n[]", ":3: must be a table"),
    ])
    func aFaultIsNamedWithItsLine(text: String, said: String) throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("gestured-scene-\(UUID().uuidString).json").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect {
            try sceneNode(file)
        } throws: { error in
            guard case .file(let message) = error as? Failure else { return false }
            let isSaid = message.text.hasPrefix("\(file)\(said)")
            if !isSaid { print("said \(message.text)") }
            return isSaid
        }
    }
}
