import Commands
import Manual
import Notation
import Protocol

extension Command {
    static let `import` = Command(
        name: "import", arguments: "FILE",
        summary: "Open a session from an exported one",
        details: """
            FILE is the output of export; - is standard input. The daemon refuses it while a session
            of that name is open.
            """,
        options: [Option("--as", "SESSION", "open it under this name"), json],
        examples: [
            ("gesturectl import alice.json", "open alice as exported"),
            (
                "gesturectl --instance left export alice | gesturectl import --as bob -",
                "copy a session from one daemon to another, under another name"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["FILE"])
        let (name, document) = try exported(in: context.arguments.positionals[0])
        guard let session = context.arguments.values["--as"] ?? name else {
            throw .usage("the file does not name its session; name it with --as")
        }
        try context.checkSize(of: document, from: context.arguments.positionals[0])
        let reply = try context.request(
            "import", [.init("session", Node(.string(session))), .init("document", document)])
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
            return
        }
        try Console.printLine("\(session) imported, epoch \(reply["epoch"]?.string ?? "?")")
    }
}

extension Context {
    /// Throws where the document is too large: the daemon would drop the connection.
    fileprivate func checkSize(of document: Node, from path: String) throws(Failure) {
        let name = "limit_export_bytes"
        guard let most = try request("hello")["limits"]?[name]?.int else { return }
        let count = document.json().count
        guard count > most else { return }
        throw .file(
            "\(inputName(path)): the session has \(count) bytes; "
                + "the daemon accepts at most \(most) (\(name))")
    }
}

/// Reads an exported session: its name, if the file has one, and the document.
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
