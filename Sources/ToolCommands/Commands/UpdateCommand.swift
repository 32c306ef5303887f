import Commands
import Manual
import Notation
import RecordingFiles

extension Command {
    static let update = Command(
        name: "update", arguments: "SESSION… SCENE|FILE",
        summary: "Change the scene of sessions while they run",
        details: """
            Each session becomes the scene in one event: components of the same id and kind go on
            as they are, new ones open, missing ones close. SCENE names one of the daemon's scenes;
            FILE ends in .toml or .json and contains a scene. A session that cannot be changed is
            reported on standard error, the others are changed all the same, and the command exits
            with 1.
            """,
        options: [
            Option(
                "--all-of", "SCENE",
                "all sessions of this scene; they become it as it is now, or another",
                arguments: "[SCENE|FILE]")
        ],
        examples: [
            ("gesturectl update alice bob ./pendulum.toml", "give both a scene of your own"),
            (
                "gesturectl update --all-of phone",
                "after a reload: give all sessions of phone its new version"
            ),
        ]
    ) { context throws(Failure) in
        var words = context.arguments.positionals
        let sessions: [String]
        let scene: Node
        if let old = context.arguments.values["--all-of"] {
            try context.arguments.requirePositionals(["SCENE"], optional: 1)
            scene = try sceneNode(words.first ?? old)
            sessions = try context.sessionEntries().filter { $0["scene"]?.string == old }
                .compactMap { $0["session"]?.string }
        } else {
            if words.count < 2 {
                throw .usage("\(words.isEmpty ? "SESSION" : "SCENE") is missing")
            }
            scene = try sceneNode(words.removeLast())
            sessions = words
        }
        try updateScenes(of: sessions, to: scene, context)
    }
}

private func updateScenes(
    of sessions: [String], to scene: Node, _ context: Context
) throws(Failure) {
    var failed = 0
    for session in sessions {
        do throws(Failure) {
            // An event would open a session that is not there.
            _ = try context.request("scene", session: session)
            let body: [Node.Member] = [
                .init("command", Node(.string("update"))), .init("scene", scene),
            ]
            _ = try context.request(
                "publish",
                [
                    .init("topic", Node(.string("command/\(session)"))),
                    .init("body", Node(.object(body))),
                ])
            try Console.printLine("\(session) changed")
        } catch {
            guard let reason = error.daemonReason else { throw error }
            failed += 1
            Console.printError("\(session): \(reason)")
        }
    }
    if failed > 0 { throw .daemon("\(failed) of \(sessions.count) not changed") }
}
