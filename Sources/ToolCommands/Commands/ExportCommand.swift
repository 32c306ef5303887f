import Commands
import Manual
import Notation

extension Command {
    static let export = Command(
        name: "export", arguments: "SESSION",
        summary: "Print all of a session, to import it elsewhere or later",
        details: """
            An imported session continues from that moment, motion included. The exported session
            continues too.
            """,
        examples: [("gesturectl export alice > alice.json", "save all of alice in a file")]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SESSION"])
        let session = context.arguments.positionals[0]
        let reply = try context.request("export", session: session)
        guard let document = reply["document"] else {
            throw .daemon("the reply has no document")
        }
        let file = Node(
            .object([
                .init("session", Node(.string(session))), .init("document", document),
            ]))
        try Console.printJSON(file)
    }
}
