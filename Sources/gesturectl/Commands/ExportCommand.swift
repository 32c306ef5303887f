import GesturedClient
import Manual
import Notation
import Protocol

extension Command {
    static let export = Command(
        name: "export", arguments: "SESSION",
        summary: "Print all of a session, to be imported elsewhere or later",
        details: """
            What moves moves on from there once it is imported. The session itself goes on too.
            """,
        examples: [("gesturectl export alice > alice.json", "keep all of alice in a file")]
    ) { context throws(Failure) in
        try context.arguments.expect(["SESSION"])
        let session = context.arguments.positionals[0]
        let reply = try context.request(
            "export", [Node.Member("session", Node(.string(session)))])
        guard let document = reply["document"] else {
            throw .daemon("the answer has no document")
        }
        let file = Node(
            .object([
                .init("session", Node(.string(session))), .init("document", document),
            ]))
        try Console.line(file.json())
    }

    static let `import` = Command(
        name: "import", arguments: "FILE",
        summary: "Open a session from what export printed",
        details: """
            FILE may be - for standard input. It is refused while a session of that name is open.
            """,
        options: [Option("--as", "SESSION", "another name than it had"), json],
        examples: [
            ("gesturectl import alice.json", "open alice as she was exported"),
            (
                "gesturectl --instance left export alice | gesturectl import --as bob -",
                "copy a session from one daemon to another, under another name"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect(["FILE"])
        let (name, document) = try exported(in: context.arguments.positionals[0])
        guard let session = context.arguments.values["--as"] ?? name else {
            throw .usage("the document does not say its session's name; give one with --as")
        }
        try context.checkSize(of: document, from: context.arguments.positionals[0])
        let reply = try context.request(
            "import", [.init("session", Node(.string(session))), .init("document", document)])
        if context.arguments.has("--json") {
            try Console.line(reply.json())
            return
        }
        try Console.line("\(session) imported, epoch \(reply["epoch"]?.string ?? "?")")
    }
}

extension Context {
    /// Throws where the daemon would drop the connection rather than read the document.
    fileprivate func checkSize(of document: Node, from path: String) throws(Failure) {
        let name = "limit_export_bytes"
        guard let most = try request("hello")["limits"]?[name]?.int else { return }
        let count = document.json().count
        guard count > most else { return }
        throw .file(
            "\(inputName(path)): the session has \(count) bytes; "
                + "the daemon takes at most \(most) (\(name))")
    }
}

/// What a file says of an exported session: its name, if it does, and the document.
private func exported(in path: String) throws(Failure) -> (name: String?, document: Node) {
    let bytes = try readFileOrInput(path)
    let node: Node
    do throws(DocumentError) {
        node = try Document.jsonFile(bytes)
    } catch {
        let line = error.line.map { ":\($0)" } ?? ""
        throw .file("\(inputName(path))\(line): \(error.message)")
    }
    guard let document = node["document"] else { return (nil, node) }
    return (node["session"]?.string, document)
}
