import Commands
import Manual

extension Command {
    /// Prints a manual page. The installation calls it.
    static let manual = Command(
        name: "manual", arguments: "PAGE [FILE]", summary: "Print a manual page",
        details: "gestured.toml.5 is made of the configuration in FILE.", usesDaemon: false,
        examples: [("gesturectl manual gesturectl.1", "print this tool's page")]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["PAGE", "FILE"], optional: 1)
        let words = context.arguments.positionals
        let text: String
        switch (words[0], words.count) {
        case ("gesturectl.1", 1): text = Tool.program.page
        case ("gestured.8", 1): text = Program.gestured.page
        case ("gesture-web.8", 1): text = Program.gestureWeb.page
        case ("gestured.toml.5", 2):
            let file = String(decoding: try readFile(words[1]), as: UTF8.self)
            do throws(ConfigurationPage.Flaw) {
                text = try ConfigurationPage.page(from: file)
            } catch {
                throw .file("\(words[1]):\(error.line): \(error.message)")
            }
        default:
            throw .usage(
                "PAGE is gestured.8, gesturectl.1, gesture-web.8, or gestured.toml.5 with a FILE")
        }
        try Console.printLine(ShownText(ownLines: String(text.dropLast())))
    }
}
