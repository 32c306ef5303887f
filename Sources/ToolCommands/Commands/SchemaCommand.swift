import Commands
import Manual
import Notation
import Schemas

extension Command {
    static let schema = Command(
        name: "schema", arguments: "[NAME]",
        summary: "Print a JSON Schema of a scene or a message, or list them all",
        details: """
            scene is for scene files, TOML and JSON: name the file in a line #:schema at the head of
            a TOML file, and editors complete and check it. asyncapi is the document of all channels
            and operations, in YAML. Each schema refers to others by their file names, so keep them
            in one folder.
            """,
        usesDaemon: false,
        examples: [
            ("gesturectl schema", "list the names"),
            ("gesturectl schema scene > scene.json", "write the schema of scenes to a file"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["NAME"], optional: 1)
        guard let name = context.arguments.positionals.first else {
            for name in Schemas.names + [asyncAPI] { try Console.printLine("\(name)") }
            return
        }
        let text = name == asyncAPI ? Schemas.asyncAPI : Schemas.text(name)
        guard let text else {
            throw .usage("there is no schema \"\(name)\"; gesturectl schema lists them")
        }
        try Console.printLine(ShownText(ownLines: String(text.dropLast())))
    }

    private static let asyncAPI = "asyncapi"
}
