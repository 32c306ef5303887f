import Codec
import Commands
import GesturedClient
import Manual
import Notation
import Protocol
import RecordingFiles
import Sessions

extension Command {
    static let open = Command(
        name: "open", arguments: "SESSION [SCENE|FILE]", summary: "Open a session with a scene",
        details: """
            SCENE names one of the daemon's scenes (default phone). FILE ends in .toml or .json and
            contains a scene. A session that is open already keeps its scene: if that is another
            one, the command says so and exits with 1. With --replace the session becomes the scene
            given, as update does it: what both scenes have keeps its state.
            """,
        options: [
            Option("--replace", nil, "give an open session the scene, too"), json,
        ],
        examples: [
            ("gesturectl open alice", "open alice with the scene phone"),
            ("gesturectl open bob ./pendulum.toml", "open bob with a scene of your own"),
            ("gesturectl open --replace bob phone", "open bob, or change its scene to phone"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SESSION", "SCENE"], optional: 1)
        let words = context.arguments.positionals
        let scene = try sceneNode(words.count > 1 ? words[1] : "phone")
        let replaces = context.arguments.has("--replace")
        let reply = try context.request(
            "open",
            [
                .init("session", Node(.string(words[0]))), .init("scene", scene),
                .init("describe", Node(.bool(true))),
            ] + (replaces ? [.init("replace", Node(.bool(true)))] : []))
        let isNew = reply["created"]?.bool ?? true
        if context.arguments.has("--json") {
            try Console.printJSON(
                Node(.object((reply.members ?? []).filter { $0.name != "scene" })))
        }
        if !isNew, !replaces, let own = reply["scene"], !isScene(own, of: scene) {
            let name: ShownText = own["scene"]?.string.map { ", \($0)" } ?? ""
            throw .daemon(
                "\(words[0]) is open with another scene\(name); --replace, or the command update, "
                    + "gives it this one and keeps the state of what both have")
        }
        guard !context.arguments.has("--json") else { return }
        let epoch = reply["epoch"]?.string ?? "?"
        let done = isNew ? "opened" : replaces ? "changed" : "was open"
        try Console.printLine("\(words[0]) \(done), epoch \(epoch)")
    }
}

/// Whether a session's scene, as the daemon describes it, is the scene of that name, or exactly the
/// scene that a file contains.
private func isScene(_ own: Node, of given: Node) -> Bool {
    if let name = given.string { return own["scene"]?.string == name }
    guard let scene = try? SceneReader.scene(from: given, fallbackName: nil) else { return true }
    var buffer = ByteBuffer(capacity: 1_024)
    var description = SceneDescription(scene: scene, revision: 0, frameRate: 60)
    description.texts = scene.firstTexts
    UpdateBody.scene(description, into: &buffer)
    guard let described = try? Document.json(buffer.array()) else { return true }
    return ["scene", "viewport", "insets", "content", "components"].allSatisfy {
        own[$0] == described[$0]
    }
}
