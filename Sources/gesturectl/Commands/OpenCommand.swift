import Codec
import GesturedClient
import Notation
import Protocol

extension Command {
    static let open = Command(
        name: "open", arguments: "SESSION [SCENE|FILE]", summary: "Open a session with a scene",
        details: """
            SCENE names one of the daemon's scenes (default phone). FILE ends in .toml or .json and
            contains a scene. A session that is open already keeps its scene.
            """,
        options: [json],
        examples: [
            ("gesturectl open alice", "open alice with the scene phone"),
            ("gesturectl open bob ./pendulum.toml", "open bob with a scene of your own"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SESSION", "SCENE"], optional: 1)
        let words = context.arguments.positionals
        let scene = try sceneNode(words.count > 1 ? words[1] : "phone")
        let reply = try context.request(
            "open",
            [Node.Member("session", Node(.string(words[0]))), Node.Member("scene", scene)])
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
            return
        }
        let isNew = reply["created"]?.bool ?? true
        let epoch = reply["epoch"]?.string ?? "?"
        try Console.printLine("\(words[0]) \(isNew ? "opened" : "was open"), epoch \(epoch)")
    }
}

/// A scene's name, or the scene in a file, checked as the daemon checks it.
func sceneNode(_ word: String) throws(Failure) -> Node {
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
