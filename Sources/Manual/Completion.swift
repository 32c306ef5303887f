/// The words that fit where somebody types. The shells' completions ask for them, so they know
/// the same options as the program.
package struct Completion: Equatable, Sendable {
    package struct Word: Equatable, Sendable {
        package var text: String
        package var help: String

        package init(_ text: String, _ help: String = "") {
            self.text = text
            self.help = help
        }
    }

    /// Names that fit, beside the words.
    package enum Kind: Equatable, Sendable {
        case nothing, files, folders, sessions, scenes, instances
        /// Topics that begin with one of the kinds, then a session.
        case topics([String])
    }

    package var words: [Word] = []
    package var kinds: [Kind] = []
    /// The typed part of the word; every offer begins with it.
    package var typed = ""
    /// The text before it in the same word of the shell, such as `--as=`.
    package var lead = ""
    /// Values of options typed before, by name: the daemon's endpoint, for example.
    package var values: [String: String] = [:]

    /// - Parameter typed: all words behind the program's name, up to the one that is typed.
    package init(of program: Program, after typed: [String]) {
        var walk = Walk(program: program)
        var words = Self.rejoined(typed)
        let last = words.popLast() ?? ""
        for word in words { walk.pass(word) }
        values = walk.values
        self.typed = last
        if let option = walk.pending {
            offer(value: option.value ?? "")
        } else if last.hasPrefix("-"), !walk.isPastOptions {
            offer(options: walk.options)
        } else if walk.command == nil, !program.commands.isEmpty {
            self.words = program.words(behind: walk.group)
        } else {
            offer(value: walk.argument)
        }
        self.words = self.words.filter { $0.text.hasPrefix(self.typed) }
    }

    private mutating func offer(options: [Option]) {
        if let equals = typed.firstIndex(of: "="),
            let option = options.first(where: { $0.name == typed[..<equals] })
        {
            lead = String(typed[...equals])
            typed = String(typed[typed.index(after: equals)...])
            offer(value: option.value ?? "")
            return
        }
        words = options.map { Word($0.name, $0.help) }
    }

    /// `SCENE|FILE`, as in the help: a word of capitals names a kind of value, others are literal.
    private mutating func offer(value: String) {
        for name in value.split(separator: "|") {
            switch name {
            case "FILE": kinds.append(.files)
            case "DIR": kinds.append(.folders)
            case "SESSION": kinds.append(.sessions)
            case "SCENE": kinds.append(.scenes)
            case "NAME": kinds.append(.instances)
            case "TOPIC": kinds.append(.topics(["command", "gesture", "notification"]))
            case "PREFIX":
                kinds.append(.topics(["badge", "rejected", "session", "state", "transition"]))
                words.append(Word("heartbeat"))
            default: if name.allSatisfy(\.isLowercase) { words.append(Word(String(name))) }
            }
        }
    }

    /// Bash breaks words at `=`: an option's value is the next word all the same.
    private static func rejoined(_ typed: [String]) -> [String] {
        var words: [String] = []
        for (index, word) in typed.enumerated() {
            let isBreak = word == "=" && words.last?.hasPrefix("--") == true
            if !isBreak { words.append(word) } else if index == typed.count - 1 { words.append("") }
        }
        return words
    }
}

/// The meaning of the words typed before.
private struct Walk {
    let program: Program
    var command: Program.CommandHelp?
    /// The first word of a command of two.
    var group: String?
    var positionals = 0
    /// The arguments of a given option, instead of the command's.
    var arguments: String?
    /// The option whose value comes next.
    var pending: Option?
    var isPastOptions = false
    var values: [String: String] = [:]

    init(program: Program) { self.program = program }

    var options: [Option] { (command?.options ?? []) + program.options }

    /// The name of the next argument; empty: there is none.
    var argument: String {
        let names = (arguments ?? command?.arguments ?? "").split(separator: " ")
            .map { $0.filter { !"[]".contains($0) } }
        let repeated = names.firstIndex { $0.hasSuffix("…") } ?? names.count
        // Behind the first of repeated ones another one may come, or the last argument.
        let fitting =
            positionals > repeated
            ? names[repeated...].joined(separator: "|")
            : positionals < names.count ? names[positionals] : ""
        return fitting.filter { $0 != "…" }
    }

    mutating func pass(_ word: String) {
        if let option = pending {
            values[option.name] = word
            pending = nil
        } else if word == "--", !isPastOptions {
            isPastOptions = true
        } else if !isPastOptions, let cluster = Option.Cluster(word, of: options) {
            for option in cluster.flags { arguments = option.arguments ?? arguments }
            guard let (option, value) = cluster.last else { return }
            arguments = option.arguments ?? arguments
            if value.isEmpty { pending = option } else { values[option.name] = value }
        } else if word.hasPrefix("-"), word != "-", !isPastOptions {
            let parts = word.split(separator: "=", maxSplits: 1)
            let option = options.first { $0.name == parts[0] }
            arguments = option?.arguments ?? arguments
            if parts.count > 1 {
                values[String(parts[0])] = String(parts[1])
            } else if option?.value != nil {
                pending = option
            }
        } else if command == nil, !program.commands.isEmpty {
            let name = (group.map { $0 + " " } ?? "") + word
            command = program.commands.first { $0.name == name }
            if Program.groups(of: program.commands.map(\.name)).contains(word) { group = word }
        } else {
            positionals += 1
        }
    }
}

extension Program {
    /// The first words of those names that have two.
    package static func groups(of names: [String]) -> Set<String> {
        Set(
            names.compactMap { name in
                let words = name.split(separator: " ")
                return words.count > 1 ? String(words[0]) : nil
            })
    }

    /// The words that a command can go on with: its first one, or the second one of a group.
    fileprivate func words(behind group: String?) -> [Completion.Word] {
        if let group {
            return commands.filter { $0.name.hasPrefix(group + " ") }
                .map { Completion.Word(String($0.name.dropFirst(group.count + 1)), $0.summary) }
        }
        var words: [Completion.Word] = []
        for command in commands {
            let parts = command.name.split(separator: " ").map(String.init)
            if parts.count == 1 {
                words.append(Completion.Word(command.name, command.summary))
            } else if words.last?.text != parts[0] {
                let all = self.words(behind: parts[0]).map(\.text)
                words.append(Completion.Word(parts[0], all.joined(separator: ", ")))
            }
        }
        return words
    }
}
